"""Probes the packed layout for the label of a single state, and gives what is known of it and its moves.

A state of which the rules tell the ply is looked for there first. That is a hint and no more: where it is not
found there, or nothing is told, all plies are tried. Ends are stored without a label: the rules say what they
are worth, so that the child of a state need not be looked up where it is one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.database.entry import Entry, Move, Probe, outcome_of
from solver.database.packed.block_reader import Blocks
from solver.database.packed.label_code import LabelCode
from solver.packed import PackedGame
from solver.rules.asking import actions_of, is_over, mover_of, representative, utility_of
from solver.rules.notation import write_action, write_position


@dataclass(frozen=True)
class Prober:
    """The labels of a solved game."""

    rules: PackedGame
    code: LabelCode
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
                return ply, self.code.of_end(utility_of(self.rules, key), ply) if is_terminal else label
        return None

    def label_of_child(self, child: int, ply: int) -> int:
        """The label of a state that a move leads to at `ply`; an error of damage where it has none."""
        if is_over(self.rules, child):
            return self.code.of_end(utility_of(self.rules, child), ply)
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


def entry_of(prober: Prober, state: int, ply: int, label: int) -> Entry:
    """The entry of a state that has, or whose representative has, this label."""
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
    """The labels and the best moves of a state that has, or whose representative has, this label."""
    rules = prober.rules
    actions = actions_of(rules, state)
    best = [action for action in actions if _is_best(prober, rules.result(state, action), ply, label)]
    names = tuple(write_action(rules, action) for action in best)
    return Probe(prober.code.value(label), _plies(prober, label, ply, over=not actions), names)


def _move(prober: Prober, state: int, action: int, ply: int, label: int) -> Move:
    """What an action gets in a state of this ply and label."""
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
    """Whether a move to `child` is a best one in a state of this ply and label."""
    if prober.code.end_ply(label) == ply + 1 and not is_over(prober.rules, child):
        return False  # play can end at once, which this does not do: that need not be looked up
    return prober.label_of_child(child, ply + 1) == label


def _plies(prober: Prober, label: int, ply: int, *, over: bool) -> int | None:
    """Plies from `ply` to the end of play; None where play need not end."""
    end = prober.code.end_ply(label)
    return 0 if over else None if end is None else end - ply
