"""What a solve by layers will need, as far as the rules can tell beforehand."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from solver.errors import TooLarge
from solver.game import AnyGame
from solver.rules.asking import bound_of, symmetries_of

WORK_BYTES = 1.4
"""Of the disk for each state while it works; see docs/speed.md."""

FILE_BYTES = 0.6
"""Of the database for each state."""

STATES_PER_SECOND = 10_000_000
"""On two cores."""

LOOSEST_BOUND = 10
"""How many times as many states as there are a game may name for a bound; Connect Four names 6 times."""


@dataclass(frozen=True)
class Forecast:
    """The most that a solve can need."""

    states: int
    free: int
    """Bytes that the disk has left."""
    done: int = 0
    """Bytes of the work that are on it already."""

    @property
    def room(self) -> int:
        """Bytes of the disk that the work can take in all."""
        return self.free + self.done

    @property
    def hopeless(self) -> bool:
        """Whether the disk cannot hold the work, even if there are far fewer states than the bound."""
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
    """What a solve of `game` with its work in `folder` needs at most; None where the rules cannot tell.

    So many bytes of the work are `done`; the work of another solve makes room as well, or is in the way.
    """
    bound = bound_of(game)
    if bound is None:
        return None
    classes = 1 + len(symmetries_of(game)) if fold else 1
    return Forecast(bound // classes, shutil.disk_usage(folder).free, done)


def refuse_hopeless(expected: Forecast | None) -> None:
    """Raise `TooLarge` where there is no hope."""
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
