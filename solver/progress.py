"""A progress bar for long work, on a terminal only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from solver.graph import Progress, no_progress

PATIENCE = 1.0
"""Seconds that pass before a bar is shown."""


@contextmanager
def terminal_progress(unit: str = "states") -> Iterator[Progress]:
    """A `Progress` that draws a bar on stderr, one line a task; nothing when stderr is no terminal.

    What it counts are `unit`.
    """
    if not sys.stderr.isatty():
        yield no_progress
        return
    from tqdm import tqdm

    bars: dict[str, Any] = {}

    def progress(task: str, done: int, total: int | None) -> None:
        if task not in bars:
            _close(bars)
            bars[task] = tqdm(
                desc=task,
                total=total,
                unit=f" {unit}",
                unit_scale=True,
                delay=PATIENCE,
                dynamic_ncols=True,
                leave=False,
            )
        bars[task].update(done - bars[task].n)

    try:
        yield progress
    finally:
        _close(bars)


def _close(bars: dict[str, Any]) -> None:
    for bar in bars.values():
        bar.close()
    bars.clear()
