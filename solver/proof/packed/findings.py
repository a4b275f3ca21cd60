"""The result of a task, and the checks of states that do not need their children."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.proof.packed.blocks import LabelledStates
from solver.proof.packed.exchange import problems_of_exchange
from solver.proof.packed.rules import CheckedRules, Places
from solver.proof.packed.symmetry import problems_of_classes
from solver.rules.arrays import Keys, Labels

StateKind: TypeAlias = tuple[int, int, int, int]
"""Ply, is_terminal, player to move, label."""


class ReachedPart(NamedTuple):
    """The states of a series that a task has found."""

    blocks: Places
    """The blocks that were read, as indices in the series: intp, (blocks,)."""
    bits: NDArray[np.uint8]
    """A bit per state, 1 if it was found, most significant first: uint8, (blocks, BLOCK // 8)."""


@dataclass(frozen=True)
class Findings:
    """The result of a task."""

    problems: tuple[str, ...]
    kinds: Counter[StateKind] = field(default_factory=Counter)
    """The number of states of each kind."""
    moves: int = 0
    """The number of moves in them."""
    ply_proved: bool = False
    """Whether `PackedGame.ply` confirms the ply of each state."""
    reached: Sequence[ReachedPart] = ()
    """The states of the next ply to which moves lead, one part per series, or empty."""

    @classmethod
    def merged(cls, parts: Iterable["Findings"]) -> "Findings":
        """The sum of the parts, without `reached`."""
        problems, kinds, moves, ply_proved = list[str](), Counter[StateKind](), 0, True
        for part in parts:
            problems += part.problems
            kinds.update(part.kinds)
            moves += part.moves
            ply_proved &= part.ply_proved
        return cls(tuple(problems), kinds, moves, ply_proved)


def checked_ends(rules: CheckedRules, states: LabelledStates, ply: int) -> Findings:
    """The findings on terminal states."""
    movers, images = rules.movers(states.keys), rules.images(states.keys)
    return Findings(
        tuple(problems_of_states(rules, states.keys, images, ply, is_terminal=True)),
        kinds_of(ply, 1, movers, states.labels),
        0,
        rules.confirm_ply(ply, states.keys),
    )


def problems_of_states(
    rules: CheckedRules, keys: Keys, images: Sequence[Keys] | None, ply: int, *, is_terminal: bool
) -> Iterator[str]:
    """States with a wrong `is_terminal`, or of wrong symmetry classes.

    The states are canonical, or `images` is None, and their classes are left out.
    """
    right = rules.is_terminal(keys) == is_terminal
    problem = f"is_terminal should be {int(not is_terminal)}, not {int(is_terminal)}"
    yield from rules.each_wrong(keys, ply, ~right, problem)
    if images is None:
        return
    if rules.has_classes:
        images = [image[right] for image in images]
        yield from problems_of_classes(rules, keys[right], images, ply, is_terminal=is_terminal)
    if rules.exchanged:
        yield from problems_of_exchange(rules, keys[right], images, ply, is_terminal=is_terminal)


def kinds_of(ply: int, is_terminal: int, movers: Keys, labels: Labels) -> Counter[StateKind]:
    """The number of states of each kind.

    `solver.engines.layers.backward` and `solver.database.packed.writer` count alike, by other code on
    purpose.
    """
    kinds = np.sort(labels * np.int64(2) + movers)
    cuts = np.flatnonzero(np.append(True, kinds[1:] != kinds[:-1]))
    sizes = np.diff(np.append(cuts, len(kinds)))
    return Counter(
        {
            (ply, is_terminal, kind & 1, kind >> 1): size
            for kind, size in zip(kinds[cuts].tolist(), sizes.tolist(), strict=True)
        }
    )
