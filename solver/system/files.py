"""Writes files atomically: a target is replaced as a whole or not at all.

A file is built beside its target, in the folder `<target>.part` under the lock `<target>.lock`, and moved
into place when it is complete and on disk. A build that is killed leaves the target unchanged; the next build
deletes the folder and starts anew, unless it can resume. Tested on Linux only.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from errno import EDQUOT, ENOSPC
from importlib import import_module
from pathlib import Path
from threading import Lock

from solver.errors import DiskFull, MissingFile, SolverError, TargetBusy, TargetExists, UnwritableFile
from solver.system.progress import Progress, no_progress, waiting
from solver.system.words import GOES_ON, if_interrupted


def target(path: Path, content: str, *, force: bool = True) -> Path:
    """The path, if a file may be written there; with `force`, it may replace a file.

    `content` is the noun for messages. Raises `MissingFile` (no such folder) or `TargetExists`.
    """
    if not path.parent.is_dir():
        raise MissingFile(f"there is no folder {str(path.parent)!r} to put {path.name!r} into")
    if path.is_dir():
        raise TargetExists(f"{path} is a folder: choose a file for the {content}")
    if path.is_file() and not force:
        raise TargetExists(f"{path} exists already: use --force to replace it, or choose another file")
    return path


@contextmanager
def atomic_target(path: Path, *, force: bool, progress: Progress = no_progress) -> Iterator[Path]:
    """Yield the path at which to build the file; it becomes `path` when the block ends without an error.

    Other files in its folder are removed. Raises `TargetExists`, `TargetBusy` or `MissingFile` before the
    block begins.
    """
    target(path, "database", force=force)
    if path.exists() and not path.is_file():
        raise TargetExists(f"{path} is not a regular file: choose another one, or -o - for standard output")
    place = path.resolve()  # a link stays a link
    refusal = f"another process is building {path}: wait for it or choose another file"
    with _building(place, refusal) as folder:
        new = folder / place.name
        yield new
        with waiting(progress, "writing to disk"):
            sync(new)
        target(path, "database", force=force)
        with writing(path):
            for suffix in ("journal", "wal", "shm"):  # SQLite would apply those of an older file to the new
                place.with_name(f"{place.name}-{suffix}").unlink(missing_ok=True)
            new.replace(place)
            sync(place.parent)


@contextmanager
def _building(place: Path, refusal: str, resume_key: str = "") -> Iterator[Path]:
    """Yield `<place>.part`, locked; if interrupted, it is kept for a build with the same `resume_key`."""
    folder = place.with_name(f"{place.name}.part")
    note = folder / "same"
    with _locked(place, refusal):
        if not (resume_key and note.is_file() and note.read_text() == resume_key):
            if folder.is_dir():
                shutil.rmtree(folder, ignore_errors=True)  # leaves links, and what is not this user's
            if folder.exists() or folder.is_symlink():
                why = "is where the new file is to be built: move it or choose another name"
                raise TargetExists(f"{folder} {why}")
        resumable = False
        try:
            folder.mkdir(exist_ok=True)
            if resume_key:
                note.write_text(resume_key)
            yield folder
        except (KeyboardInterrupt, SystemExit):
            resumable = bool(resume_key)
            raise
        finally:
            if not resumable:
                shutil.rmtree(folder, ignore_errors=True)


def alone_in(folder: Path) -> AbstractContextManager[None]:
    """Lock a folder, which need not exist, against other processes; raises `TargetBusy`."""
    return _locked(folder.resolve(), f"another process is working in {folder}: wait for it")


@contextmanager
def _locked(place: Path, refusal: str) -> Iterator[None]:
    """Hold the lock `<place>.lock`; raises `TargetBusy` with the message `refusal`, or `UnwritableFile`."""
    from filelock import FileLock, Timeout  # slow to import, and rarely needed

    lock = FileLock(place.with_name(f"{place.name}.lock"), timeout=0)
    with writing(place):
        try:
            lock.acquire()
        except Timeout:
            Path(lock.lock_file).touch()  # raises where no file can be made, which filelock reports as locked
            raise TargetBusy(refusal) from None
    try:
        yield
    finally:
        with suppress(FileNotFoundError, PermissionError):  # Windows: releasing removes it, as it is open
            if not Path(lock.lock_file).stat().st_size:  # else it is a file of the user's with that name
                Path(lock.lock_file).unlink()
        lock.release()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise `UnwritableFile`, or `DiskFull`, for an error of the system when the block writes `path`."""
    try:
        yield
    except OSError as error:
        if isinstance(error, SolverError):
            raise
        kind = DiskFull if error.errno in (ENOSPC, EDQUOT) else UnwritableFile
        raise kind(f"cannot write {path}: {error.strerror or error}") from error


