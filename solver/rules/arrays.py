"""Many states at once: the types of the arrays that hold them, and packed rules asked for such an array."""

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.game import Game
from solver.packed import PackedGame
from solver.rules.asking import representative, symmetries_of
from solver.rules.failures import rules_asked
from solver.rules.int_array import array_type

Keys: TypeAlias = NDArray[np.int64]
"""States, in ascending order where they are a layer or a block."""

Number = TypeVar("Number", bound=np.integer[Any])

GREATEST = 2**63 - 1
"""The greatest state; the layers engine uses it as a sentinel above all of its keys."""

Flags: TypeAlias = NDArray[np.bool_]
"""A truth value for each state."""

Labels: TypeAlias = NDArray[np.signedinteger]
"""The label of each state, as encoded by solver.database.packed.label_code."""


def max_abs_value(utilities: Keys) -> int:
    """The greatest absolute value of the utilities; 0 for none."""
    return max(int(utilities.max(initial=0)), -int(utilities.min(initial=0)))


def distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """The different numbers in ascending order; `np.unique`, which hashes them, takes ten times as long."""
    if (numbers[1:] > numbers[:-1]).all():
        return numbers
    ordered = np.sort(numbers)
    is_new = np.ones(len(ordered), np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_new]


def distinct_pairs(keys: Keys, labels: Labels) -> tuple[Keys, Labels]:
    """Return the keys in ascending order, without duplicates, and their labels.

    If key and label fit into 63 bits, they are sorted as one integer, which takes a quarter of the time.
    """
    bits = 8 * labels.itemsize
    if bits < 63 and keys.max(initial=0) < 1 << (63 - bits):
        pairs = distinct(keys << bits | labels.view(f"u{labels.itemsize}"))
        return pairs >> bits, pairs.astype(labels.dtype)
    order = np.argsort(keys)
    keys, labels = keys[order], labels[order]
    first = np.concatenate((keys[:1] == keys[:1], keys[1:] != keys[:-1]))
    return keys[first], labels[first]


def broadcast(answer: Any, keys: Keys) -> Keys:
    """The answer of a rule for an array of states as an int64 for each, even where one number holds for all.

    Raises a TypeError for answers that are no integers.
    """
    answers = np.asarray(answer)
    if not np.can_cast(answers.dtype, np.int64):
        raise TypeError(f"the answers are not integers but {answers.dtype}")
    integers = answers.astype(np.int64, copy=False)
    return integers if integers.shape == keys.shape else np.broadcast_to(integers, keys.shape)


def batch_answers(game: PackedGame, rule: str, states: Keys, *action: int) -> Keys:
    """The answers of a rule for an array of states, perhaps for an action; raises `BrokenRules`."""
    with rules_asked(game, rule):
        return broadcast(getattr(game, rule)(states.view(array_type(game)), *action), states)


def representatives(game: PackedGame, states: Keys) -> Keys:
    """The canonical state of the class of each of the states; raises `BrokenRules`."""
    if type(game).canonical is not Game.canonical:  # another choice than the least
        return np.array([representative(game, state) for state in states.tolist()], np.int64)
    least = states
    for symmetry in symmetries_of(game):
        image: Any = symmetry.state  # which takes arrays as well
        with rules_asked(game, "symmetries"):
            least = np.minimum(least, broadcast(image(states.view(array_type(game))), states))
    return least
