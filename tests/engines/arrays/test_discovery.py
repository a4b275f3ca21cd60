from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from solver import solve
from solver.engines.arrays import discovery
from solver.engines.arrays.asking import NARROW, Asker, Expansion, PackedAsker
from solver.engines.graph_states import explore, is_layered
from solver.game import AnyGame
from solver.games.connect import Connect
from solver.packed import Packed
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.games.packed import Ladder, Table, loops, mirrored_loops
from tests.support.numbered import discovered, numbered


@given(explicit_games(starts=3))
def test_states_match_the_graph_in_order_and_depth(game: ExplicitGame) -> None:
    actual, graph = numbered(game), explore(game)
    assert actual.states == list(graph)
    assert actual.depths.tolist() == [depth for _, depth in graph.nodes.data("depth")]
    assert actual.is_layered == is_layered(graph)
    assert actual.starts == graph.graph["starts"]


@settings(max_examples=40)
@given(st.one_of(loops(), mirrored_loops()), st.booleans())
def test_array_expansion_matches_single_state_expansion(table: Table, fold: bool) -> None:
    states = numbered(table).states * (NARROW + 1)
    assert PackedAsker(table, fold=fold).expansion(states) == Asker(table, fold=fold).expansion(states)


@pytest.fixture
def slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with one processor, on which a minute passes between two looks at the clock."""
    clock = count(0, 60)
    monkeypatch.setattr("solver.engines.arrays.rules_pool.perf_counter", lambda: next(clock))
    monkeypatch.setattr("solver.engines.arrays.rules_pool.cores", lambda: 1)


@pytest.mark.usefixtures("slow_machine")
def test_slow_packed_rules_are_still_applied_to_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def expansion(asker: PackedAsker, states: Sequence[int]) -> Expansion:
        asked.append(len(states))
        return Asker.expansion(asker, states)

    monkeypatch.setattr(PackedAsker, "expansion", expansion)
    levels = np.diff(numbered(Connect(3, 4, 3)).stage_bounds, prepend=0).tolist()
    assert max(levels) > 4 * NARROW
    rests = [level % (2 * NARROW) for level in levels]
    assert [size for size in asked if size <= NARROW] == [rest for rest in rests if 0 < rest <= NARROW]


CHAIN = ExplicitGame((*((state + 1,) for state in range(50)), ()), 51 * (0,), 51 * (0,))


@pytest.mark.parametrize("game", [Connect(3, 3, 3), CHAIN], ids=["a short game", "a chain"])
def test_discovery_returns_none_above_the_state_limit(game: AnyGame) -> None:
    states = len(numbered(game))
    assert discovered(game, at_most=states) is not None
    assert discovered(game, at_most=states - 1) is None


@pytest.mark.parametrize(("fold", "most"), [(False, 3), (True, 2)])
def test_discovery_stops_reading_starts_at_the_state_limit(fold: bool, most: int) -> None:
    class Begun(Connect):
        def initial_states(self) -> Iterator[int]:
            yield from (self.result(self.initial, column) for column in (0, 2, 1))
            raise AssertionError("one more was asked for")

    assert discovered(Begun(3, 3, 3), at_most=most - 1, fold=fold) is None


def test_actions_beyond_two_bytes_are_stored_wider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "MAX_SHORT", 100)
    wide = ExplicitGame(((*[1] * 150,), (*[2] * 300,), ()), (0, 1, 0), (0, 0, 1))
    actual = numbered(wide)
    assert actual.played.tolist() == [*range(150), *range(300)]
    assert actual.grown_played.typecode == "I"
    for engine in ("graph", "arrays"):
        solve(wide, tmp_path / f"{engine}.db", engine=engine)
    assert (tmp_path / "graph.db").read_bytes() == (tmp_path / "arrays.db").read_bytes()


@pytest.mark.usefixtures("slow_machine")
def test_legal_calls_do_not_grow_with_the_number_of_states() -> None:
    """In a tree of three generations, in which each state has thirty children by actions of its own."""
    asked = list[int]()

    class Tree(Ladder):
        action_count = 2000

        def is_terminal(self, state: Packed) -> Packed:
            return state > 30 * 30

        def candidates(self, state: int) -> Sequence[int]:
            return range(state % 60 * 30, state % 60 * 30 + 30)

        def legal(self, state: Packed, action: int) -> Packed:
            asked.append(action)
            return (action >= state % 60 * 30) & (action < state % 60 * 30 + 30)

        def result(self, state: Packed, action: int) -> Packed:
            return 30 * state + 1 + (action - state % 60 * 30)

    actual = discovered(Tree())
    assert actual is not None
    assert len(actual) > 30**3
    assert len(asked) < 3 * 2000
