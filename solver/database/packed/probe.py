"""Probes a packed file for the label of a single state, and makes its entry.

The stage that the rules give a state, if any, is tried first. It is only a hint: if the state is not there,
all stages are tried. Terminal states are stored without labels, which follow from their utilities, so a
terminal child is not looked up.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, cast

import numpy as np

from solver.database.entry import Entry, Probe, entry_from
from solver.database.metadata import StoredMetadata
from solver.database.packed.label_code import LabelCode
from solver.database.packed.writer import tiers_of
from solver.packed import PackedGame
from solver.rules.arrays import Keys, array_type, broadcast
from solver.rules.asking import actions_of, is_over, tier_of, utility_of
from solver.rules.failures import FOREIGN_STATE_ERRORS, rules_asked
from solver.rules.folding import FOLDINGS, Folding
from solver.rules.labels import Label
from solver.rules.notation import is_state, write_action, write_position

if TYPE_CHECKING:
    from solver.database.packed.reader import PackedDatabase


@dataclass(frozen=True)
class Stages:
    """The stages of a file, and the stage of each state.

    games in layers     a stage is a ply         a move leads to the next stage
    all other games     a stage is a tier        a move leads to the same stage or to a later one

    If rules define no tiers, all states are in stage 0. Stages are numbered from 0 without gaps, so the tiers
    5, 7 and 20 are the stages 0, 1 and 2; any state of a stage tells its tier.
    """

    rules: PackedGame
    numbers: Sequence[int]
    """All stages, in ascending order."""
    start: int
    """The first state in which play begins."""
    tiers: Sequence[int] | None
    """The tier of each stage, [0] if the rules define none; None in games in layers."""

    def by_rules(self, keys: Keys) -> Keys | None:
        """The stages of states according to the rules, -1 for none; None if the rules define no plies."""
        if self.tiers is None:
            with rules_asked(self.rules):
                plies = self.rules.ply(keys.view(array_type(self.rules)))
                return None if plies is None else broadcast(plies, keys) - self._ply_of_start
        tiers, stage_tiers = tiers_of(self.rules, keys), np.array(self.tiers, np.int64)
        places = stage_tiers.searchsorted(tiers)
        places[places == len(stage_tiers)] = 0
        return np.where(stage_tiers[places] == tiers, places, -1)

    def of_children(self, stages: Keys, keys: Keys) -> Keys:
        """The stages of `keys`, the children of states at `stages`."""
        return stages + 1 if self.tiers is None else cast("Keys", self.by_rules(keys))

    def of_child(self, stage: int, key: int) -> int:
        """The stage of `key`, a child of a state at `stage`."""
        return stage + 1 if self.tiers is None else cast("int", self._by_rules(key))

    def likely(self, key: int) -> Iterator[int]:
        """Yield all stages, first the one that the rules give the state, if any."""
        hint = self._by_rules(key)
        if hint is not None:
            yield hint
        yield from (stage for stage in self.numbers if stage != hint)

    def _by_rules(self, key: int) -> int | None:
        if self.tiers is not None:
            return self._stages.get(tier_of(self.rules, key), -1)
        ply = self.rules.ply(key)
        return None if ply is None else ply - self._ply_of_start

    @cached_property
    def _ply_of_start(self) -> int:
        return int(self.rules.ply(self.start))

    @cached_property
    def _stages(self) -> Mapping[int, int]:
        return {tier: stage for stage, tier in enumerate(self.tiers or ())}


def stages_of(db: "PackedDatabase") -> Stages:
    """The stages of a file; raises `DamagedFile` if the start is no state, or stages are not the tiers."""
    start, tiers = db.state_of(db.start), None
    if not is_state(start):
        raise db.damage(f"start: {db.start!r} is no state")
    if db.label_code.has_loops:
        with rules_asked(db.rules, "tier"):
            tiers = [tier_of(db.rules, db.blocks.least_key(stage)) for stage in db.stage_numbers]
        if tiers != sorted(set(tiers)):
            raise db.damage("its stages are not the tiers of the rules, in order")
    return Stages(db.rules, db.stage_numbers, start, tiers)


def folding_of(file: StoredMetadata, code: LabelCode, rules: PackedGame) -> Folding:
    """The classes of a file; raises `DamagedFile` if they have signs and labels cannot be negated."""
    folding = Folding(rules, file.folding_degree)
    if folding.is_signed and (code.endless_value or not code.has_loops or not folding.is_possible):
        raise file.damage(f"folded: {FOLDINGS[folding.degree]!r}, which is not for such a game")
    return folding


def stage_and_label(db: "PackedDatabase", state: int) -> tuple[int, int] | None:
    """The stage and the label of a state; None if it is not in the file."""
    try:
        return _stage_and_label(db, state)
    except FOREIGN_STATE_ERRORS:
        series = product(db.stage_numbers, (0, 1))
        if any(db.blocks.label(stage, is_terminal, state) is not None for stage, is_terminal in series):
            raise
        return None


def _stage_and_label(db: "PackedDatabase", state: int) -> tuple[int, int] | None:
    key, sign = map(int, db.folding.fold(state))
    is_terminal = int(is_over(db.rules, key))
    for stage in db.stages.likely(key):
        label = db.blocks.label(stage, is_terminal, key)
        if label is not None:
            return stage, sign * (_label_of_end(db, key, stage) if is_terminal else label)
    return None


def label_by(db: "PackedDatabase", child: int, stage: int) -> int:
    """The label that a move to `child` gives its parent at `stage`; raises `DamagedFile`."""
    if is_over(db.rules, child):
        return _label_of_end(db, child, stage, plies=1)
    key, sign = map(int, db.folding.fold(child))
    label = db.blocks.label(db.stages.of_child(stage, key), 0, key)
    if label is None:
        raise db.damage(f"no {write_position(db.rules, child)!r}")
    return sign * int(db.label_code.before(label))


def _label_of_end(db: "PackedDatabase", state: int, stage: int, plies: int = 0) -> int:
    """The label of a terminal state, `plies` after a state at `stage`."""
    code = db.label_code
    return int(code.encode_end(utility_of(db.rules, state), code.counted_from(stage) + plies))


def probed_entry(db: "PackedDatabase", state: int) -> Entry:
    """The entry of a state; see `Database.entry_of`."""
    rules, code, (stage, label) = db.rules, db.label_code, db.stage_and_label(state)
    actions = actions_of(rules, state)

    def offers() -> Iterator[tuple[str | int, str, Label]]:
        for action in actions:
            child = rules.result(state, action)
            offered = label_by(db, child, stage)
            offer = code.value(offered), code.plies_left(offered, stage)
            yield write_action(rules, action), write_position(rules, child), offer

    own = code.value(label), code.plies_left(label, stage) if actions else 0
    entry = entry_from(rules, state, code.ply_of(stage), own, offers(), db.margin)
    if actions and entry.best_move is None:
        raise db.damage(f"no move in {entry.position!r} keeps its value")
    return entry


def probe_of(db: "PackedDatabase", position: str | int) -> Probe:
    """The labels and the best moves of a position, or of a state; see `Database.probe`."""
    state = db.asked_state(position)
    stage, label = db.stage_and_label(state)
    rules, plies = db.rules, db.label_code.plies_left(label, stage)
    actions, best = actions_of(rules, state), list[str | int]()
    for action in actions:
        child = rules.result(state, action)
        if plies == 1 and not is_over(rules, child):
            continue  # best play ends at the next ply, but not in this child
        if label_by(db, child, stage) == label:
            best.append(write_action(rules, action))
    return Probe(db.label_code.value(label), plies if actions else 0, tuple(best))
