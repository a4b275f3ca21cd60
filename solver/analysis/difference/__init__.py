"""The difference of two solved games: the positions whose value or remoteness is not the same in both."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.analysis.difference.pairing import Paired, paired, refuse_strangers
from solver.database import Database
from solver.database.columns import MISSING
from solver.errors import NothingInCommon
from solver.game import outcome_sign
from solver.rules.arrays import Flags
from solver.rules.notation import write_position
from solver.system.progress import Progress, no_progress


class Kind(NamedTuple):
    """The key by which positions that are in both files are counted."""

    ply: int | None
    """Plies since a start; None where ways of different length lead there."""
    values: tuple[int, int]
    """The minimax values in A and in B, for the first player."""
    as_soon: bool
    """Whether their remoteness is the same in both."""


CHANGES: dict[str, Callable[[Kind], bool]] = {
    "value": lambda kind: kind.values[0] != kind.values[1],
    "outcome": lambda kind: outcome_sign(kind.values[0]) != outcome_sign(kind.values[1]),
    "remoteness": lambda kind: kind.values[0] == kind.values[1] and not kind.as_soon,
}
"""The kinds of changes: of the value; of the outcome; of the remoteness alone, the value being kept."""


@dataclass(frozen=True)
class Difference:
    """The difference of two solved games, A and B.

    Positions stand for their orbits if both files are folded.
    """

    common: Counter[Kind]
    """The number of positions of each kind that are in both."""
    only: tuple[Counter[int | None], Counter[int | None]]
    """The number of positions, by ply, that are in A alone, and in B alone."""
    other_value: Sequence[str]
    """The first of the positions whose value changes, by ply and then in the order of the file."""
    other_remoteness: Sequence[str]
    """The first of those that keep their value, but not their remoteness."""
    first_only: tuple[Sequence[str], Sequence[str]]
    """The first of the positions that are in A alone, and in B alone."""

    @property
    def same(self) -> bool:
        """Whether both have the same positions, of the same value and remoteness."""
        return not any((self.count("value"), self.count("remoteness"), *map(Counter.total, self.only)))

    @property
    def plies(self) -> list[int | None]:
        """All plies at which there are positions, in ascending order, None the last."""
        found = {kind.ply for kind in self.common}.union(*self.only)
        return sorted(found, key=lambda ply: (ply is None, ply or 0))

    def count(self, change: str) -> int:
        """The number of positions with this change, one of `CHANGES`."""
        return sum(number for kind, number in self.common.items() if CHANGES[change](kind))

    def at(self, ply: int | None) -> "Difference":
        """The counts at one ply alone, without positions."""
        kinds = Counter({kind: number for kind, number in self.common.items() if kind.ply == ply})
        ones, others = (Counter({ply: only[ply]}) for only in self.only)
        return Difference(kinds, (ones, others), (), (), ((), ()))


def difference(a: Database, b: Database, limit: int = 0, *, progress: Progress = no_progress) -> Difference:
    """The difference of the games of `a` and `b`, with the first `limit` positions of each kind.

    Two positions are the same if both games write them as the same text; see
    `solver.analysis.difference.pairing`. Raises `NothingInCommon` if no position is in both.
    """
    refuse_strangers(a, b)
    one, other = finer_first(a, b)
    swapped = one is not a
    forth = _seen(one, other, limit, progress, "comparing")
    back = _seen(other, one, limit, progress, "comparing back")
    if not forth.common:
        raise NothingInCommon(
            f"{a.path} and {b.path} have no position in common: compare games on the same board"
        )
    in_a, in_b = (back, forth) if swapped else (forth, back)
    return Difference(
        Counter({_kind(*key, swapped=swapped): number for key, number in forth.common.items()}),
        (_by_ply(in_a.only), _by_ply(in_b.only)),
        forth.first["value"],
        forth.first["remoteness"],
        (in_a.first["only"], in_b.first["only"]),
    )


def finer_first(a: Database, b: Database) -> tuple[Database, Database]:
    """The file with smaller classes, the positions of which are counted, and the other one.

    All that the first has is in the other, if both are of the same game.
    """
    return (b, a) if (a.folded, a.exchanged) > (b.folded, b.exchanged) else (a, b)


class _OneSide:
    """The counts of the positions of one file, compared with the other."""

    def __init__(self, db: Database, limit: int) -> None:
        """Begin without positions; keep the first `limit` of each kind."""
        self.db, self.limit = db, limit
        self.common = Counter[tuple[int, int, int, bool]]()
        """The number of positions in both, by ply, value here and there, and equality of remoteness."""
        self.only = Counter[int]()
        """The number of positions in this file alone, by ply."""
        self.first: dict[str, list[str]] = {"value": [], "remoteness": [], "only": []}

    def add(self, pairs: Paired) -> None:
        """Count the pairs, and keep the first positions of each kind."""
        as_soon = pairs.remoteness == pairs.other_remoteness
        same_value = pairs.values == pairs.other_values
        columns = (pairs.plies, pairs.values, pairs.other_values, as_soon)
        self.common.update(zip(*(column[pairs.present].tolist() for column in columns), strict=True))
        self.only.update(pairs.plies[~pairs.present].tolist())
        self._keep("only", pairs, ~pairs.present)
        self._keep("value", pairs, pairs.present & ~same_value)
        self._keep("remoteness", pairs, pairs.present & same_value & ~as_soon)

    def _keep(self, kind: str, pairs: Paired, rows: Flags) -> None:
        first = self.first[kind]
        for at in np.flatnonzero(rows)[: self.limit - len(first)].tolist():
            name = pairs.names[at]
            first.append(name if isinstance(name, str) else write_position(self.db.game, int(name)))


def _seen(one: Database, other: Database, limit: int, progress: Progress, task: str) -> _OneSide:
    """The counts of all positions of `one`, compared with `other`."""
    seen, done = _OneSide(one, limit), 0
    for pairs in paired(one, other):
        seen.add(pairs)
        done += len(pairs.plies)
        progress(task, done, one.number("states"))
    return seen


def _by_ply(counts: Counter[int]) -> Counter[int | None]:
    return Counter({_ply(ply): number for ply, number in counts.items()})


def _kind(ply: int, here: int, there: int, as_soon: bool, *, swapped: bool) -> Kind:
    return Kind(_ply(ply), (there, here) if swapped else (here, there), as_soon)


def _ply(number: int) -> int | None:
    return None if number == MISSING else number
