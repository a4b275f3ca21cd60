"""The memory, in bytes, and the processors that this process uses and may use."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import CDLL
from pathlib import Path

import psutil

CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


def available() -> int:
    """The memory that is left to this process before swapping, its container's limit or `ulimit -v`."""
    return max(0, min(_rooms()))


def used() -> int:
    """The resident memory of this process."""
    return int(psutil.Process().memory_info().rss)


@contextmanager
def bounded(limit: int | None = None) -> Iterator[None]:
    """Limit this process to `limit` bytes in the block; None for all that is available.

    An allocation beyond raises a MemoryError at once, however fast memory grows, on systems with such a limit
    (Linux). Elsewhere nothing is limited, and callers have to watch `used`.
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


def _rooms() -> Iterator[int]:
    """The memory that each limit leaves to this process."""
    yield psutil.virtual_memory().available
    with suppress(OSError, ValueError):
        yield int(CGROUP_LIMIT.read_text()) - used()
    if hasattr(psutil, "RLIMIT_AS"):
        limit, _ = psutil.Process().rlimit(psutil.RLIMIT_AS)
        if limit != psutil.RLIM_INFINITY:
            yield limit - psutil.Process().memory_info().vms


def return_freed() -> None:
    """Give freed memory back to the system. glibc keeps that of small arrays; elsewhere nothing is done.

    Source: malloc_trim(3).
    """
    with suppress(OSError, AttributeError, TypeError):  # TypeError: Windows has no library without a name
        CDLL(None).malloc_trim(0)


def cores() -> int:
    """The number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
