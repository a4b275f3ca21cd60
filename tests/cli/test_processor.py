"""NumPy is told of processors on which it would sort slowly."""

from os import environ
from pathlib import Path

import pytest

from solver.cli.processor import avoid_slow_sorts

SORTS = "NPY_DISABLE_CPU_FEATURES"


def processor(vendor: str, family: int, flags: str) -> str:
    """What Linux says of one, in part."""
    said = f"vendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: 17\nmodel name\t: some\n"
    return f"processor\t: 0\n{said}flags\t\t: fpu {flags} avx2 rdseed\n\n"


@pytest.mark.parametrize(
    ("vendor", "family", "flags", "set_before", "expected"),
    [
        ("AuthenticAMD", 25, "avx512f", None, "X86_V4"),
        ("AuthenticAMD", 25, "avx512f", "", ""),
        ("AuthenticAMD", 25, "avx512f", "AVX512_SPR", "AVX512_SPR"),
        ("AuthenticAMD", 25, "sse", None, None),
        ("AuthenticAMD", 26, "avx512f", None, None),
        ("GenuineIntel", 6, "avx512f", None, None),
    ],
)
def test_a_zen_4_alone_is_kept_from_avx_512(
    vendor: str,
    family: int,
    flags: str,
    set_before: str | None,
    expected: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(SORTS, "any")  # what it was comes back
    monkeypatch.delenv(SORTS)
    if set_before is not None:
        monkeypatch.setenv(SORTS, set_before)
    path = tmp_path / "cpuinfo"
    path.write_text(2 * processor(vendor, family, flags))
    avoid_slow_sorts(path)
    assert environ.get(SORTS) == expected


def test_systems_that_tell_nothing_of_processors_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SORTS, "any")  # what it was comes back
    monkeypatch.delenv(SORTS)
    avoid_slow_sorts(tmp_path / "none")
    assert SORTS not in environ
