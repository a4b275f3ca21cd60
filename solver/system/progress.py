"""Reports the progress of long work: a bar on a terminal, or lines of JSON for a program."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from shutil import get_terminal_size
from textwrap import wrap
from threading import Event, Thread
from time import monotonic
from typing import Any, NamedTuple, Protocol, TypeVar

from solver.system.terminal import bare

Item = TypeVar("Item")

PATIENCE = 1.0
"""Seconds before a bar is shown, and between two lines of JSON about the same task and ply."""


class Usage(NamedTuple):
    """The memory in use."""

    memory: int
    """The resident memory, in bytes, of this process or of the largest worker."""
    workers: int | None = None
    """The number of workers of a cluster; None if there is none."""


_measures: list[Callable[[], Usage]] = []


@contextmanager
def measured_by(measure: Callable[[], Usage]) -> Iterator[None]:
    """Report the `Usage` returned by `measure` in the block, instead of that of this process."""
    _measures.append(measure)
    try:
        yield
    finally:
        _measures.remove(measure)


def _usage() -> Usage:
    """The current usage."""
    from solver.system import resources  # loads psutil, which is slow to import

    return _measures[-1]() if _measures else Usage(resources.used())


class Progress(Protocol):
    """A function that is called regularly with the progress of a task."""

    def __call__(self, task: str, done: int, total: int | None, ply: int | None = None, /) -> None:
        """Report that `done` of `total` states of `task` are done, at `ply`; None if unknown."""


def no_progress(task: str, done: int, total: int | None, ply: int | None = None) -> None:
    """Do nothing: the default `Progress`."""


def reported(
    progress: Progress,
    task: str,
    items: Iterable[Item],
    total: int | None,
    states: Callable[[Item], int] = lambda item: 1,
) -> Iterator[Item]:
    """The items; the progress is reported after each, which counts as `states(item)` states."""
    done = 0
    for item in items:
        yield item
        done += states(item)
        progress(task, done, total)


@contextmanager
def waiting(progress: Progress, task: str) -> Iterator[None]:
    """Report every second of the block that a task of unknown progress is running."""
    if progress is no_progress:
        yield
        return
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


def say(sentence: str) -> None:
    """Print a sentence on stderr; on a terminal, above any bar and wrapped between words."""
    if not sys.stderr.isatty():
        print(sentence, file=sys.stderr)
        return
    from tqdm import tqdm

    lines = wrap(sentence, get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
    with tqdm.external_write_mode(bare(sys.stderr)):
        print(*lines, sep="\n", file=sys.stderr)


_listeners: list[Callable[[str], object]] = []


@contextmanager
def remarks_by(listener: Callable[[str], object]) -> Iterator[None]:
    """Pass the remarks made in the block to `listener`, each sentence once."""
    _listeners.append(cache(listener))
    try:
        yield
    finally:
        _listeners.pop()


def remark(sentence: str) -> None:
    """Pass a remark, on why work is slow and how to speed it up, to the listener, if any."""
    for listener in _listeners[-1:]:
        listener(sentence)


BAR = "{desc} |{bar}| {n_fmt}/{total_fmt}{postfix}"
"""The line of a task whose total is known; in 80 columns there is room for a bar."""

COUNT, WAIT = "{desc}: {n_fmt}{unit}, {rate_fmt}{postfix}", "{desc}, {elapsed}{postfix}"
"""The lines of a task whose total is unknown, and of a task whose progress is unknown, too."""


@contextmanager
def terminal_progress(unit: str = "states", shares: Mapping[str, float] = {}) -> Iterator[Progress]:
    """A `Progress` that draws a bar for each task on stderr; nothing if stderr is no terminal.

    `unit` is the noun for what is counted. For work that proceeds ply by ply, the bar shows the ply and the
    memory in use. `shares` has the tasks of long work, in order, with the share of the time that each takes;
    the bar then shows the time left for all of them.
    """
    if not sys.stderr.isatty():
        yield no_progress
        return
    from tqdm import tqdm

    bars, began = dict[str, Any](), monotonic()
    next_look, end = 0.0, None

    def progress(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        nonlocal next_look, end
        shape = BAR if total else COUNT if done else WAIT
        if task not in bars or not _goes_on(bars[task].n, bars[task].total, done, total):
            _close(bars)
            next_look, end = 0.0, end if shares else None
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
                bar_format=shape,
                smoothing=0.05,  # as layers differ, the time left is estimated from the last few
            )
        bar = bars[task]
        bar.n, bar.total, bar.bar_format = done, total, shape
        if (now := monotonic()) >= next_look:
            left = _seconds_left(task, shares, bar.format_dict)
            next_look, end = now + bar.mininterval, end if left is None else now + left
            shown = [] if end is None else [f"{bar.format_interval(max(0, end - now))} left"]
            if ply is not None:
                bar.set_description_str(f"{task}, ply {ply}", refresh=False)
                memory, count = _usage()
                workers = "" if count is None else f"{count} worker{'s' * (count != 1)}, up to "
                shown.append(f"{workers}{memory / 1e6:,.0f} MB")
            bar.set_postfix_str(", ".join(shown), refresh=False)
        bar.update(0)

    try:
        yield progress
    finally:
        _close(bars)


def _seconds_left(task: str, shares: Mapping[str, float], bar: Mapping[str, Any]) -> float | None:
    """The seconds left for a task and all later ones, by the speed of its bar; None if unknown."""
    shares = shares or {task: 1}
    if task not in shares or not bar["total"]:
        return None
    speed = bar["rate"] or (bar["elapsed"] and (bar["n"] - bar["initial"]) / bar["elapsed"])
    later = sum([*shares.values()][[*shares].index(task) + 1 :]) / shares[task]
    return (bar["total"] * (1 + later) - bar["n"]) / speed if speed else None


@contextmanager
def json_progress() -> Iterator[Progress]:
    """A `Progress` that writes JSON to stderr, an object per line: at each new task or ply and every second.

    The keys are `task`, `ply`, `done` and `total` (states; a total may be an estimate, which changes),
    `seconds` since the task began, `per_second`, `memory` (bytes) and `seconds_left`; unknown values are
    null. With a cluster, `workers` is the number of workers, and `memory` that of the largest.
    """
    starts: dict[str, tuple[float, int]] = {}
    reached: dict[str, tuple[int, int | None]] = {}
    last_reported: tuple[str, int | None] | None = None
    last = 0.0

    def progress(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        nonlocal last_reported, last
        now = monotonic()
        if task not in starts or not _goes_on(*reached[task], done, total):
            starts[task] = now, done
        began, before = starts[task]
        reached[task] = done, total
        if last_reported == (task, ply) and now - last < PATIENCE and done != total:
            return
        last_reported, last = (task, ply), now
        seconds = now - began
        speed = (done - before) / seconds if seconds > 0 and done > before else None
        usage = _usage()
        line = {
            "task": task,
            "ply": ply,
            "done": done,
            "total": total,
            "seconds": round(seconds, 3),
            "per_second": None if speed is None else round(speed),
            "memory": usage.memory,
            **({} if usage.workers is None else {"workers": usage.workers}),
            "seconds_left": None if speed is None or total is None else round((total - done) / speed, 1),
        }
        print(json.dumps(line), file=sys.stderr, flush=True)

    yield progress


def _goes_on(before: int, total_before: int | None, done: int, total: int | None) -> bool:
    """Whether a report continues a run: not if fewer states are done than before, or the run was finished."""
    return before <= done and (total == total_before or before != total_before)


def _close(bars: dict[str, Any]) -> None:
    while bars:
        bars.popitem()[1].close()
