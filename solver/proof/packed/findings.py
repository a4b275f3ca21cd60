"""Holds the states of a ply against the rules, and says what came of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from solver.proof.packed.blocks import LabelledStates
from solver.proof.packed.child_lookup import ReachedPart
from solver.proof.packed.rules import CheckedRules
from solver.proof.packed.symmetry import problems_of_classes
from solver.rules.arrays import Keys, Labels

Kind: TypeAlias = tuple[int, int, int, int]
"""Ply, is_terminal, the player to move and the label."""


@dataclass(frozen=True)
class Findings:
    """What came of some states."""

    problems: tuple[str, ...]
    kinds: Counter[Kind] = field(default_factory=Counter)
    """How many states there are of each kind."""
    moves: int = 0
    """How many moves there are in them."""
    ply_proved: bool = False
    """Whether the rules tell of each state that it is at its ply."""
    reached: Sequence[ReachedPart] = ()
    """The states of the next ply to which moves lead; of each of its series in turn, or of none."""

    @classmethod
    def merged(cls, parts: Iterable["Findings"]) -> "Findings":
        """What came of some parts, but for what they have reached."""
        problems, kinds, moves, ply_proved = list[str](), Counter[Kind](), 0, True
        for part in parts:
            problems += part.problems
            kinds.update(part.kinds)
            moves += part.moves
            ply_proved &= part.ply_proved
        return cls(tuple(problems), kinds, moves, ply_proved)


def checked_ends(rules: CheckedRules, states: LabelledStates, ply: int) -> Findings:
    """States in which play is over, held against the rules."""
    movers, images = rules.movers(states.keys), rules.images(states.keys)
    return Findings(
        tuple(problems_of_states(rules, states.keys, images, ply, is_terminal=True)),
        kinds_of(ply, 1, movers, states.labels),
        0,
        rules.confirm_ply(ply, states.keys),
    )


def problems_of_states(
    rules: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, *, is_terminal: bool
) -> Iterator[str]:
    """Where play is not over, or is, as the file says; and in a folded file what is wrong with classes."""
    right = rules.is_terminal(keys) == is_terminal
    problem = f"is_terminal should be {int(not is_terminal)}, not {int(is_terminal)}"
    yield from rules.each_wrong(keys, ply, ~right, problem)
    if rules.folded:
        images = [image[right] for image in images]
        yield from problems_of_classes(rules, keys[right], images, ply, is_terminal=is_terminal)


def kinds_of(ply: int, is_terminal: int, movers: Keys, labels: Labels) -> Counter[Kind]:
    """How many states there are of each kind."""
    kinds = np.sort(labels * np.int64(2) + movers)
    cuts = np.flatnonzero(np.append(True, kinds[1:] != kinds[:-1]))
    sizes = np.diff(np.append(cuts, len(kinds)))
    return Counter(
        {
            (ply, is_terminal, kind & 1, kind >> 1): size
            for kind, size in zip(kinds[cuts].tolist(), sizes.tolist(), strict=True)
        }
    )
