"""Moves as integers: decoding reverses encoding, in the order of the children."""

import numpy as np
from hypothesis import given, strategies as st

from solver.engines.loops.labels.ranges import MoveCode

FIRST = 1 << 40


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 8))), st.sampled_from([0, 7, FIRST]))
def test_decoding_returns_the_moves_sorted(moves: list[tuple[int, int]], first: int) -> None:
    code = MoveCode.of(first, first + 50, 9)
    assert code is not None
    children = np.array([first + child for child, _ in moves], np.int64)
    parents = np.array([parent for _, parent in moves], np.int32)
    decoded = code.decoded(*code.encoded(children, parents))
    assert [item.dtype for item in decoded] == [np.int64, np.int32]
    back = list(zip(*(item.tolist() for item in decoded), strict=True))
    assert back == sorted((first + child, parent) for child, parent in moves)


def test_move_code_is_none_for_moves_that_are_too_wide() -> None:
    assert MoveCode.of(0, (1 << 62) - 1, 1) is None
    assert MoveCode.of(0, (1 << 41) - 1, 1 << 21) == (0, 21)
    assert MoveCode.of(0, 1 << 41, 1 << 21) is None
    widest = MoveCode.of(5, 5 + (1 << 41) - 1, 1 << 21)
    assert widest is not None
    moves = np.array([5, 5 + (1 << 41) - 1]), np.array([0, (1 << 21) - 1], np.int32)
    assert [*map(list, widest.decoded(*widest.encoded(*moves)))] == [*map(list, moves)]
