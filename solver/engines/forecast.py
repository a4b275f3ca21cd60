"""Forecast of disk space and time of a large solve, from its number of states.

The number is a published count (`counts.toml` beside this module), or the bound that the rules give.
"""

import shutil
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from solver.engines.memory import LOOSEST_BOUND, PERCENT_FOR_STATES, memory_for_files, size
from solver.errors import TooLarge
from solver.game import AnyGame
from solver.packed import STATE_BITS
from solver.rules.asking import bound_of
from solver.rules.folding import Folding
from solver.rules.loading import game_name, game_parameters
from solver.system import resources
from solver.system.words import in_digits

COUNTED_HERE = "this program"
"""The source of the number of states that were found to choose an engine."""


@dataclass(frozen=True)
class Count:
    """The number of states, or classes of states, that a solve will find, or an upper bound on it."""

    states: int
    source: str | None
    """The author and the publication of the count, or `COUNTED_HERE`; None for the rules' bound."""


@cache
def published_counts() -> dict[str, Any]:
    """The tables of `counts.toml`, by the names of games."""
    return tomllib.loads(Path(__file__).with_name("counts.toml").read_text("utf-8"))


def known_count(folding: Folding) -> Count | None:
    """The published count of classes of states reachable from the initial states; None if there is none.

    If only states were counted, it is their number divided by the size of most classes: a little too low, as
    some states are symmetric to themselves.
    """
    table, game = published_counts().get(game_name(folding.game), {}), folding.game
    states = _of(table.get("states", ()), game)
    classes = _of(table.get(f"classes_of_{folding.size}", ()), game)
    if classes is None and states is not None:
        classes = states // folding.size
    return None if classes is None else Count(classes, table["source"])


