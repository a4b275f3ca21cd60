"""Nim, kayles, subtraction and chomp, against theory and published results."""

from collections.abc import Callable
from functools import cache, partial, reduce
from operator import xor
from typing import Any

import pytest

from solver.games.chomp import Chomp
from solver.games.kayles import Kayles
from solver.games.nim import Nim
from solver.games.subtraction import Subtraction
from tests.support.graphs import solved_graph
from tests.support.published import expected, published


@cache
def grundy(pins: int) -> int:
    """The Grundy value of a row of kayles, by definition: the least that no move leads to."""
    moves = [(left, pins - size - left) for size in (1, 2) for left in range(pins - size + 1)]
    options = {grundy(left) ^ grundy(right) for left, right in moves}
    return next(value for value in range(len(options) + 1) if value not in options)


def heaps_cancel(state: tuple[int, ...]) -> bool:
    return reduce(xor, state[1:]) == 0


def rows_cancel(game: Kayles, state: int) -> bool:
    rows = game.position(state).split()[0].split(".")
    return reduce(xor, [grundy(len(row)) for row in rows]) == 0


LOST: list[tuple[Any, Callable[[Any], bool]]] = [
    *((Nim(heaps), heaps_cancel) for heaps in [(1, 2, 3), (3, 4, 5), (2, 2, 2, 2), (7,), (1, 1, 6)]),
    *(  # only heaps of one turn it round
        (Nim(heaps, misere=True), lambda state: heaps_cancel(state) == (max(state[1:]) > 1))
        for heaps in [(1, 2, 3), (3, 4, 5), (2, 2, 2, 2), (1, 1, 1)]
    ),
    *((game, partial(rows_cancel, game)) for game in map(Kayles, (1, 2, 5, 9))),
    *(
        (
            Subtraction(30, tuple(range(1, most + 1)), misere=misere),
            lambda state, most=most, misere=misere: (state >> 1) % (most + 1) == misere,
        )
        for most in (1, 2, 3, 5)
        for misere in (False, True)
    ),
]
"""Games, and which states the player to move has lost: where heaps cancel each other, and the like."""


@pytest.mark.parametrize(("game", "is_lost"), LOST)
def test_positions_are_lost_exactly_where_theory_says(game: Any, is_lost: Callable[[Any], bool]) -> None:
    graph = solved_graph(game)
    assert len(graph) <= game.states_at_most()
    for state, node in graph.nodes.data():
        gain = node["value"] * (1 - 2 * node["to_move"])
        assert (gain == -1) == is_lost(state)


@pytest.mark.parametrize("heaps", published()["nim"]["arrangements"])
@pytest.mark.parametrize("misere", [False, True])
def test_number_of_nim_arrangements_is_the_published_one(heaps: str, misere: bool) -> None:
    game = Nim(tuple(map(int, heaps.split(","))), misere=misere)
    graph = solved_graph(game)
    assert len({state[1:] for state in graph}) == published()["nim"]["arrangements"][heaps]
    assert len(graph) <= game.states_at_most()


def test_grundy_values_of_kayles_are_published_ones() -> None:
    values = published()["kayles"]["grundy"]
    assert [grundy(pins) for pins in range(len(values))] == values


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 4), (3, 5), (2, 2), (3, 3), (4, 4)])
def test_chomp_has_only_the_published_winning_bite(rows: int, columns: int) -> None:
    bite = expected(f"chomp rows={rows} columns={columns}")["best_move"]
    game = Chomp(rows, columns)
    graph = solved_graph(game)
    children = {game.action_name(action): child for action, child in graph.nodes[0]["moves"]}
    assert [name for name, child in children.items() if graph.nodes[child]["value"] == 1] == [bite]
    assert [game.action_name(action) for action in graph.nodes[0]["best"]] == [bite]
    assert len(graph) <= game.states_at_most()


def test_largest_heap_fits_into_a_state() -> None:
    game = Subtraction(2**62 - 1, (1,))
    assert game.parse(game.position(game.initial + 1)) == game.initial + 1 < 2**63
