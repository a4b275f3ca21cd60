import tracemalloc
from types import SimpleNamespace
from typing import Any

import pytest

from solver import load_game
from solver.engines.options import SolveOptions
from solver.engines.states import STARTS_AT_ONCE, PackedStarts
from solver.errors import BrokenRules

KINGS, WITH_ROOK = 7_224, 399_112
"""The number of legal positions of two kings, and of these with a rook."""


@pytest.mark.parametrize(
    ("pieces", "number", "at_once"),
    [("KK", KINGS, 97), ("KK", KINGS, 5000), ("KK", KINGS, KINGS), ("KRK", WITH_ROOK, STARTS_AT_ONCE)],
)
def test_starts_are_read_in_parts_in_the_order_of_the_rules(
    pieces: str, number: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.engines.states.STARTS_AT_ONCE", at_once)
    game: Any = load_game("chess-ending", {"pieces": pieces})
    wanted, starts = [*game.initial_states()], PackedStarts(game, SolveOptions())
    assert len(wanted) == number
    assert max(len(part) for part in starts.parts()) <= at_once
    assert [*starts] == [*starts] == wanted
    assert starts.firsts.tolist() == wanted[:at_once]


@pytest.mark.parametrize("states", [(), (-1,), (2**63,), (0, 1, -1), (0, 1, 2**63), (0, 1.5), (0, "1")])
def test_invalid_starts_are_refused(states: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.engines.states.STARTS_AT_ONCE", 2)
    game: Any = SimpleNamespace(initial_states=lambda: states)
    with pytest.raises(BrokenRules):
        list(PackedStarts(game, SolveOptions()))


MANY = 1 << 16
"""Starts that are held at once."""


def test_many_starts_use_no_more_memory_than_one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.engines.states.STARTS_AT_ONCE", MANY)
    game: Any = SimpleNamespace(position=str, parse=int, states_at_most=lambda: 100)
    game.initial_states = lambda: (nth % 100 for nth in range(10 * MANY))  # of which few differ
    starts = PackedStarts(game, SolveOptions())
    tracemalloc.start()
    try:
        assert {state for part in starts.parts() for state in part[:100].tolist()} == {*range(100)}
        assert tracemalloc.get_traced_memory()[1] < 4 * 8 * MANY
    finally:
        tracemalloc.stop()
