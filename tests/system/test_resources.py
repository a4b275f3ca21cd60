"""The memory that the machine, the container and the shell allow."""

from pathlib import Path

import psutil
import pytest

from solver.system import resources
from tests.support.commandline import python


def test_available_memory_is_at_most_that_of_the_machine() -> None:
    assert 0 < resources.available() <= psutil.virtual_memory().total
    assert 0 < resources.used() < psutil.virtual_memory().total


def test_container_limit_bounds_available_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(resources, "CGROUP_LIMIT", limit)
    limit.write_text(f"{resources.used() + 50_000_000}\n")
    assert 0 < resources.available() <= 50_000_000
    limit.write_text("max\n")
    assert resources.available() > 50_000_000


@pytest.mark.skipif(not hasattr(psutil, "RLIMIT_AS"), reason="this system has no such limit")
def test_shell_limit_bounds_available_memory() -> None:
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000,) * 2); "
        "from solver.system import resources; print(resources.available())"
    )
    assert 0 < int(python(program).stdout) < 2_000_000_000


def test_keep_freed_keeps_freed_memory_resident() -> None:
    program = (
        "from solver.system import resources; resources.keep_freed(1 << 26); text = b'x' * (1 << 24); "
        "held = resources.used(); del text; print(held - resources.used())"
    )
    assert int(python(program).stdout) < 1 << 20


@pytest.mark.parametrize("error", [TypeError, OSError, AttributeError])  # Windows, no C library, not glibc
def test_keep_freed_works_without_libc(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def library(name: None) -> None:
        raise error

    monkeypatch.setattr(resources, "CDLL", library)
    resources.keep_freed(1 << 20)
