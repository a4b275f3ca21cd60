"""Play from some positions of a large packed game, all of it in one array, ply by ply.

Games are played by chance; and best play is followed, which tells drawn ends from endless play.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from solver.analysis.packed_moves import PackedMoves
from solver.analysis.report.draws import Draws, endings_of
from solver.analysis.report.ends import one_of
from solver.analysis.report.measures import best_moves
from solver.game import ENDLESS
from solver.rules.arrays import Flags, Keys, distinct, fold

Step: TypeAlias = Callable[[Keys, np.random.Generator], Keys]
"""From states in which play goes on to one after each."""


def any_move(moves: PackedMoves) -> Step:
    """The step of random play, in which all moves have equal chances."""

    def step(states: Keys, generator: np.random.Generator) -> Keys:
        parts = []
        for parents, children in moves.every_move(states):  # by ascending parents, each with a move
            begins = np.flatnonzero(np.diff(parents, prepend=-1))
            numbers = np.diff(begins, append=len(parents))
            parts.append(children[one_of(begins, numbers, generator)])
        return np.concatenate(parts)

    return step


def best_move(moves: PackedMoves) -> Step:
    """The step of perfect play, in which all best moves have equal chances."""

    def step(states: Keys, generator: np.random.Generator) -> Keys:
        distinct, places = np.unique(states, return_inverse=True)
        parents, children, _ = _best_moves(moves, distinct)
        numbers = np.bincount(parents, minlength=len(distinct))
        begins = np.cumsum(numbers) - numbers
        return children[one_of(begins[places], numbers[places], generator)]

    return step


MAX_FOLLOWED = 1 << 19
"""Positions whose best moves are looked up; all beyond are not known."""


def draws_from(moves: PackedMoves, roots: Keys, most: int = MAX_FOLLOWED) -> Draws:
    """Whether play ends from each of these states, which are different and stored, and whose play is open."""
    frontier = followed = np.sort(roots)
    befores, afters, ends = list[Keys](), list[Keys](), list[Keys]()
    while True:
        parents, children, ended = _best_moves(moves, frontier)
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


def _best_moves(moves: PackedMoves, states: Keys) -> tuple[Keys, Keys, Flags]:
    """The index of the state before each best move, the state after it, and whether that ends play."""
    after, labels = moves.moves(states), moves.db.lookup(states, best=False)
    at, endless_value = after.parents, ENDLESS[moves.db.endless]
    best = best_moves(labels.value[at], labels.remoteness[at], after.values, after.remoteness, endless_value)
    return at[best], after.children[best], after.over[best]
