from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from solver.database.columns import MISSING
from solver.engines.arrays.numbered import label, predecessors
from solver.engines.graph_states import explore, label as label_graph
from solver.game import ENDLESS
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.numbered import numbered


@settings(max_examples=60)
@given(explicit_games(starts=3), st.sampled_from(list(ENDLESS)), st.sampled_from([1, 2, 1000]))
def test_labels_equal_the_graph_for_any_chunk_size(game: ExplicitGame, endless: str, most: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("solver.engines.arrays.numbered.MOVES_AT_ONCE", most)
        actual = numbered(game)
        labels = label(actual, endless)
    graph = explore(game)
    label_graph(graph, endless)
    assert actual.states == list(graph)
    for state, value, plies in zip(actual.states, labels.values, labels.remoteness, strict=True):
        node = graph.nodes[state]
        assert (value, None if plies == MISSING else plies) == (node["value"], node["remoteness"])


@given(explicit_games(starts=3), st.integers(1, 9))
def test_predecessors_contain_each_move_once(game: ExplicitGame, most: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("solver.engines.arrays.numbered.MOVES_AT_ONCE", most)
        patched.setattr("solver.engines.arrays.numbered.MAX_PARTS", 100)
        actual = numbered(game)
        offsets, parents = predecessors(actual)
    children = np.repeat(np.arange(len(actual)), np.diff(offsets))
    backwards = sorted(zip(parents.tolist(), children.tolist(), strict=True))
    moves = [(state, child) for state in actual.states for child in game.children[state]]
    assert backwards == sorted((actual.states.index(a), actual.states.index(b)) for a, b in moves)


def test_ends_are_not_read_again_for_each_utility() -> None:
    read = list[int]()

    class Ends(np.ndarray[tuple[int], np.dtype[np.int64]]):
        def __getitem__(self, key: Any) -> Any:
            read.append(np.size(key))
            return super().__getitem__(key)

    leaves = 64
    game = numbered(ExplicitGame((tuple(range(1, leaves + 1)), *[()] * leaves), (0,) * 65, tuple(range(65))))
    game.ends = game.ends.view(Ends)
    assert label(game).values.tolist() == [leaves, *range(1, leaves + 1)]
    assert sum(read) <= 4 * leaves