def expected_count(folding: Folding) -> Count | None:
    """The count by `known_count`, or else the rules' bound; None if there is neither."""
    count = known_count(folding)
    if count is None and (bound := bound_of(folding.game)) is not None:
        return Count(bound // folding.size, None)
    return count


def _of(rows: list[list[int]], game: AnyGame) -> int | None:
    """The count in the row with the parameters of `game`; None if there is no such row."""
    parameters = list(game_parameters(game).values())
    return next((count for *of, count in rows if of == parameters), None)


@dataclass(frozen=True)
class Costs:
    """The costs of an engine for each state or class, as measured on two cores; see docs/speed.md."""

    memory_bytes: int = 0
    """Bytes of memory; 0 if the engine adapts to the memory that there is."""
    work_bytes: float = 0
    """Bytes of the work folder; 0 if the engine has none."""
    file_bytes: float = 0
    """Bytes of the database; 0 if they depend on the game."""
    states_per_second: int = 0
    """0 if it depends on the rules."""


GRAPH = Costs(memory_bytes=2000)
"""The costs of the graph engine, until the database is finished, rounded up; see tests/benchmarks."""

ARRAYS = Costs(memory_bytes=200)
"""The costs of the arrays engine in memory, state objects included; see tests/benchmarks."""

LAYERS = Costs(work_bytes=1.0, file_bytes=0.4, states_per_second=10_000_000)
"""The costs of the layers engine."""

LOOPS = Costs(work_bytes=100, file_bytes=0.7, states_per_second=400_000)
"""The costs of the arrays engine in files, if its largest stage does not fit into memory.

That is 9 to 16 bytes for each of six moves, and some more.
"""


def fits(states: int, costs: Costs, memory: int | None) -> bool:
    """Whether this many states, while they are found, leave enough memory to label and write them."""
    return states * costs.memory_bytes * 100 <= resources.room(memory) * PERCENT_FOR_STATES


@dataclass(frozen=True)
class Forecast:
    """An estimate of the needs of a solve, or an upper bound on them."""

    states: int
    """The number of states, or of classes in a folded solve."""
    costs: Costs
    free: int
    """Free bytes on the disk."""
    memory: int = 0
    """Bytes of memory that the solve may take."""
    done: int = 0
    """Bytes that the work folder has already."""
    source: str | None = None
    """The source of the number of states; None if it is the rules' bound."""
    fold: bool = False
    """Whether classes of symmetric states are counted."""

    @property
    def room(self) -> int:
        """Bytes that the work folder can take in total."""
        return self.free + self.done

    @property
    def work_bytes(self) -> float:
        """Bytes of the work folder at its largest."""
        return self.states * self.costs.work_bytes

    def __str__(self) -> str:
        up_to = "up to" if self.source is None else "about"
        return f"{self._counted}: {up_to} {self._disk}, {self._time}{self._warning}"

    def rows(self) -> dict[str, str]:
        """The forecast as rows for a user, as far as it is known."""
        costs = self.costs
        rows = {"size": self._counted, "memory": f"{size(self.memory)} are free"}
        if costs.memory_bytes:
            rows["memory"] = f"about {size(self.states * costs.memory_bytes)} ({rows['memory']})"
        if costs.work_bytes:
            disk = self._disk.replace(" of disk", "")
            rows |= {"disk": f"{disk}{self._warning}", "time": self._time}
        return rows

    def as_dict(self) -> dict[str, object]:
        """The forecast as numbers of bytes and seconds, each None if it is unknown."""
        costs, rate = self.costs, self.costs.states_per_second
        return {
            "states": self.states,
            "counted_by": self.source,
            "folded": self.fold,
            "memory": round(self.states * costs.memory_bytes) or None,
            "memory_free": self.memory,
            "work": round(self.work_bytes) or None,
            "database": round(self.states * costs.file_bytes) or None,
            "disk_free": self.free,
            "seconds": round(self.states / rate) if rate else None,
        }

    @property
    def _counted(self) -> str:
        counted = "classes of symmetric states" if self.fold else "states"
        if self.source == COUNTED_HERE:
            return f"{self.states:,} {counted}"
        if self.source is None:
            return f"at most {in_digits(self.states)} {counted}"
        return f"about {self.states:,} {counted} (counted by {self.source})"

    @property
    def _disk(self) -> str:
        done = f"{size(self.done)} are there already, " if self.done else ""
        return (
            f"{size(self.work_bytes)} of disk for the work ({done}{size(self.free)} are free), "
            f"{size(self.states * self.costs.file_bytes)} for the database"
        )

    @property
    def _time(self) -> str:
        seconds = self.states / self.costs.states_per_second
        unit, name = (3600, "hours") if seconds >= 7200 else (60, "minutes") if seconds >= 120 else (1, "s")
        return f"{max(1, seconds / unit):,.0f} {name} at {self.costs.states_per_second:,} a second"

    @property
    def _warning(self) -> str:
        return "" if self.work_bytes < self.room else "; it stops before the disk is full"


def forecast(
    count: Count | None, work_folder: Path, costs: Costs, memory: int | None = None, *, fold: bool
) -> Forecast | None:
    """The forecast for a count of states with this work folder and limit of memory; None without a count.

    The bytes in the work folder count as done, even those of another solve: they are deleted, or the solve is
    refused. Raises `TooLarge` if the engine works in files and has too little memory.
    """
    if costs.work_bytes:
        memory_for_files(memory)
    if count is None:
        return None
    free = shutil.disk_usage(work_folder.parent).free
    done = sum(file.stat().st_size for file in work_folder.glob("*"))
    states = min(count.states, 1 << STATE_BITS) if costs.work_bytes else count.states  # packed in files
    room = min(resources.room(memory), resources.available())
    return Forecast(states, costs, free, room, done, count.source, fold)


def refuse_hopeless(expected: Forecast | None) -> None:
    """Raise `TooLarge` if the disk cannot hold the work, even if a bound is as loose as `LOOSEST_BOUND`."""
    if expected is None:
        return
    if expected.work_bytes > expected.room * (LOOSEST_BOUND if expected.source is None else 1):
        raise TooLarge(
            f"this is too much for the disk: {expected}; choose smaller parameters or --start later"
        )
