"""Files on other systems, as far as they can be simulated here."""

import fcntl
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from solver import load_game, open_database, solve
from solver.system import files


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A system that opens no folders, syncs what can be written to, and has no preadv; what it has synced."""
    synced = list[int]()

    def opening(path: Path, flags: int) -> int:
        if path.is_dir():
            raise PermissionError(13, "Permission denied", str(path))
        return os.open(path, flags)

    def syncing(descriptor: int) -> None:
        if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(9, "Bad file descriptor")
        synced.append(descriptor)

    there = {name: getattr(os, name) for name in ("close", "lseek", "read", "SEEK_SET", "O_RDONLY", "O_RDWR")}
    monkeypatch.setattr(files, "WINDOWS", True)
    monkeypatch.setattr(files, "os", SimpleNamespace(open=opening, fsync=syncing, **there))
    return synced


@pytest.mark.parametrize("engine", ["graph", "layers"])
def test_solve_works_if_folders_cannot_be_opened(tmp_path: Path, windows: list[int], engine: str) -> None:
    path = tmp_path / "game.db"
    solve(load_game("connect", {"rows": 3, "columns": 3, "k": 3}), path, engine=engine)
    with open_database(path) as db:
        assert (db.game_name, db.start) == ("connect", ".../.../...")
    assert windows
    assert [item.name for item in tmp_path.iterdir()] == ["game.db"]


def test_lock_that_cannot_be_removed_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path.suffix == ".lock":
            raise PermissionError(13, "The process cannot access the file", str(path))
        remove(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    for _ in range(2):
        solve(load_game("nim"), tmp_path / "game.db", force=True)
    with open_database(tmp_path / "game.db") as db:
        assert db.game_name == "nim"


def test_sync_uses_full_fsync_on_macos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, asked = tmp_path / "file", list[int]()
    path.touch()
    module = SimpleNamespace(F_FULLFSYNC=51, fcntl=lambda descriptor, command: asked.append(command))
    with monkeypatch.context() as macos:
        macos.setattr(files, "import_module", lambda name: module)
        macos.setattr("solver.system.files.os.fsync", lambda _: pytest.fail("this does not reach the drive"))
        files.sync(path)
    assert asked == [51]


def test_read_at_works_without_preadv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(100)))
    descriptor = files.opened(path)
    try:
        for has in (True, False):
            if not has:
                monkeypatch.delattr("solver.system.files.os.preadv")
            room = bytearray(20)
            assert files.read_at(descriptor, memoryview(room), 30) == 20
            assert bytes(room) == bytes(range(30, 50))
            assert files.read_at(descriptor, memoryview(room), 95) == 5
            assert files.read_at(descriptor, memoryview(room), 100) == 0
    finally:
        os.close(descriptor)
