"""What is said of long work while it is done: a bar on a terminal, or lines of JSON for a program."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Any, Protocol, TypeVar

from solver.system.terminal import bare

Item = TypeVar("Item")

PATIENCE = 1.0
"""Seconds that pass before a bar is shown, and between two lines of JSON about the same."""


class Progress(Protocol):
    """Called now and then."""

    def __call__(self, task: str, done: int, total: int | None, ply: int | None = None, /) -> None:
        """Say what is being done, how many states are done, of how many and at which ply, None if unknown."""


def no_progress(task: str, done: int, total: int | None, ply: int | None = None) -> None:
    """Do nothing: the default `Progress`."""


def reported(
    progress: Progress,
    task: str,
    items: Iterable[Item],
    total: int | None,
    states: Callable[[Item], int] = lambda item: 1,
) -> Iterator[Item]:
    """The items; as each is done with, the progress is told, by the number of `states` in it."""
    done = 0
    for item in items:
        yield item
        done += states(item)
        progress(task, done, total)


@contextmanager
def waiting(progress: Progress, task: str) -> Iterator[None]:
    """Tell the progress each second that a task goes on which cannot be asked how far it is."""
    over = Event()

    def tick() -> None:
        while not over.wait(PATIENCE):
            progress(task, 0, None)

    thread = Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def terminal_progress(unit: str = "states") -> Iterator[Progress]:
    """A `Progress` that draws a bar on stderr, one line a task; nothing when stderr is no terminal.

    What it counts are `unit`. Where work goes ply by ply, the bar says at which it is and how much memory is
    held.
    """
    if not sys.stderr.isatty():
        yield no_progress
        return
    from tqdm import tqdm

    from solver.system import resources  # with psutil, for which a query would wait

    bars: dict[str, Any] = {}
    began = monotonic()

    def progress(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        if task not in bars or bars[task].total != total:
            _close(bars)
            bars[task] = tqdm(
                desc=task,
                file=bare(sys.stderr),
                total=total,
                initial=done,
                unit=f" {unit}",
                unit_scale=True,
                delay=max(0.0, began + PATIENCE - monotonic()),
                dynamic_ncols=True,
                leave=False,
                smoothing=0.05,  # layers differ: the time that is left is told by the last few
            )
        if ply is not None:
            bars[task].set_description_str(f"{task}, ply {ply}", refresh=False)
            bars[task].set_postfix_str(f"{resources.used() / 1e6:,.0f} MB", refresh=False)
        bars[task].update(done - bars[task].n)

    try:
        yield progress
    finally:
        _close(bars)


@contextmanager
def json_progress() -> Iterator[Progress]:
    """A `Progress` that writes JSON to stderr, an object a line: at each new task and ply, and every second.

    `task`, `ply`, `done` and `total` (states), `seconds` since the task began, `per_second`, `memory` (bytes)
    and `seconds_left`; null for what is not known.
    """
    from solver.system import resources

    begun: dict[tuple[str, int | None], tuple[float, int]] = {}
    said: tuple[str, int | None] | None = None
    last = 0.0

    def progress(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        nonlocal said, last
        now = monotonic()
        began, before = begun.setdefault((task, total), (now, done))
        if said == (task, ply) and now - last < PATIENCE and done != total:
            return
        said, last = (task, ply), now
        seconds = now - began
        speed = (done - before) / seconds if seconds > 0 and done > before else None
        line = {
            "task": task,
            "ply": ply,
            "done": done,
            "total": total,
            "seconds": round(seconds, 3),
            "per_second": None if speed is None else round(speed),
            "memory": resources.used(),
            "seconds_left": None if speed is None or total is None else round((total - done) / speed, 1),
        }
        print(json.dumps(line), file=sys.stderr, flush=True)

    yield progress


def _close(bars: dict[str, Any]) -> None:
    for bar in bars.values():
        bar.close()
    bars.clear()
