"""Choices: positions in which play goes on, with the value of each move, as arrays; what they say in sum.

    positions    0    1    2          values +1   0   0       what the mover can reach at best
    parents      0    0    1    2   2
    outcomes    +1    0    0    0  -1                         what each move gets: two of them lose something
    ends        +1    0    0    0   0                         the utility where the move ends play, else 0
    replies     +1   -1    0    0  -1                         the same if it is seen one ply further

A player who looks one ply ahead takes a move of which `ends` is the best for it, one who looks two
plies ahead one of which `replies` is; among several each has equal chances. Neither knows anything but ends.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.analysis.report.figures import Figure, mean, share
from solver.rules.arrays import Flags, Keys

LOOKERS = ("random", "one_ply", "two_plies")
"""The players: one who does not look at all, and those who look one and two plies ahead."""

MEASURES = ("moves", "forced", "one_keeps", "choice", "one_of_choice", "all_keep", *LOOKERS)
"""What is measured in each position: the number of moves, truths, and the chances that a player errs."""

TRAPS = 50
"""Positions kept in which the player who looks two plies ahead is likely to err."""

LIKELY = 0.5
"""The chance to err from which on it is likely."""


class Choices(NamedTuple):
    """Positions in which play goes on, and their moves."""

    keys: Keys
    """The states, or the ids, of the positions."""
    rows: Keys
    """The ply of each position, or where there is none its remoteness; -1 for none."""
    drawn: Flags
    """Whether it was drawn from all positions alike; others were drawn for their row alone."""
    movers: Keys
    values: Keys
    """The minimax value of each position, for the first player, as are all values here."""
    parents: Keys
    """For each move the index of the position."""
    outcomes: Keys
    """The value after each move."""
    ends: Keys
    """The utility after each move that ends play, else 0."""
    replies: Keys
    """The same for a move that ends play; else the best of such numbers that a reply gets."""


class Trap(NamedTuple):
    """A position in which the player who looks two plies ahead is likely to err."""

    row: int
    error: float
    """Its chance to lose value."""
    key: int


@dataclass
class Tally:
    """Sums over positions; sums of parts add up."""

    sums: dict[tuple[int, bool], NDArray[np.float64]] = field(default_factory=dict)
    """By row and `drawn`: the number of positions, the sum of each measure, and of its square."""
    traps: list[Trap] = field(default_factory=list)
    """The first traps by row, then the likeliest."""

    def add(self, other: "Tally") -> None:
        """Add what another part has."""
        for key, column in other.sums.items():
            self.sums[key] = self.sums[key] + column if key in self.sums else column
        traps = [*self.traps, *other.traps]
        self.traps = sorted(traps, key=lambda trap: (trap.row, -trap.error, trap.key))[:TRAPS]

    def positions(self, row: int | None = None) -> int:
        """The number of positions drawn from all alike; or of all positions of a row."""
        return int(self._column(row)[0])

    def figures(self, going_on: int, row: int | None = None) -> dict[str, Figure | None]:
        """The figures of all positions, or of those of a row, of which there are `going_on`."""
        column = self._column(row)
        number, exact = int(column[0]), int(column[0]) == going_on
        sums = dict(zip(MEASURES, column[1:].reshape(2, -1).T.tolist(), strict=True))

        def shares(*names: str) -> dict[str, Figure | None]:
            return {name: share(sums[name][0], number, sums[name][1], exact=exact) for name in names}

        return {
            "branching": mean(sums["moves"][0], sums["moves"][1], number, exact=exact),
            **shares("forced", "one_keeps", "all_keep"),
            "one_of_choice": share(sums["one_of_choice"][0], round(sums["choice"][0]), exact=exact),
            **shares(*LOOKERS),
        }

    def _column(self, row: int | None) -> NDArray[np.float64]:
        none = np.zeros(1 + 2 * len(MEASURES))
        return sum(
            (
                column
                for (at, drawn), column in sorted(self.sums.items())
                if (drawn if row is None else at == row)
            ),
            none,
        )


def tally(choices: Choices) -> Tally:
    """The sums over some positions."""
    measures = _measures(choices)
    columns = [np.ones(len(choices.rows)), *measures.values(), *(each * each for each in measures.values())]
    kinds, places = np.unique(2 * choices.rows + choices.drawn, return_inverse=True)
    sums = np.stack([np.bincount(places, column, len(kinds)) for column in columns], axis=1)
    found = Tally(
        {(int(kind) >> 1, bool(kind & 1)): column for kind, column in zip(kinds, sums, strict=True)}
    )
    errors = measures["two_plies"]
    likely = np.flatnonzero(errors >= LIKELY)
    first = likely[np.lexsort((-errors[likely], choices.rows[likely]))][:TRAPS]
    found.traps = [
        Trap(int(choices.rows[at]), float(errors[at]), int(choices.keys[at])) for at in first.tolist()
    ]
    return found


def total(parts: Iterable[Tally]) -> Tally:
    """The sums over several parts."""
    found = Tally()
    for part in parts:
        found.add(part)
    return found


def best_reply(count: int, parents: Keys, movers: Keys, ends: Keys) -> Keys:
    """For each of `count` positions the best of what its moves get, for the mover; as values of the first.

    `parents` and `ends` are of moves, `movers` of positions, each of which has a move.
    """
    signs = 1 - 2 * movers
    best = np.full(count, np.iinfo(np.int64).min)
    np.maximum.at(best, parents, ends * signs[parents])
    return best * signs


def best_moves(values: Keys, remoteness: Keys, outcomes: Keys, distances: Keys, level: int) -> Flags:
    """Which moves are best, given value and remoteness before each, and after it; `level` is endless play.

    See `solver.rules.labels`: they keep the value, and the remoteness, which is -1 where nobody hurries.
    """
    nobody = (distances < 0) | ((outcomes == 0) & (level == 0))
    best: Flags = (values == outcomes) & (remoteness == np.where(nobody, -1, distances + 1))
    return best


def _measures(choices: Choices) -> Mapping[str, NDArray[np.float64]]:
    """Each of `MEASURES` for each position."""
    count = len(choices.rows)
    moves = np.bincount(choices.parents, minlength=count)
    keeps = choices.outcomes == choices.values[choices.parents]
    good = np.bincount(choices.parents, keeps, count)
    columns: Sequence[NDArray[Any]] = (
        moves,
        moves == 1,
        good == 1,
        moves > 1,
        (good == 1) & (moves > 1),
        good == moves,
        1 - good / moves,
        _errors(choices, keeps, choices.ends),
        _errors(choices, keeps, choices.replies),
    )
    return {name: column.astype(np.float64) for name, column in zip(MEASURES, columns, strict=True)}


def _errors(choices: Choices, keeps: Flags, seen: Keys) -> NDArray[np.float64]:
    """The chance of losing value in each position, of a player who takes what looks best in `seen`."""
    count = len(choices.rows)
    best = best_reply(count, choices.parents, choices.movers, seen)
    taken = seen == best[choices.parents]
    errors: NDArray[np.float64] = 1 - np.bincount(choices.parents, taken & keeps, count) / np.bincount(
        choices.parents, taken, count
    )
    return errors
