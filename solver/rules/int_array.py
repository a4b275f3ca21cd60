"""Arrays of states that compute as Python's integers do, so that packed rules mean the same for both.

    (state == 1) + (state > 0)        of 1: 2        of NumPy's array [1]: [True]        of IntArray [1]: [2]

Only rules that compute with truths in such a way need them.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from solver.packed import PackedGame

TRUTH = np.dtype(np.bool_)


class IntArray(np.ndarray[Any, Any]):
    """An array among whose integers a truth is 0 or 1, and in which nothing is changed in place.

    NumPy takes the sum of two truths for a truth, refuses their difference, and inverts one to the other. By
    `a += b` it changes all that shares the array `a`; Python makes a new integer.
    """

    differences = 0
    """How often, in any array, NumPy would have computed something else than Python."""


def array_type(game: PackedGame) -> type[np.ndarray[Any, Any]]:
    """The type of arrays of states about which packed rules are asked.

    An `IntArray` takes up to four times as long as NumPy's own, which is asked where that computes the same.
    """
    try:
        return np.ndarray if _is_plain(game) else IntArray
    except TypeError:  # the rules have no hash
        return IntArray


@lru_cache
def _is_plain(game: PackedGame) -> bool:
    """Whether NumPy computes what Python does by all rules, which apply the same operators to any states."""
    before = IntArray.differences
    try:
        states: Any = np.array([game.initial]).view(IntArray)
        for rule in (game.to_move, game.is_terminal, game.utility, game.ply, game.tier, game.exchanged):
            rule(states)
        for action in range(game.action_count):
            game.result(states, action)
            game.legal(states, action)
        for symmetry in game.symmetries():
            symmetry.state(states)
    except (Exception, SystemExit):
        return False
    return IntArray.differences == before


def _is_truth(operand: Any) -> bool:
    """Whether it is a truth of Python's, or an array of truths; with one of NumPy's Python computes alike."""
    return isinstance(operand, bool) or (isinstance(operand, np.ndarray) and operand.dtype is TRUTH)


def _of_integers(name: str, *, in_place: bool = False) -> Callable[..., Any]:
    """The operator of arrays of this name, but with integers for truths if there is nothing else."""
    operate, differs = getattr(np.ndarray, name), name.strip("_") not in SAME_OF_TRUTHS

    def operator(array: Any, *others: Any) -> Any:
        of_truths = differs and all(map(_is_truth, (array, *others)))
        IntArray.differences += of_truths or in_place
        return operate(array.astype(np.int64) if of_truths else array, *others)

    return operator


BINARY = ("add", "sub", "mul", "lshift", "rshift", "and", "or", "xor", "floordiv", "mod", "pow")
SAME_OF_TRUTHS = ("mul", "rmul", "and", "rand", "or", "ror", "xor", "rxor")
"""The operators by which NumPy, too, makes 0 or 1 of two truths."""

for _name in ("neg", "pos", "invert", *BINARY, *(f"r{each}" for each in BINARY)):
    setattr(IntArray, f"__{_name}__", _of_integers(f"__{_name}__"))
for _name in BINARY:
    setattr(IntArray, f"__i{_name}__", _of_integers(f"__{_name}__", in_place=True))
