from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from solver.database.backwards import leading_to, plies_to

MOVES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)


@given(MOVES, st.lists(st.booleans(), min_size=8, max_size=8), st.booleans())
def test_leading_to_equals_definition(moves: list[tuple[int, int]], goal: list[bool], all_play: bool) -> None:
    expected, holds = list(goal), all if all_play else any
    after = [[child for parent, child in moves if parent == place] for place in range(len(goal))]
    for _ in goal:
        expected = [expected[at] or holds(expected[child] for child in after[at]) for at in range(len(goal))]
    parents, children = np.array(moves, np.int64).reshape(-1, 2).T
    assert leading_to(parents, children, np.array(goal), all_play=all_play).tolist() == expected


@given(MOVES, st.lists(st.booleans(), min_size=8, max_size=8), st.booleans())
def test_plies_to_matches_the_definition(
    moves: list[tuple[int, int]], goal: list[bool], all_play: bool
) -> None:
    after = [[child for parent, child in moves if parent == place] for place in range(len(goal))]
    holds = all if all_play else any
    expected = [0 if goal[at] or (all_play and not after[at]) else -1 for at in range(len(goal))]
    for plies in range(1, len(goal)):
        reached = [before >= 0 for before in expected]
        for place, children in enumerate(after):
            if not reached[place] and holds(reached[child] for child in children):
                expected[place] = plies
    parents, ends = np.array(moves, np.int64).reshape(-1, 2).T
    assert plies_to(parents, ends, np.array(goal), all_play=all_play).tolist() == expected


@pytest.mark.parametrize("all_play", [False, True])
def test_leading_to_takes_linear_time_in_long_play(all_play: bool) -> None:
    read = list[int]()

    class Parents(np.ndarray[tuple[int], np.dtype[np.int64]]):
        def __getitem__(self, key: Any) -> Any:
            read.append(np.size(key))
            return super().__getitem__(key)

    plies = 500
    parents = np.arange(plies)
    goal = np.arange(plies + 1) == plies
    assert leading_to(parents.view(Parents), parents + 1, goal, all_play=all_play).all()
    assert sum(read) <= 10 * plies
