"""Where the labels of packed states are found, given the rules: one state at a time.

A state of which the rules tell the ply is looked for there first. That is a hint and no more: where it is not
found there, or nothing is told, all plies are tried. Ends are stored without a label: the rules say what they
are worth, so that the child of a state need not be looked up where it is one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.database.packed.block_reader import Blocks
from solver.database.packed.label_code import LabelForm
from solver.packed import PackedGame
from solver.rules.asking import is_over, utility_of
from solver.rules.notation import write_position
from solver.rules.symmetry import representative


@dataclass(frozen=True)
class Shelf:
    """The labels of a solved game."""

    rules: PackedGame
    form: LabelForm
    blocks: Blocks
    folded: bool
    """Whether a state stands for all that are symmetric to it."""
    plies: Sequence[int]
    """All plies, in ascending order."""
    start: int
    """The state in which play begins, the first of several."""

    def key(self, state: int) -> int:
        """The state that stands for `state`."""
        return int(representative(self.rules, state)) if self.folded else state

    def find(self, state: int) -> tuple[int, int] | None:
        """The ply and the label of a state; None where there is no such state."""
        key = self.key(state)
        is_terminal = int(is_over(self.rules, key))
        for ply in self._likely_plies(key):
            label = self.blocks.label(ply, is_terminal, key)
            if label is not None:
                return ply, self.form.of_end(utility_of(self.rules, key), ply) if is_terminal else label
        return None

    def label_of_child(self, child: int, ply: int) -> int:
        """The label of a state that a move leads to at `ply`; an error of damage where it has none."""
        if is_over(self.rules, child):
            return self.form.of_end(utility_of(self.rules, child), ply)
        label = self.blocks.label(ply, 0, self.key(child))
        if label is None:
            raise self.blocks.damage(f"no {write_position(self.rules, child)!r}")
        return label

    @cached_property
    def _told_of_start(self) -> int:
        """What the rules tell is the ply of the start."""
        return int(self.rules.ply(self.start))

    def _likely_plies(self, key: int) -> Iterator[int]:
        """All plies, the one that the rules tell first."""
        told = self.rules.ply(key)
        hint = None if told is None else told - self._told_of_start
        if hint is not None:
            yield hint
        yield from (ply for ply in self.plies if ply != hint)
