"""The entry points of installed packages are those that Python's own library finds."""

import importlib.metadata
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.system.plugins import GROUPS, installed_entries


def found() -> dict[str, list[tuple[str, str]]]:
    return {
        group: [(name, each.value) for name, each in table.items()]
        for group, table in installed_entries().items()
    }


def expected() -> dict[str, list[tuple[str, str]]]:
    """The names and values of each group, of several alike the first on the path."""
    tables: dict[str, dict[str, str]] = {group: {} for group in GROUPS}
    for group, table in tables.items():
        for entry in importlib.metadata.entry_points(group=f"perfectplay.{group}"):
            table.setdefault(entry.name, entry.value)
    return {group: sorted(table.items()) for group, table in tables.items()}


@pytest.fixture
def anew() -> Iterator[None]:
    installed_entries.cache_clear()
    yield
    installed_entries.cache_clear()


def installed(folder: Path, table: bytes) -> Path:
    folder.mkdir(parents=True)
    (folder / "entry_points.txt").write_bytes(table)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {folder.stem}\nVersion: 1\n")
    return folder.parent


def test_they_are_those_of_the_packages_that_are_installed(anew: None) -> None:
    assert found() == expected()
    assert ("nim", "solver.games.nim:Nim") in found()["games"]


TABLE = b"""
# a comment
[console_scripts]
coins = coins:main

[perfectplay.games]
coins=coins:Coins
 apart = other.place : Apart [extra]
nim = mine:Nim
[perfectplay.players]
lucky = coins:Lucky
[perfectplay.nothing]
odd = coins:Odd
"""


@pytest.mark.parametrize("name", ["coins-1.0.dist-info", "coins.egg-info"])
def test_packages_in_any_folder_of_the_path_are_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anew: None
) -> None:
    monkeypatch.syspath_prepend(installed(tmp_path / "first" / name, TABLE))
    other = TABLE.replace(b"coins:Coins", b"late:Coins").replace(b"lucky", b"luckier")
    monkeypatch.setattr(
        sys, "path", [*sys.path, str(installed(tmp_path / "last" / f"other{name}", other)), "nowhere"]
    )
    assert found() == expected()
    assert found()["games"][0] == ("apart", "other.place : Apart [extra]")
    assert ("coins", "coins:Coins") in found()["games"]
    assert ("nim", "mine:Nim") in found()["games"]
    assert [name for name, _ in found()["players"] if "luck" in name] == ["luckier", "lucky"]


def test_a_table_that_cannot_be_read_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anew: None
) -> None:
    before = found()
    installed_entries.cache_clear()
    monkeypatch.syspath_prepend(
        installed(tmp_path / "a" / "odd.dist-info", b"[perfectplay.games]\n\xff = x:Y\n")
    )
    assert found() == before


def test_a_query_does_not_wait_for_the_library_that_reads_them_too(tmp_path: Path) -> None:
    code = "import sys; import solver.commands.query; print('importlib.metadata' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert printed.stdout == "False\n"
