"""The moves in many states of a packed game at once, and what they lead to."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from solver.analysis.report.choices import Choices
from solver.database.packed.batch_probe import states_at
from solver.database.packed.reader import PackedDatabase
from solver.engines.array_rules.compiled_rules import rules_for
from solver.engines.array_rules.rules import Rules
from solver.rules.arrays import Flags, Keys

TRIED_AT_ONCE = 1 << 22
"""Moves, legal or not, for which there is room at a time."""


class LabelledMoves(NamedTuple):
    """The moves in some states, by state; values are for the first player."""

    parents: Keys
    """The index of the state before each move."""
    children: Keys
    """The states after them."""
    over: Flags
    """Whether each ends play."""
    values: Keys
    remoteness: Keys
    """Of the states after them, -1 for none."""


class PackedMoves:
    """Plays the moves of a packed game in arrays of states, and looks up what they lead to."""

    def __init__(self, db: PackedDatabase) -> None:
        """Ask the rules and the labels of `db`."""
        self.db = db

    @cached_property
    def rules(self) -> Rules:
        """The rules, compiled if possible."""
        return rules_for(self.db.rules)

    def every_move(self, states: Keys) -> Iterator[tuple[Keys, Keys]]:
        """The index of the state before each move and the state after it, by state, part by part.

        Play goes on in the states. Raises `BrokenRules` for one without a move.
        """
        at_once = max(1, TRIED_AT_ONCE // self.rules.action_count)
        for begin in range(0, len(states), at_once):
            part = states[begin : begin + at_once]
            children, codes = self.rules.every_child(part)
            parents = codes.astype(np.int64) >> 1
            order = np.argsort(parents, kind="stable")
            self._refuse_stuck(part, parents)
            yield parents[order] + begin, children[order]

    def moves(self, states: Keys) -> LabelledMoves:
        """The moves in states in which play goes on, each with the label of what it leads to."""
        parts = list(self.every_move(states))
        parents, children = (np.concatenate([part[at] for part in parts]) for at in (0, 1))
        over = self.rules.terminal(children)
        values, remoteness = np.zeros(len(children), np.int64), np.zeros(len(children), np.int64)
        values[over] = self.rules.utilities(children[over])
        sought, places = np.unique(children[~over], return_inverse=True)
        found = self.db.lookup(sought, best=False)
        values[~over], remoteness[~over] = found.value[places], found.remoteness[places]
        return LabelledMoves(parents, children, over, values, remoteness)

    def choices(self, ranks: Keys, drawn: Flags) -> Choices:
        """The choices in the states of ascending ranks among those in which play goes on."""
        code, batches = self.db.label_code, list(states_at(self.db.prober, self.db.sizes, ranks))
        keys = np.concatenate([each.keys for each in batches])
        plies = [(each, code.ply_of(each.stage)) for each in batches]
        rows = [
            self.db.remoteness(each) if ply is None else np.full(len(each.keys), ply) for each, ply in plies
        ]
        values = np.concatenate([code.values(each.labels) for each in batches])
        found = self.moves(keys)
        ends = np.where(found.over, found.values, 0)
        replies = self._replies(found)
        movers = self.rules.movers(keys).astype(np.int64)
        return Choices(
            keys, np.concatenate(rows), drawn, movers, values, found.parents, found.values, ends, replies
        )

    def _replies(self, found: LabelledMoves) -> Keys:
        """The utility after each move that ends play; else the best for the other that one reply gets."""
        inner, places = np.unique(found.children[~found.over], return_inverse=True)
        signs = 1 - 2 * self.rules.movers(inner).astype(np.int64)
        best = np.full(len(inner), np.iinfo(np.int64).min)
        for action in range(self.rules.action_count):
            children, codes = self.rules.children(inner, action)
            over = self.rules.terminal(children)
            gained = np.zeros(len(children), np.int64)
            gained[over] = self.rules.utilities(children[over])
            parents = codes >> 1
            best[parents] = np.maximum(best[parents], gained * signs[parents])
        replies = found.values.copy()
        replies[~found.over] = (best * signs)[places]
        return replies

    def _refuse_stuck(self, states: Keys, parents: Keys) -> None:
        """Raise `DamagedFile` for a state without a move: play does not go on there."""
        numbers = np.bincount(parents, minlength=len(states))
        for state in states[numbers == 0][:1].tolist():
            raise self.db.damage(f"there is no move in the state {state}, in which play should go on")
