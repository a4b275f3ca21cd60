"""Arrays of packed states: their types, and the rules of a packed game evaluated on them.

An array of states computes as Python's integers do, so packed rules mean the same for both:

    (state == 1) + (state > 0)        of 1: 2        of NumPy's array [1]: [True]        of IntArray [1]: [2]

Only rules that do arithmetic with bools need an `IntArray`.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache, reduce
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.errors import shown
from solver.game import SECOND, Game
from solver.packed import OPTIONAL_RULES, STATE_BITS, PackedGame
from solver.rules.asking import representative, symmetries_of
from solver.rules.failures import rules_asked
from solver.rules.folding import Folding

TRUTH = np.dtype(np.bool_)


class IntArray(np.ndarray[Any, Any]):
    """An array in whose arithmetic a bool is 0 or 1, and whose in-place operators return a new array.

    In NumPy the sum of two bools is a bool, their difference an error, and the inverse of one the other; and
    `a += b` changes every array that shares memory with `a`, where Python makes a new integer.
    """

    differences = 0
    """The number of operations, on any array, that NumPy would have computed differently from Python."""


def array_type(game: PackedGame) -> type[np.ndarray[Any, Any]]:
    """The type of the arrays of states that are passed to packed rules.

    An `IntArray` takes up to four times as long as NumPy's own type, which is used if both compute the same.
    """
    try:
        return np.ndarray if _is_plain(game) else IntArray
    except TypeError:  # the rules have no hash
        return IntArray


@lru_cache
def _is_plain(game: PackedGame) -> bool:
    """Whether NumPy computes what Python does; one state tells, as rules apply the same operators to all."""
    before = IntArray.differences
    try:
        states: Any = np.array([game.initial]).view(IntArray)
        for rule in ("to_move", "is_terminal", "utility", *OPTIONAL_RULES):
            getattr(game, rule)(states)
        for action in range(game.action_count):
            game.result(states, action)
            game.legal(states, action)
        for symmetry in game.symmetries():
            symmetry.state(states)
    except (Exception, SystemExit):
        return False
    return IntArray.differences == before


def _is_truth(operand: Any) -> bool:
    """Whether the operand is a Python bool or an array of bools; NumPy scalars need no conversion."""
    return isinstance(operand, bool) or (isinstance(operand, np.ndarray) and operand.dtype is TRUTH)


def _integer_operator(name: str, *, in_place: bool = False) -> Callable[..., Any]:
    """The operator of this name, which converts bools to integers if all operands are bools."""
    operate, differs = getattr(np.ndarray, name), name.strip("_") not in SAME_OF_TRUTHS

    def operator(array: Any, *operands: Any) -> Any:
        of_truths = differs and all(map(_is_truth, (array, *operands)))
        IntArray.differences += of_truths or in_place
        return operate(array.astype(np.int64) if of_truths else array, *operands)

    return operator


BINARY = ("add", "sub", "mul", "lshift", "rshift", "and", "or", "xor", "floordiv", "mod", "pow")
SAME_OF_TRUTHS = ("mul", "rmul", "and", "rand", "or", "ror", "xor", "rxor")
"""The operators that Python and NumPy compute alike for two bools."""

for _name in ("neg", "pos", "invert", *BINARY, *(f"r{name}" for name in BINARY)):
    setattr(IntArray, f"__{_name}__", _integer_operator(f"__{_name}__"))
for _name in BINARY:
    setattr(IntArray, f"__i{_name}__", _integer_operator(f"__{_name}__", in_place=True))


Keys: TypeAlias = NDArray[np.int64]
"""States, in ascending order where they are a layer or a block."""

Number = TypeVar("Number", bound=np.integer[Any])

LONG_RUN = 16
"""The mean length of ascending runs from which merging them is faster than sorting."""

MANY = 1000
"""The length of an array from which a compiled loop pays off."""

MAX_STATE = 2**63 - 1
"""The greatest state; the layers engine uses it as a sentinel above all of its keys."""

Flags: TypeAlias = NDArray[np.bool_]
"""A bool for each state."""

Labels: TypeAlias = NDArray[np.signedinteger]
"""The label of each state, as encoded by solver.database.packed.label_code."""


def max_abs_value(utilities: Keys) -> int:
    """The greatest absolute value of the utilities; 0 for none."""
    return max(int(utilities.max(initial=0)), -int(utilities.min(initial=0)))


def in_order(numbers: NDArray[Number], low: int = 0) -> NDArray[Number]:
    """The numbers sorted by their bits from `low` on, as a new array; the bits below are payload.

    Long ascending runs are merged. Once numba is loaded, long arrays are sorted by radix, as NumPy's AVX-512
    sort is slow on AMD's Zen 4 (https://github.com/numpy/x86-simd-sort/issues/6).
    """
    falls = np.count_nonzero(numbers[1:] < numbers[:-1])
    if falls * LONG_RUN < len(numbers):
        return np.sort(numbers, kind="stable")
    if len(numbers) >= MANY and "numba" in sys.modules and numbers.dtype == np.int64 and numbers.min() >= 0:
        with suppress(ImportError, RuntimeError):  # numba cannot cache what it compiles
            from solver.rules.sorting import sorted_by_digits

            return sorted_by_digits(numbers, low)
    return np.sort(numbers)


def distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """The distinct numbers, ascending; `np.unique`, which hashes them, takes ten times as long."""
    if (numbers[1:] > numbers[:-1]).all():
        return numbers
    ordered = in_order(numbers)
    return ordered[_is_first(ordered)]


def _is_first(ordered: NDArray[Number]) -> Flags:
    """Whether each of the sorted numbers differs from the one before it."""
    is_first = np.ones(len(ordered), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return is_first


def distinct_pairs(keys: Keys, labels: Labels) -> tuple[Keys, Labels]:
    """The distinct pairs of key and label, by ascending key; a key may come with several labels."""
    bits = 8 * labels.itemsize
    keys, unsigned = sorted_along(keys, labels.view(f"u{labels.itemsize}"), bits)
    first = _is_first(keys) | _is_first(unsigned)
    return keys[first], unsigned[first].view(labels.dtype)


def sorted_along(keys: Keys, values: NDArray[Number], bits: int) -> tuple[Keys, NDArray[Number]]:
    """The keys in ascending order, and their values, in [0, 2**bits); equal keys come in any order.

    If key and value fit into 63 bits, they are sorted as one integer, which takes a quarter of the time.
    """
    if bits >= STATE_BITS or keys.min(initial=0) < 0 or int(keys.max(initial=0)) >> (STATE_BITS - bits):
        order = np.argsort(keys, kind="stable")
        return keys[order], values[order]
    pairs = in_order(keys << bits | values, bits)
    values = (pairs & (1 << bits) - 1).astype(values.dtype, copy=False)
    pairs >>= bits
    return pairs, values


def broadcast(answer: Any, keys: Keys) -> Keys:
    """The answer of a rule, array or scalar, as an int64 for each state; raises TypeError for no integers."""
    answers = np.asarray(answer)
    if not np.can_cast(answers.dtype, np.int64):
        raise TypeError(
            f"the answers are not integers but {answers.dtype if answers.ndim else shown(answer)}"
        )
    integers = answers.astype(np.int64, copy=False)
    return integers if integers.shape == keys.shape else np.broadcast_to(integers, keys.shape)


def batch_answers(game: PackedGame, rule: str, states: Keys, *action: int) -> Keys:
    """The answers of a rule, which may take an action, for an array of states; raises `BrokenRules`."""
    with rules_asked(game, rule):
        return broadcast(getattr(game, rule)(states.view(array_type(game)), *action), states)


def representatives(game: PackedGame, states: Keys) -> Keys:
    """The canonical state of each state's class; raises `BrokenRules`."""
    if type(game).canonical is not Game.canonical:  # not the least state of the class
        return np.array([representative(game, state) for state in states.tolist()], np.int64)
    images = (image_of(game, symmetry.state, states) for symmetry in symmetries_of(game))
    return reduce(np.minimum, images, states)


