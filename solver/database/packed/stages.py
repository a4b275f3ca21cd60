"""The stages of a packed file: how it is divided, and where in it a state is found.

    games in layers     a stage is a ply         a move leads to the next one
    all other games     a stage is a tier        a move leads to the same one or to a later one

Where rules tell no tiers, the whole of play is stage 0. Stages follow each other from 0, so that the tiers
5, 7 and 20 are the stages 0, 1 and 2; which tier a stage is follows from any of its states.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.block_reader import Blocks
from solver.database.packed.label_code import LabelCode, RemotenessCode
from solver.packed import PackedGame
from solver.rules.arrays import Keys, broadcast
from solver.rules.asking import tier_of
from solver.rules.failures import rules_asked
from solver.rules.int_array import array_type


@dataclass(frozen=True)
class Stages(ABC):
    """The stages of a file."""

    rules: PackedGame
    numbers: Sequence[int]
    """All stages, in ascending order."""

    @abstractmethod
    def told(self, keys: Keys) -> Keys | None:
        """The stages of states according to the rules, -1 for none; None if the rules do not tell."""

    @abstractmethod
    def told_of(self, key: int) -> int | None:
        """The stage of one state, as by `told`."""

    @abstractmethod
    def of_children(self, stages: Keys, keys: Keys) -> Keys:
        """The stages of states that moves lead to from states at `stages`."""

    @abstractmethod
    def of_child(self, stage: int, key: int) -> int:
        """The stage of one state that a move leads to from a state at `stage`."""

    def likely(self, key: int) -> Iterator[int]:
        """All stages, beginning with the one that the rules tell."""
        hint = self.told_of(key)
        if hint is not None:
            yield hint
        yield from (stage for stage in self.numbers if stage != hint)


@dataclass(frozen=True)
class Plies(Stages):
    """The stages of a game in layers."""

    start: int
    """The first state in which play begins."""

    def told(self, keys: Keys) -> Keys | None:
        """The plies of states according to the rules; None if the rules do not tell."""
        with rules_asked(self.rules):
            hinted = self.rules.ply(keys.view(array_type(self.rules)))
            return None if hinted is None else broadcast(hinted, keys) - self.rules.ply(self.start)

    def told_of(self, key: int) -> int | None:
        """The ply of one state, as by `told`."""
        hinted = self.rules.ply(key)
        return None if hinted is None else hinted - self._hint_of_start

    def of_children(self, stages: Keys, keys: Keys) -> Keys:
        """The plies of states that moves lead to from states at `stages`."""
        return stages + 1

    def of_child(self, stage: int, key: int) -> int:
        """The ply of one state that a move leads to from a state at `stage`."""
        return stage + 1

    @cached_property
    def _hint_of_start(self) -> int:
        """The ply that the rules tell of the start."""
        return int(self.rules.ply(self.start))


@dataclass(frozen=True)
class Tiers(Stages):
    """The stages of a game with loops, or in which ways of different length meet."""

    tiers: Sequence[int]
    """The tier of each stage, in ascending order; 0 for the only one where the rules tell none."""

    def told(self, keys: Keys) -> Keys:
        """The stages of states according to the rules; -1 for a tier that the file does not have."""
        tiers, known = tiers_of(self.rules, keys), np.array(self.tiers, np.int64)
        places = known.searchsorted(tiers)
        places[places == len(known)] = 0
        return np.where(known[places] == tiers, places, -1)

    def told_of(self, key: int) -> int:
        """The stage of one state, as by `told`."""
        return self._stages.get(tier_of(self.rules, key), -1)

    def of_children(self, stages: Keys, keys: Keys) -> Keys:
        """The stages of states that moves lead to: those that the rules tell."""
        return self.told(keys)

    def of_child(self, stage: int, key: int) -> int:
        """The stage of one state that a move leads to: the one that the rules tell."""
        return self.told_of(key)

    @cached_property
    def _stages(self) -> Mapping[int, int]:
        """The stages by tier."""
        return {tier: stage for stage, tier in enumerate(self.tiers)}


def stages_of(
    code: LabelCode, rules: PackedGame, blocks: Blocks, numbers: Sequence[int], start: int
) -> Stages:
    """The stages of a file with labels in this `code`; raises `DamagedFile` unless they are tiers, in order.

    `numbers` are all of them, `start` is the first state in which play begins.
    """
    if not isinstance(code, RemotenessCode):
        return Plies(rules, numbers, start)
    with rules_asked(rules, "tier"):
        tiers = [tier_of(rules, blocks.least_key(stage)) for stage in numbers]
    if tiers != sorted(set(tiers)):
        raise blocks.damage("its stages are not the tiers of the rules, in order")
    return Tiers(rules, numbers, tiers)


def tiers_of(rules: PackedGame, keys: Keys) -> Keys:
    """The tiers of states; 0 if the rules do not tell. Raises `BrokenRules`."""
    with rules_asked(rules, "tier"):
        tiers = rules.tier(keys.view(array_type(rules)))
        return broadcast(0 if tiers is None else tiers, keys)


def by_tier(rules: PackedGame, keys: Keys) -> Iterator[NDArray[np.intp]]:
    """Yield for each tier of the states, in ascending order, the indices of those that are of it, by key."""
    tiers = tiers_of(rules, keys)
    order = np.lexsort((keys, tiers))
    cuts = np.flatnonzero(np.diff(tiers[order])) + 1
    return iter(np.split(order, cuts))