def write(path: Path, content: bytes, *, force: bool = True) -> None:
    """Replace the content of a file as a whole or not at all; a pipe or a device is written directly.

    Raises what `atomic_target` raises, and `UnwritableFile`.
    """
    with writing(path):
        is_device = path.exists() and not path.is_file() and not path.is_dir()
        with nullcontext(path) if is_device else atomic_target(path, force=force) as new:
            new.write_bytes(content)


def link(path: Path, other: Path) -> None:
    """Make `other` a hard link to `path`, or a copy where that is impossible; raises `UnwritableFile`."""
    try:
        other.hardlink_to(path)
    except OSError:
        with writing(other):
            shutil.copyfile(path, other)


def new_folder(path: Path, *, marker: str | None = None) -> Path:
    """The path, if it does not exist or is a folder that is empty or has a file named `marker`.

    Raises `MissingFile` or `TargetExists`.
    """
    if not path.parent.is_dir():
        raise MissingFile(f"there is no folder {str(path.parent)!r} to put {path.name!r} into")
    is_marked = marker is not None and path.is_dir() and (path / marker).is_file()
    is_there = path.is_symlink() or (path.exists() and (not path.is_dir() or any(path.iterdir())))
    if is_there and not is_marked:
        raise TargetExists(f"{path} exists already: choose a new folder")
    return path


def unfinished(path: Path) -> Path:
    """The folder in which `write_folder` collects the files until it is complete."""
    place = path.resolve()
    return place.with_name(f"{place.name}.part") / "whole"


def write_folder(
    path: Path, contents: Iterable[tuple[str, bytes]], *, marker: str | None = None, resume_key: str = ""
) -> None:
    """Make a folder of files, given as pairs of name and content, as a whole or not at all.

    Names may include folders. A folder that has a file named `marker` is replaced, on Linux in one step.
    After an interruption, the next call with the same `resume_key`, which identifies the contents ("" for
    none), reuses the files. Raises what `new_folder` raises, `TargetBusy` and `UnwritableFile`.
    """
    place = new_folder(path, marker=marker).resolve()
    refusal = f"another process is writing {path}: wait for it or choose another folder"
    note = if_interrupted(lambda: GOES_ON if resume_key else "")
    with writing(path), note, _building(place, refusal, resume_key) as folder:
        whole, new = unfinished(place), folder / "new"
        whole.mkdir(exist_ok=True)
        for name, content in contents:
            file = whole / name
            if not file.exists() or file.read_bytes() != content:
                file.parent.mkdir(exist_ok=True)
                new.write_bytes(content)
                sync(new)
                new.replace(file)
        if not (place.is_dir() and _exchanged(whole, place)):
            if place.is_dir():
                place.replace(folder / "before")
            whole.replace(place)
        sync(place.parent)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; returns False where the system or the drive cannot."""
    from ctypes import CDLL  # slow to import, and rarely needed

    with suppress(AttributeError, OSError, TypeError):
        change = CDLL(None).renameat2  # Linux, with glibc 2.28 or musl 1.2.6
        return not change(AT_CURRENT, os.fsencode(one), AT_CURRENT, os.fsencode(other), EXCHANGE)
    return False


def user_folder() -> Path | None:
    """The folder for this user's data, which need not exist; None if the user has none."""
    from click import get_app_dir

    folder = Path(get_app_dir("perfectplay"))
    return folder if folder.is_absolute() else None


AT_CURRENT, EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
WINDOWS = os.name == "nt"
_SEEKING = Lock()


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    if WINDOWS and path.is_dir():
        return  # Windows cannot open folders, and syncs their names by itself
    descriptor = os.open(path, os.O_RDWR if WINDOWS else os.O_RDONLY)  # Windows syncs only writable files
    try:
        flush(descriptor)
    finally:
        os.close(descriptor)


def flush(descriptor: int) -> None:
    """Wait until the content of an open file is on disk."""
    with suppress(ImportError, AttributeError, OSError):  # macOS: makes the drive flush its cache, too
        fcntl = import_module("fcntl")
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        return
    os.fsync(descriptor)


def opened(path: Path) -> int:
    """The descriptor of a file, opened for reading in binary mode."""
    return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))


def read_at(descriptor: int, into: memoryview, offset: int) -> int:
    """Read from an offset of an open file into a buffer; thread-safe. Returns the number of bytes read."""
    if hasattr(os, "preadv"):
        return os.preadv(descriptor, [into], offset)
    with _SEEKING:
        os.lseek(descriptor, offset, os.SEEK_SET)
        data = os.read(descriptor, len(into))
    into[: len(data)] = data
    return len(data)
