"""Reports the progress of long work: a bar on a terminal, or lines of JSON for a program."""

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
"""Seconds before a bar is shown, and between two lines of JSON about the same task and ply."""


class Progress(Protocol):
    """A function that is called now and then with the progress of a task."""

    def __call__(self, task: str, done: int, total: int | None, ply: int | None = None, /) -> None:
        """Report the task, how many states are done of how many, and the ply; None if unknown."""


def no_progress(task: str, done: int, total: int | None, ply: int | None = None) -> None:
    """Do nothing: the default `Progress`."""


def reported(
    progress: Progress,
    task: str,
    items: Iterable[Item],
    total: int | None,
    states: Callable[[Item], int] = lambda item: 1,
) -> Iterator[Item]:
    """The items; after each, the progress is reported, an item counting as `states` of it."""
    done = 0
    for item in items:
        yield item
        done += states(item)
        progress(task, done, total)


@contextmanager
def waiting(progress: Progress, task: str) -> Iterator[None]:
    """Report each second that a task of unknown progress goes on."""
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
    """A `Progress` that draws a bar on stderr, a line for each task; nothing if stderr is no terminal.

    `unit` is the noun for what is counted. For work that goes ply by ply the bar shows the ply and the memory
    in use.
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
                smoothing=0.05,  # layers differ: the time left is estimated from the last few
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
    """A `Progress` that writes JSON to stderr, one object a line: at each new task and ply, and every second.

    Its keys are `task`, `ply`, `done` and `total` (states), `seconds` since the task began, `per_second`,
    `memory` (bytes) and `seconds_left`; unknown values are null.
    """
    from solver.system import resources

    begun: dict[tuple[str, int | None], tuple[float, int]] = {}
    last_reported: tuple[str, int | None] | None = None
    last = 0.0

    def progress(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        nonlocal last_reported, last
        now = monotonic()
        began, before = begun.setdefault((task, total), (now, done))
        if last_reported == (task, ply) and now - last < PATIENCE and done != total:
            return
        last_reported, last = (task, ply), now
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
