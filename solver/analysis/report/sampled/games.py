"""Games played by chance in a large packed game: all moves of all games in one array, ply by ply."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from solver.analysis.packed_moves import PackedMoves
from solver.analysis.report.choices import best_moves
from solver.analysis.report.ends import UNFINISHED, Ends
from solver.game import ENDLESS
from solver.rules.arrays import Keys

Step: TypeAlias = Callable[[Keys, np.random.Generator], Keys]
"""From states in which play goes on to one after each."""


def played_from(
    moves: PackedMoves, states: Keys, step: Step, longest: int, generator: np.random.Generator
) -> Ends:
    """The ends of one game from each of some states, by moves that `step` makes; given up after `longest`."""
    found = Ends(exact=False)
    for plies in range(longest + 1):
        over = moves.rules.terminal(states)
        ends = np.unique(moves.rules.utilities(states[over]), return_counts=True)
        for utility, count in zip(*ends, strict=True):
            found.add(int(utility), plies, int(count))
        states = states[~over]
        if not len(states):
            return found
        states = step(states, generator)
    found.add(UNFINISHED, longest, len(states))
    return found


def any_move(moves: PackedMoves) -> Step:
    """The step of random play, in which all moves have equal chances."""

    def step(states: Keys, generator: np.random.Generator) -> Keys:
        parts = [_chosen(parents, children, generator) for parents, children in moves.every_move(states)]
        return np.concatenate(parts)

    return step


def best_move(moves: PackedMoves) -> Step:
    """The step of perfect play, in which all best moves have equal chances."""
    level = ENDLESS[moves.db.endless]

    def step(states: Keys, generator: np.random.Generator) -> Keys:
        distinct, places = np.unique(states, return_inverse=True)
        found, labels = moves.moves(distinct), moves.db.lookup(distinct, best=False)
        at = found.parents
        best = best_moves(labels.value[at], labels.remoteness[at], found.values, found.remoteness, level)
        parents, children = found.parents[best], found.children[best]
        numbers = np.bincount(parents, minlength=len(distinct))
        begins = np.cumsum(numbers) - numbers
        return children[_one_of(begins[places], numbers[places], generator)]

    return step


def _chosen(parents: Keys, children: Keys, generator: np.random.Generator) -> Keys:
    """One child of each parent; moves are in ascending order of parents, each of which has one."""
    begins = np.flatnonzero(np.diff(parents, prepend=-1))
    return children[_one_of(begins, np.diff(begins, append=len(parents)), generator)]


def _one_of(begins: Keys, numbers: Keys, generator: np.random.Generator) -> Keys:
    """One of so many indices from each begin on."""
    return begins + (generator.random(len(begins)) * numbers).astype(np.int64)
