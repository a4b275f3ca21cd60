"""The moves in many states of a packed game at once, with the labels of the states after them."""

from typing import NamedTuple

import numpy as np

from solver.database import Database
from solver.database.packed.reader import PackedDatabase
from solver.engines.array_rules import rules_for
from solver.engines.array_rules.rules import Rules
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys
from solver.system.progress import remark

COMPILED_FROM = 1 << 21
"""The least number of moves, legal or not, in a file whose rules are compiled, which takes some seconds."""


def rules_of(db: Database, game: PackedGame) -> Rules:
    """The rules of a file, compiled if it is large enough; a remark says why if they cannot be compiled."""
    return rules_for(game, say=remark) if len(db) * game.action_count >= COMPILED_FROM else Rules(game)


class LabelledMoves(NamedTuple):
    """The moves in an array of states, in the order of the states; values are for the first player."""

    parents: Keys
    """The index of the state before each move."""
    children: Keys
    """The state after each move."""
    over: Flags
    """Whether each move ends play."""
    values: Keys
    """The value of the state after each move."""
    remoteness: Keys
    """The remoteness of the state after each move; -1 for none."""


class PackedMoves:
    """Plays the moves of a packed game in arrays of states, and looks up the states after them."""

    def __init__(self, db: PackedDatabase) -> None:
        self.db, self.rules = db, rules_of(db, db.rules)

    def moves(self, states: Keys) -> LabelledMoves:
        """The moves in non-terminal states, with the labels of the states after them.

        Raises `DamagedFile` for a state without a move.
        """
        children, codes = self.rules.every_child(states)
        parents = codes.astype(np.int64) >> 1
        for stuck in states[np.bincount(parents, minlength=len(states)) == 0][:1].tolist():
            raise self.db.damage(f"the non-terminal state {stuck} has no move")
        order = np.argsort(parents, kind="stable")
        parents, children = parents[order], children[order]
        over = self.rules.terminal(children)
        values, remoteness = np.zeros(len(children), np.int64), np.zeros(len(children), np.int64)
        values[over] = self.rules.utilities(children[over])
        unique, places = np.unique(children[~over], return_inverse=True)
        labels = self.db.lookup(unique, best=False)
        values[~over], remoteness[~over] = labels.value[places], labels.remoteness[places]
        return LabelledMoves(parents, children, over, values, remoteness)
