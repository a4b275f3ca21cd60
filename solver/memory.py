"""How much memory there is and how much of it this process holds, in bytes."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


def available() -> int:
    """What this process could still take before swapping, its container's limit or `ulimit -v`."""
    return max(0, min(_rooms()))


def used() -> int:
    """The memory that this process holds."""
    return int(psutil.Process().memory_info().rss)


def _rooms() -> Iterator[int]:
    """What each limit leaves to this process."""
    yield psutil.virtual_memory().available
    with suppress(OSError, ValueError):
        yield int(CGROUP_LIMIT.read_text()) - used()
    if hasattr(psutil, "RLIMIT_AS"):
        limit, _ = psutil.Process().rlimit(psutil.RLIMIT_AS)
        if limit != psutil.RLIM_INFINITY:
            yield limit - psutil.Process().memory_info().vms
