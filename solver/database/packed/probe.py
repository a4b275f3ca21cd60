"""Probes the packed layout for the label of a single state, and makes its entry.

If the rules tell the ply of a state, that ply is tried first. It is only a hint: if the state is not found
there, or no ply is told, all plies are tried. Terminal states are stored without labels, which follow from
their utilities, so a terminal child is not looked up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.database.entry import Entry, Move, Probe
from solver.database.packed.block_reader import Blocks
from solver.database.packed.label_code import LabelCode
from solver.game import outcome_of
from solver.packed import PackedGame
from solver.rules.asking import actions_of, is_over, mover_of, representative, utility_of
from solver.rules.notation import write_action, write_position


@dataclass(frozen=True)
class Prober:
    """Finds the labels of a solved game."""

    rules: PackedGame
    code: LabelCode
    blocks: Blocks
    folded: bool
    """Whether the file has canonical states alone."""
    plies: Sequence[int]
    """All plies, in ascending order."""
    start: int
    """The first state in which play begins."""

    def key(self, state: int) -> int:
        """The key under which `state` is stored: that of its canonical state if the file is folded."""
        return int(representative(self.rules, state)) if self.folded else state

    def find(self, state: int) -> tuple[int, int] | None:
        """The ply and the label of a state; None if it is not in the file."""
        key = self.key(state)
        is_terminal = int(is_over(self.rules, key))
        for ply in self._likely_plies(key):
            label = self.blocks.label(ply, is_terminal, key)
            if label is not None:
                return ply, self.code.of_end(utility_of(self.rules, key), ply) if is_terminal else label
        return None

    def label_of_child(self, child: int, ply: int) -> int:
        """The label of a state that a move leads to at `ply`; raises `DamagedFile` if it has none."""
        if is_over(self.rules, child):
            return self.code.of_end(utility_of(self.rules, child), ply)
        label = self.blocks.label(ply, 0, self.key(child))
        if label is None:
            raise self.blocks.damage(f"no {write_position(self.rules, child)!r}")
        return label

    @cached_property
    def _hint_of_start(self) -> int:
        """The ply that the rules tell of the start."""
        return int(self.rules.ply(self.start))

    def _likely_plies(self, key: int) -> Iterator[int]:
        """All plies, beginning with the one that the rules tell."""
        hinted = self.rules.ply(key)
        hint = None if hinted is None else hinted - self._hint_of_start
        if hint is not None:
            yield hint
        yield from (ply for ply in self.plies if ply != hint)


def entry_of(prober: Prober, state: int, ply: int, label: int) -> Entry:
    """The entry of a state whose label, or that of its canonical state, is given."""
    rules, code = prober.rules, prober.code
    mover, value = mover_of(rules, state), code.value(label)
    moves = tuple(_move(prober, state, action, ply, label) for action in actions_of(rules, state))
    return Entry(
        position=write_position(rules, state),
        to_move=rules.players[mover],
        ply=ply,
        value=value,
        outcome=outcome_of(value, mover),
        remoteness=_plies(prober, label, ply, over=not moves),
        best_move=next((move.move for move in moves if move.best), None),
        is_terminal=not moves,
        moves=moves,
        game=rules,
    )


def probe_of(prober: Prober, state: int, ply: int, label: int) -> Probe:
    """Labels and best moves of a state whose label, or that of its canonical state, is given."""
    rules = prober.rules
    actions = actions_of(rules, state)
    best = [action for action in actions if _is_best(prober, rules.result(state, action), ply, label)]
    names = tuple(write_action(rules, action) for action in best)
    return Probe(prober.code.value(label), _plies(prober, label, ply, over=not actions), names)


def _move(prober: Prober, state: int, action: int, ply: int, label: int) -> Move:
    """The move that an action makes in a state of this ply and label."""
    child = prober.rules.result(state, action)
    below = prober.label_of_child(child, ply + 1)
    value = prober.code.value(below)
    return Move(
        move=write_action(prober.rules, action),
        position=write_position(prober.rules, child),
        outcome=outcome_of(value, mover_of(prober.rules, state)),
        remoteness=_plies(prober, below, ply, over=False),
        best=below == label,
        value=value,
    )


def _is_best(prober: Prober, child: int, ply: int, label: int) -> bool:
    """Return whether a move to `child` is a best one in a state of this ply and label."""
    if prober.code.end_ply(label) == ply + 1 and not is_over(prober.rules, child):
        return False  # best play ends at the next ply, which this child does not: no need to look it up
    return prober.label_of_child(child, ply + 1) == label


def _plies(prober: Prober, label: int, ply: int, *, over: bool) -> int | None:
    """Plies from `ply` to the end of play; None where play need not end."""
    end = prober.code.end_ply(label)
    return 0 if over else None if end is None else end - ply
