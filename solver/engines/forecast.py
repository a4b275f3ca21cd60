"""Forecast of disk space and time of a layered solve, from the rules' bound on the number of states."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from solver.engines.memory import LOOSEST_BOUND
from solver.errors import TooLarge
from solver.game import AnyGame
from solver.rules.asking import bound_of, symmetries_of

WORK_BYTES = 1.4
"""Bytes of the work folder for each state; see docs/speed.md."""

FILE_BYTES = 0.6
"""Bytes of the database for each state."""

STATES_PER_SECOND = 10_000_000
"""On two cores."""


@dataclass(frozen=True)
class Forecast:
    """An upper bound of what a solve needs."""

    states: int
    free: int
    """Free bytes of the disk."""
    done: int = 0
    """Bytes of the work folder that are there already."""

    @property
    def room(self) -> int:
        """Bytes that the work folder can take in all."""
        return self.free + self.done

    @property
    def hopeless(self) -> bool:
        """Whether the disk cannot hold the work folder, even if the bound is as loose as `LOOSEST_BOUND`."""
        return self.states * WORK_BYTES > self.room * LOOSEST_BOUND

    def __str__(self) -> str:
        """The forecast as a sentence."""
        warning = "" if self.states * WORK_BYTES < self.room else "; it stops before the disk is full"
        done = f"{_size(self.done)} are there already, " if self.done else ""
        minutes = self.states / STATES_PER_SECOND / 60
        time = "a minute" if minutes <= 1 else f"{minutes:,.0f} minutes"
        return (
            f"at most {self.states:,} states: up to {_size(self.states * WORK_BYTES)} of disk for the work "
            f"({done}{_size(self.free)} are free), {_size(self.states * FILE_BYTES)} for the database, "
            f"{time} at {STATES_PER_SECOND:,} a second{warning}"
        )


def forecast(game: AnyGame, folder: Path, *, fold: bool, done: int = 0) -> Forecast | None:
    """The forecast for `game` with a work folder in `folder`; None if the rules give no bound.

    `done` is the number of bytes in the work folder. Those of another solve's work count as well: they are
    deleted, or the solve is refused.
    """
    bound = bound_of(game)
    if bound is None:
        return None
    classes = 1 + len(symmetries_of(game)) if fold else 1
    return Forecast(bound // classes, shutil.disk_usage(folder).free, done)


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
