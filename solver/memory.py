"""How much memory there is and how much of it this process holds, in bytes."""

from pathlib import Path

import psutil

CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


def available() -> int:
    """The memory that this process could still take without the machine or its container swapping."""
    free = psutil.virtual_memory().available
    try:
        limit = int(CGROUP_LIMIT.read_text())
    except (OSError, ValueError):
        return free
    return max(0, min(free, limit - used()))


def used() -> int:
    """The memory that this process holds."""
    return int(psutil.Process().memory_info().rss)
