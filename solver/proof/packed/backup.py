"""Backs up labels from children to parents, and reports stored labels that differ."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from solver.database.packed.label_code import LabelCode
from solver.proof.packed.blocks import LabelledStates
from solver.proof.packed.rules import EXAMPLES, CheckedRules, Places
from solver.rules.arrays import Flags, Keys, Labels


class Backup(NamedTuple):
    """States, and the best label that was backed up from their children so far."""

    keys: Keys
    labels: Labels
    """The stored label of each state."""
    sign: Labels
    """-1 if the second player is to move, otherwise 1."""
    best: Labels
    """The greatest sign * label of the children looked up; the least integer of the dtype if none were."""
    known: Flags
    """Whether all children looked up so far were found; if not, `best` is meaningless."""

    @classmethod
    def none(cls, states: LabelledStates, movers: Keys) -> "Backup":
        """The states with no children looked up yet."""
        dtype = states.labels.dtype
        best = np.full_like(states.labels, np.iinfo(dtype).min)
        return cls(*states, (1 - 2 * movers).astype(dtype), best, np.ones(len(best), np.bool_))

    def selected(self, chosen: Flags) -> "Backup":
        """The backup of the chosen states alone."""
        return Backup._make(part[chosen] for part in self)

    def relax(self, parents: Places, labels: Labels) -> None:
        """Update `parents` by the label of one child of each."""
        np.maximum.at(self.best, parents, labels * self.sign[parents])

    def miss(self, parents: Places) -> None:
        """Record that a child of each of the `parents` was not found, whatever label was backed up for it."""
        self.known[parents] = False

    @property
    def childless(self) -> Flags:
        """Whether each state has no children: none was looked up."""
        childless: Flags = self.best == np.iinfo(self.best.dtype).min
        return childless


def missing_children(rules: CheckedRules, ply: int, parents: Keys, children: Keys) -> Iterator[str]:
    """Yield the moves to states that are not in the file, at most `EXAMPLES` of them."""
    for parent, child in islice(zip(parents.tolist(), children.tolist(), strict=True), EXAMPLES):
        missing = rules.named(child, ply + 1)
        yield f"{rules.named(parent, ply)}: it has a move to {missing}, which is not there"


def mislabelled(rules: CheckedRules, code: LabelCode, ply: int, backup: Backup) -> Iterator[str]:
    """Yield states without a move, and states with another label than follows from their children.

    A state has no remoteness only if its best child has none.
    """
    stuck = "play goes on, but there is no move"
    yield from rules.each_wrong(backup.keys, ply, backup.childless, stuck)
    best = backup.best * backup.sign
    labels = code.before(best)
    differs = (labels != backup.labels) | ((backup.labels == 0) != (best == 0))
    wrong = np.flatnonzero(differs & backup.known & ~backup.childless)[:EXAMPLES]
    for key, label, right in zip(
        *(part[wrong].tolist() for part in (backup.keys, backup.labels, labels)), strict=True
    ):
        stored, follows = _in_words(code, label, ply), _in_words(code, right, ply)
        yield f"{rules.named(key, ply)}: it should have {follows}, not {stored}"


def _in_words(code: LabelCode, label: int, ply: int) -> str:
    plies = code.plies_left(label, ply)
    remoteness = "no remoteness" if plies is None else f"a remoteness of {plies}"
    return f"the value {code.value(label)} and {remoteness}"
