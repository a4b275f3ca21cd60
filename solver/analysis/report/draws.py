"""Drawn ends versus endless play: whether best play ends from positions without a remoteness.

In a game that fits into memory, all positions are classified. In a larger game, best play from a sample is
followed up to a limit; from a position beyond the limit, shown as ?, play may end or not:

    a -> end               ends          b -> b              endless
    c -> end, c -> c       either        d -> end, d -> ?    unknown;   e -> e, e -> end, e -> ?   either
"""

from typing import Any, NamedTuple

import numpy as np

from solver.analysis.packed_moves import PackedMoves
from solver.analysis.report.figures import Figure, as_dicts, percent, share
from solver.database.backwards import leading_to
from solver.database.columns import WholeGame
from solver.rules.arrays import Flags, Keys, distinct, fold


class Draws(NamedTuple):
    """The numbers of non-terminal positions without a remoteness, by whether best play from them ends."""

    ends: int
    """Best play always ends, with a draw unless endless play is won."""
    either: int
    """Best play can end or go on for ever."""
    endless: int
    """Best play never ends."""
    unknown: int = 0
    """Best play leads to too many positions to decide."""
    exact: bool = True
    """Whether all such positions were classified, not a sample."""

    @property
    def asked(self) -> int:
        """The number of classified positions, including unknown ones."""
        return sum(self[:4])

    def figures(self) -> dict[str, Figure | None]:
        """The share of each kind among the classified positions."""
        numbers = zip(self._fields, self[:4], strict=False)
        return {name: share(number, self.asked, exact=self.exact) for name, number in numbers}

    def as_dict(self) -> dict[str, Any]:
        """The numbers and their shares for JSON."""
        shares = self.figures()
        numbers = dict(zip(shares, self, strict=False))
        return {**numbers, "asked": self.asked, "exact": self.exact, "shares": as_dicts(shares)}

    def in_words(self, noun: str) -> str:
        """The numbers, or their shares in a sample, in words; of positions, or of what `noun` says."""
        if self.exact:
            drawn, numbers = "", [f"{number:,}" for number in self[:4]]
        else:
            drawn = f", of which {self.asked:,} were sampled"
            numbers = [percent(figure) for figure in self.figures().values()]
        ends, either, endless, unknown = numbers
        words = (
            f"{noun.capitalize()} without a remoteness{drawn}: best play always ends from {ends}, "
            f"may end or go on for ever from {either}, and never ends from {endless}."
        )
        return (
            f"{words} From {unknown} it leads to too many {noun} to decide this." if self.unknown else words
        )


def best_moves(values: Keys, remoteness: Keys, outcomes: Keys, distances: Keys, endless_value: int) -> Flags:
    """Which moves are best, given the value and remoteness before each move, and those after it.

    See `solver.rules.labels`: best moves preserve the value and the remoteness, -1 where nobody hurries.
    """
    nobody = (distances < 0) | ((outcomes == 0) & (endless_value == 0))
    best: Flags = (values == outcomes) & (remoteness == np.where(nobody, -1, distances + 1))
    return best


def draws_in(best: WholeGame) -> Draws:
    """The classification of all positions without a remoteness; `best` has only best moves."""
    open_ = (best.remoteness < 0) & ~best.over
    return endings_of(open_, best.parents, best.children, best.over, np.full(len(best), False))


def endings_of(asked: Flags, parents: Keys, children: Keys, over: Flags, beyond: Flags) -> Draws:
    """The classification of the positions `asked`, by the best moves from all positions.

    Moves lead from `parents` to `children`; the moves from positions `beyond` are not known.
    """
    loops = np.flatnonzero(beyond)  # treated as if play could stay there for ever
    before, after = np.concatenate([parents, loops]), np.concatenate([children, loops])
    ends = asked & leading_to(before, after, over, all_play=True)
    endless = asked & ~leading_to(before, after, over | beyond)
    goes_on = ~leading_to(before, after, over | beyond, all_play=True) if loops.size else ~ends
    either = asked & ~ends & goes_on & leading_to(before, after, over)
    numbers = (int(ends.sum()), int(either.sum()), int(endless.sum()))
    return Draws(*numbers, unknown=int(asked.sum()) - sum(numbers))


MAX_FOLLOWED = 1 << 19
"""The most positions whose best moves are looked up; the moves of further ones are not known."""


def draws_from(moves: PackedMoves, roots: Keys, most: int = MAX_FOLLOWED) -> Draws:
    """The classification of `roots`: distinct stored states, non-terminal and without a remoteness."""
    frontier = followed = np.sort(roots)
    befores, afters, ends = list[Keys](), list[Keys](), list[Keys]()
    while True:
        parents, children, ended = best_after(moves, frontier)
        after = fold(moves.db.folding, children).states
        befores.append(frontier[parents])
        afters.append(after)
        ends.append(after[ended])
        frontier = np.setdiff1d(distinct(after[~ended]), followed, assume_unique=True)
        if not len(frontier) or len(followed) + len(frontier) > most:
            break
        followed = distinct(np.concatenate([followed, frontier]))
    keys = distinct(np.concatenate([followed, *afters]))
    parents, children = (keys.searchsorted(np.concatenate(parts)) for parts in (befores, afters))
    over: Flags = np.isin(keys, distinct(np.concatenate(ends)))
    beyond: Flags = ~over & ~np.isin(keys, followed)
    return endings_of(np.isin(keys, roots), parents, children, over, beyond)._replace(exact=False)


def best_after(moves: PackedMoves, states: Keys) -> tuple[Keys, Keys, Flags]:
    """The index of the state before each best move, the state after it, and whether that is terminal."""
    after, labels = moves.moves(states), moves.db.lookup(states, best=False)
    at, endless = after.parents, moves.db.endless_value
    best = best_moves(labels.value[at], labels.remoteness[at], after.values, after.remoteness, endless)
    return at[best], after.children[best], after.over[best]
