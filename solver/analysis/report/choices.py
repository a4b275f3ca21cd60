"""Choices: positions in which play goes on, with the value of each move, as arrays.

positions    0    1    2          values +1   0   0       what the mover can reach at best
parents      0    0    1    2   2
outcomes    +1    0    0    0  -1                         what each move gets: two of them lose something
ends        +1    0    0    0   0                         the utility where the move ends play, else 0
replies     +1   -1    0    0  -1                         the same if it is seen one ply further
"""

from typing import NamedTuple

import numpy as np

from solver.rules.arrays import Flags, Keys


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
