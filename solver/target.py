"""Puts the file of a solved game where it belongs, whole or not at all.

It is built beside its target, as `<target>.part` under the lock `<target>.lock`, and moved into place when it
is complete and on disk. A build that is killed leaves the target as it was; the next one starts anew.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from solver.errors import MissingFile, TargetBusy, TargetExists
from solver.solved_file import sync


@contextmanager
def atomic_target(path: Path, *, force: bool) -> Iterator[Path]:
    """Where to build; what is there when the block ends without an error becomes `path`.

    Raises `TargetExists`, `TargetBusy` or `MissingFile` (no such folder) before the block begins.
    """
    if not path.parent.is_dir():
        raise MissingFile(f"there is no folder {str(path.parent)!r} to put {path.name!r} into")
    _refuse_existing(path, force=force)
    part, lock = path.with_name(path.name + ".part"), path.with_name(path.name + ".lock")
    try:
        with FileLock(lock, timeout=0):
            part.unlink(missing_ok=True)
            try:
                yield part
                sync(part)
                _refuse_existing(path, force=force)
                part.replace(path)
                sync(path.parent)
            finally:
                part.unlink(missing_ok=True)
                lock.unlink(missing_ok=True)
    except Timeout:
        raise TargetBusy(f"another process is building {path}: wait for it or choose another file") from None


def _refuse_existing(path: Path, *, force: bool) -> None:
    """Raise `TargetExists` when `path` is taken and may not be replaced."""
    if path.is_dir():
        raise TargetExists(f"{path} is a folder: choose a file for the database")
    if path.exists() and not path.is_file():
        raise TargetExists(f"{path} is not a regular file: choose another one, or -o - for standard output")
    if path.exists() and not force:
        raise TargetExists(f"{path} exists already: use --force to replace it, or -o for another file")
