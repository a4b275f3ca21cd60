"""Probes the packed layout for the label of a single state, and makes its entry.

If the rules tell the stage of a state, that is tried first. It is only a hint: if the state is not found
there, or none is told, all stages are tried. Terminal states are stored without labels, which follow from
their utilities, so a terminal child is not looked up.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from solver.database.entry import Entry, Probe, entry_from
from solver.database.metadata import StoredMetadata
from solver.database.packed.block_reader import Blocks
from solver.database.packed.label_code import LabelCode
from solver.database.packed.writer import tiers_of
from solver.packed import PackedGame
from solver.rules.arrays import Keys, array_type, broadcast
from solver.rules.asking import actions_of, is_over, tier_of, utility_of
from solver.rules.failures import rules_asked
from solver.rules.folding import FOLDINGS, Folding
from solver.rules.labels import Label
from solver.rules.notation import write_action, write_position


@dataclass(frozen=True)
class Stages:
    """The stages of a file: how it is divided, and where in it a state is found.

    games in layers     a stage is a ply         a move leads to the next one
    all other games     a stage is a tier        a move leads to the same one or to a later one

    Where rules tell no tiers, the whole of play is stage 0. Stages follow each other from 0, so that the
    tiers 5, 7 and 20 are the stages 0, 1 and 2; which tier a stage is follows from any of its states.
    """

    rules: PackedGame
    numbers: Sequence[int]
    """All stages, in ascending order."""
    start: int
    """The first state in which play begins."""
    tiers: Sequence[int] | None
    """The tier of each stage, 0 for the only one where rules tell none; None in games in layers."""

    def told(self, keys: Keys) -> Keys | None:
        """The stages of states according to the rules, -1 for none; None if the rules do not tell."""
        if self.tiers is None:
            with rules_asked(self.rules):
                plies = self.rules.ply(keys.view(array_type(self.rules)))
                return None if plies is None else broadcast(plies, keys) - self._ply_of_start
        tiers, known = tiers_of(self.rules, keys), np.array(self.tiers, np.int64)
        places = known.searchsorted(tiers)
        places[places == len(known)] = 0
        return np.where(known[places] == tiers, places, -1)

    def told_of(self, key: int) -> int | None:
        """The stage of one state, as by `told`."""
        if self.tiers is not None:
            return self._stages.get(tier_of(self.rules, key), -1)
        ply = self.rules.ply(key)
        return None if ply is None else ply - self._ply_of_start

    def of_children(self, stages: Keys, keys: Keys) -> Keys:
        """The stages of states that moves lead to from states at `stages`."""
        return stages + 1 if self.tiers is None else cast("Keys", self.told(keys))

    def of_child(self, stage: int, key: int) -> int:
        """The stage of one state that a move leads to from a state at `stage`."""
        return stage + 1 if self.tiers is None else cast("int", self.told_of(key))

    def likely(self, key: int) -> Iterator[int]:
        """All stages, beginning with the one that the rules tell."""
        hint = self.told_of(key)
        if hint is not None:
            yield hint
        yield from (stage for stage in self.numbers if stage != hint)

    @cached_property
    def _ply_of_start(self) -> int:
        """The ply that the rules tell of the start."""
        return int(self.rules.ply(self.start))

    @cached_property
    def _stages(self) -> Mapping[int, int]:
        """The stages by tier."""
        return {tier: stage for stage, tier in enumerate(self.tiers or ())}


def stages_of(
    code: LabelCode, rules: PackedGame, blocks: Blocks, numbers: Sequence[int], start: int
) -> Stages:
    """The stages of a file with labels in this `code`; raises `DamagedFile` unless they are tiers, in order.

    `numbers` are all of them, `start` is the first state in which play begins.
    """
    if not code.has_loops:
        return Stages(rules, numbers, start, None)
    with rules_asked(rules, "tier"):
        tiers = [tier_of(rules, blocks.least_key(stage)) for stage in numbers]
    if tiers != sorted(set(tiers)):
        raise blocks.damage("its stages are not the tiers of the rules, in order")
    return Stages(rules, numbers, start, tiers)


@dataclass(frozen=True)
class Prober:
    """Finds the labels of a solved game."""

    rules: PackedGame
    folding: Folding
    """The classes of which the file has one state each."""
    code: LabelCode
    blocks: Blocks
    stages: Stages
    margin: Callable[[int], int | None]
    """By how much the winner wins by a value, as `StoredMetadata.margin`."""

    def find(self, state: int) -> tuple[int, int] | None:
        """The stage and the label of a state; None if it is not in the file."""
        key, sign = map(int, self.folding.fold(state))
        is_terminal = int(is_over(self.rules, key))
        for stage in self.stages.likely(key):
            label = self.blocks.label(stage, is_terminal, key)
            if label is not None:
                ended = self._label_of_end(key, self.code.counted_from(stage)) if is_terminal else label
                return stage, sign * ended
        return None

    def label_by(self, child: int, stage: int) -> int:
        """The label by which a move to `child` from a state at `stage` is judged; raises `DamagedFile`."""
        if is_over(self.rules, child):
            return self._label_of_end(child, self.code.counted_from(stage) + 1)
        key, sign = map(int, self.folding.fold(child))
        label = self.blocks.label(self.stages.of_child(stage, key), 0, key)
        if label is None:
            raise self.blocks.damage(f"no {write_position(self.rules, child)!r}")
        return sign * int(self.code.before(label))

    def _label_of_end(self, state: int, ply: int) -> int:
        """The label of a terminal state, or by which a move to it is judged, if play ends at `ply`."""
        return int(self.code.encode_end(utility_of(self.rules, state), ply))


def folding_of(file: StoredMetadata, code: LabelCode, rules: PackedGame) -> Folding:
    """The classes of a file; raises `DamagedFile` if its labels cannot be negated as these ask for."""
    folding = Folding(rules, file.folding_degree)
    if folding.is_signed and (code.endless_value or not code.has_loops or not folding.is_possible):
        raise file.damage(f"folded: {FOLDINGS[folding.degree]!r}, which is not for such a game")
    return folding


def entry_of(prober: Prober, state: int, stage: int, label: int) -> Entry:
    """The entry of a state whose stage and label, or those of its canonical state, are given."""
    rules, code = prober.rules, prober.code
    actions = actions_of(rules, state)

    def offers() -> Iterator[tuple[int, int, Label]]:
        for action in actions:
            child = rules.result(state, action)
            offered = prober.label_by(child, stage)
            yield action, child, (code.value(offered), code.plies_left(offered, stage))

    remoteness = code.plies_left(label, stage) if actions else 0
    own = code.value(label), remoteness
    return entry_from(rules, state, code.ply_of(stage), own, offers(), prober.margin)


def probe_of(prober: Prober, state: int, stage: int, label: int) -> Probe:
    """Labels and best moves of a state whose stage and label, or those of its canonical state, are given."""
    rules, code = prober.rules, prober.code
    actions = actions_of(rules, state)
    best = [action for action in actions if _is_best(prober, rules.result(state, action), stage, label)]
    names = tuple(write_action(rules, action) for action in best)
    return Probe(code.value(label), code.plies_left(label, stage) if actions else 0, names)


def _is_best(prober: Prober, child: int, stage: int, label: int) -> bool:
    """Whether a move to `child` is a best one in a state of this stage and label."""
    if prober.code.plies_left(label, stage) == 1 and not is_over(prober.rules, child):
        return False  # best play ends at the next ply, which this child does not: no need to look it up
    return prober.label_by(child, stage) == label
