"""Drawn ends told from endless play for some positions of a large file, by following best play."""

import numpy as np

from solver.analysis.packed_moves import PackedMoves
from solver.analysis.report.choices import best_moves
from solver.analysis.report.draws import Draws, told_apart
from solver.database.packed.batch_probe import keys_of
from solver.game import ENDLESS
from solver.rules.arrays import Flags, Keys, distinct

MOST_FOLLOWED = 1 << 19
"""Positions whose best moves are looked up; all beyond are not known."""


def draws_from(moves: PackedMoves, roots: Keys, most: int = MOST_FOLLOWED) -> Draws:
    """Whether play ends from each of these states, which are different and stored, and whose play is open."""
    frontier = followed = np.sort(roots)
    befores, afters, ends = list[Keys](), list[Keys](), list[Keys]()
    while True:
        before, after, ended = _best_moves(moves, frontier)
        befores.append(before)
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
    return told_apart(np.isin(keys, roots), parents, children, over, beyond)._replace(exact=False)


def _best_moves(moves: PackedMoves, states: Keys) -> tuple[Keys, Keys, Flags]:
    """The states before and after each best move, as they are stored, and whether it ends play."""
    found, labels = moves.moves(states), moves.db.lookup(states, best=False)
    at, level = found.parents, ENDLESS[moves.db.endless]
    best = best_moves(labels.value[at], labels.remoteness[at], found.values, found.remoteness, level)
    return states[at[best]], keys_of(moves.db.prober, found.children[best]), found.over[best]
