"""Forecast of disk space and time of a large solve, from its number of states: published, or a bound."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from solver.engines.counts import expected_count
from solver.engines.memory import LOOSEST_BOUND
from solver.errors import TooLarge
from solver.game import AnyGame


@dataclass(frozen=True)
class Costs:
    """The costs of an engine for each state or class, as measured on two cores; see docs/speed.md."""

    work_bytes: float
    """Bytes of the work folder."""
    file_bytes: float
    """Bytes of the database."""
    states_per_second: int


LAYERS = Costs(work_bytes=1.0, file_bytes=0.6, states_per_second=10_000_000)
"""The costs of the layers engine."""

LOOPS = Costs(work_bytes=40, file_bytes=0.8, states_per_second=400_000)
"""The costs of the arrays engine in files, if the arrays of its largest stage do not fit into memory."""


@dataclass(frozen=True)
class Forecast:
    """An estimate of what a solve needs, or an upper bound of that."""

    states: int
    """The number of states, or of classes in a folded solve."""
    costs: Costs
    free: int
    """Free bytes of the disk."""
    done: int = 0
    """Bytes of the work folder that are there already."""
    source: str | None = None
    """Who counted the states; None if their number is the rules' bound."""
    fold: bool = False
    """Whether classes of symmetric states are counted."""

    @property
    def room(self) -> int:
        """Bytes that the work folder can take in all."""
        return self.free + self.done

    @property
    def work_bytes(self) -> float:
        """Bytes of the work folder at its largest."""
        return self.states * self.costs.work_bytes

    @property
    def hopeless(self) -> bool:
        """Whether the disk cannot hold the work folder, even if a bound is as loose as `LOOSEST_BOUND`."""
        return self.work_bytes > self.room * (LOOSEST_BOUND if self.source is None else 1)

    def __str__(self) -> str:
        """The forecast as a sentence."""
        warning = "" if self.work_bytes < self.room else "; it stops before the disk is full"
        done = f"{_size(self.done)} are there already, " if self.done else ""
        seconds = self.states / self.costs.states_per_second
        time = f"{seconds / 60:,.0f} minutes" if seconds >= 120 else f"{max(1, seconds):.0f} s"
        at_most, up_to = ("at most", "up to") if self.source is None else ("about", "about")
        of = "classes of symmetric states" if self.fold else "states"
        counted = "" if self.source is None else f" (counted by {self.source})"
        return (
            f"{at_most} {self.states:,} {of}{counted}: {up_to} {_size(self.work_bytes)} of disk for the work "
            f"({done}{_size(self.free)} are free), {_size(self.states * self.costs.file_bytes)} for the "
            f"database, {time} at {self.costs.states_per_second:,} a second{warning}"
        )


def forecast(
    game: AnyGame, folder: Path, costs: Costs, *, fold: bool, exchange: bool = False, done: int = 0
) -> Forecast | None:
    """The forecast for `game` with a work folder in `folder`; None if nobody tells how many states it has.

    With `exchange` a folded class also has the states with exchanged players. `done` is the number of bytes
    in the work folder. Those of another solve's work count as well: they are deleted, or it is refused.
    """
    count = expected_count(game, fold=fold, exchange=exchange)
    if count is None:
        return None
    return Forecast(count.states, costs, shutil.disk_usage(folder).free, done, count.source, fold)


def refuse_hopeless(expected: Forecast | None) -> None:
    """Raise `TooLarge` if a forecast is hopeless."""
    if expected is not None and expected.hopeless:
        raise TooLarge(
            f"this is too much for the disk: {expected}; choose smaller parameters or --start later"
        )


def _size(count: float) -> str:
    """A number of bytes for people."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:,.0f} {unit}" if count >= 10 or unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"
