"""What systems do differently with files. It is tried out on Linux alone."""

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Lock

WINDOWS = os.name == "nt"

_SEEKING = Lock()


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    if WINDOWS and path.is_dir():
        return  # it opens no folders, and keeps their names by itself
    descriptor = os.open(path, os.O_RDWR if WINDOWS else os.O_RDONLY)  # it syncs what can be written to
    try:
        flush(descriptor)
    finally:
        os.close(descriptor)


def flush(descriptor: int) -> None:
    """Wait until what an open file has is on disk."""
    with suppress(ImportError, AttributeError, OSError):  # where macOS can, the drive writes its cache, too
        fcntl = import_module("fcntl")
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        return
    os.fsync(descriptor)


def opened(path: Path) -> int:
    """The descriptor of a file that is open for reading, its bytes as they are."""
    return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))


def read_at(descriptor: int, into: memoryview, offset: int) -> int:
    """How many bytes were read into a buffer, from a place in an open file; any thread may do it."""
    if hasattr(os, "preadv"):
        return os.preadv(descriptor, [into], offset)
    with _SEEKING:
        os.lseek(descriptor, offset, os.SEEK_SET)
        data = os.read(descriptor, len(into))
    into[: len(data)] = data
    return len(data)