def image_of(game: PackedGame, turn: Callable[[Any], Any], states: Keys) -> Keys:
    """The images of the states under a map that the rules tell; raises `BrokenRules`."""
    with rules_asked(game, "symmetries"):
        return broadcast(turn(states.view(array_type(game))), states)


class Folded(NamedTuple):
    """The representatives of an array of states."""

    states: Keys
    """The representative of each state."""
    signs: NDArray[np.int8]
    """-1 where a state's label is the negated label of its representative, otherwise 1: int8, (states,)."""

    def labels(self, labels: Keys) -> Keys:
        """The labels of the states, given the labels of their representatives."""
        return labels * self.signs


def fold(folding: Folding, states: Keys) -> Folded:
    """The representatives of the states, as by `Folding.fold` but unchecked; raises `BrokenRules`."""
    signs = np.ones(len(states), np.int8)
    if folding.is_signed:
        second = batch_answers(folding.game, "to_move", states) == SECOND
        states = np.where(second, batch_answers(folding.game, "exchanged", states), states)
        signs[second] = -1
    return Folded(representatives(folding.game, states) if folding.degree else states, signs)


def by_side(folding: Folding, states: Keys, *values: Keys) -> Iterator[tuple[Keys, ...]]:
    """Yield the representatives and their values; if signed, also exchanged states with negated values."""
    yield states, *values
    if folding.is_signed:
        exchanged = batch_answers(folding.game, "exchanged", states)
        yield representatives(folding.game, exchanged), *(-value for value in values)
