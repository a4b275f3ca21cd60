"""The memory, in bytes, the processors and the open files that this process uses and may use."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import CDLL
from pathlib import Path

import psutil

CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""The parameters of mallopt(3) as numbered in glibc's malloc.h."""

MAX_ON_HEAP = 1 << 25
"""The greatest threshold, in bytes, that mallopt(3) accepts for arrays on the heap."""


def available() -> int:
    """The memory left to this process before swapping, its container's limit or `ulimit -v`."""
    return max(0, min(_rooms()))


def room(limit: int | None) -> int:
    """The memory left to this process if it may use `limit` bytes; None for all that is available."""
    return available() if limit is None else max(0, limit - used())


def used() -> int:
    """The resident memory of this process."""
    return int(psutil.Process().memory_info().rss)


@contextmanager
def bounded(limit: int | None = None) -> Iterator[None]:
    """Limit this process to `limit` bytes in the block; None for all that is available.

    On systems with such a limit (Linux), an allocation beyond it raises a MemoryError at once. Elsewhere
    nothing is limited, and callers must watch `used`.
    """
    if not hasattr(psutil, "RLIMIT_DATA"):
        yield
        return
    process = psutil.Process()
    limit = used() + available() if limit is None else limit
    held, (soft, hard) = process.memory_info(), process.rlimit(psutil.RLIMIT_DATA)
    most = max(held.data, held.data + limit - held.rss)
    least = min({most, soft, hard} - {psutil.RLIM_INFINITY})
    process.rlimit(psutil.RLIMIT_DATA, (least, hard))
    try:
        yield
    finally:
        process.rlimit(psutil.RLIMIT_DATA, (soft, hard))


@contextmanager
def uncollected() -> Iterator[None]:
    """Disable the cyclic garbage collector in a block that makes many small, long-lived objects."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _rooms() -> Iterator[int]:
    yield psutil.virtual_memory().available
    with suppress(OSError, ValueError):
        yield int(CGROUP_LIMIT.read_text()) - used()
    if hasattr(psutil, "RLIMIT_AS"):
        limit, _ = psutil.Process().rlimit(psutil.RLIMIT_AS)
        if limit != psutil.RLIM_INFINITY:
            yield limit - psutil.Process().memory_info().vms


def keep_freed(most: int) -> None:
    """Make glibc, if it is the C library, keep up to `most` bytes of freed memory for the next arrays.

    By default it returns the memory of large arrays to the system, which clears every page of the next one.
    Source: mallopt(3).
    """
    with suppress(OSError, AttributeError, TypeError):  # not glibc; on Windows, CDLL raises the TypeError
        CDLL(None).mallopt(M_MMAP_THRESHOLD, MAX_ON_HEAP)
        CDLL(None).mallopt(M_TRIM_THRESHOLD, min(most, 2**31 - 1))


def cores() -> int:
    """The number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def open_many_files() -> None:
    """Raise the limit on open files as far as allowed."""
    with suppress(ImportError, ValueError, OSError):  # no such limit, or it cannot be raised
        from resource import RLIMIT_NOFILE, getrlimit, setrlimit

        _, most = getrlimit(RLIMIT_NOFILE)
        setrlimit(RLIMIT_NOFILE, (most, most))
