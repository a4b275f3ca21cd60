"""Morris against published results, and with mills against independent rules on rings and sets."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from solver import open_database, solve
from solver.database.packed.reader import PackedDatabase
from solver.games.morris import BOARDS, Morris
from solver.games.morris_boards import MILL_BOARDS, Points
from solver.rules.arrays import representatives
from tests.support.graphs import labels_by_position, solved_graph
from tests.support.plain_retrograde import retrograde
from tests.support.published import expected, published

Point = tuple[int, int]
"""A ring, 0 the outer one, and the place in it, clockwise from the top left; corners are even."""


class Position(NamedTuple):
    stones: tuple[frozenset[Point], frozenset[Point]]
    placed: int
    side: int
    taking: bool


class Rings:
    """Mills as concentric squares, whose middles are joined."""

    def __init__(self, rings: int, men: int) -> None:
        self.men, self.points = men, [(ring, place) for ring in range(rings) for place in range(8)]
        corners = [(ring, corner) for ring in range(rings) for corner in (0, 2, 4, 6)]
        sides = [[(ring, (corner + nth) % 8) for nth in range(3)] for ring, corner in corners]
        self.mills = [frozenset(side) for side in sides]
        self.ways = {frozenset(step) for side in sides for step in pairwise(side)}
        middles = [(ring, corner + 1) for ring, corner in corners]
        self.ways |= {frozenset([(ring, place), (ring + 1, place)]) for ring, place in middles}

    def moves(self, position: Position) -> list[Position]:
        own, other = position.stones[position.side], position.stones[1 - position.side]
        if position.taking:
            milled = frozenset[Point]().union(*(mill for mill in self.mills if mill <= other))
            return [self._after(position, own, other - {point}) for point in (other - milled or other)]
        empty = [point for point in self.points if point not in own | other]
        if position.placed < 2 * self.men:
            entered = [(own | {point}, point) for point in empty]
        else:
            steps = [(left, point) for left in own for point in empty if {left, point} in self.ways]
            entered = [(own - {left} | {point}, point) for left, point in steps if len(own) > 2]
        return [self._after(position, after, other, point) for after, point in entered]

    def _after(
        self, position: Position, own: frozenset[Point], other: frozenset[Point], entered: Point | None = None
    ) -> Position:
        taking = bool(other) and any(entered in mill and mill <= own for mill in self.mills)
        placed = position.placed + (entered is not None and position.placed < 2 * self.men)
        stones = (other, own) if position.side else (own, other)
        return Position(stones, placed, position.side if taking else 1 - position.side, taking)


START = Position((frozenset(), frozenset()), 0, 0, False)

SIDES = ((0, 1, 2), (0, 3, 5), (2, 4, 7), (5, 6, 7))
RING = Points((3, 2, 3), SIDES, SIDES, 3, (), ((0, 1, 2), (0, 2), (0, 1, 2)))


def text(rings: Rings, position: Position) -> str:
    """The position as `Morris` writes it: points by the place on a drawn board."""
    size = 1 + 2 * (1 + max(ring for ring, _ in rings.points))
    middle, places = size // 2, {}
    ways = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
    for ring, place in rings.points:
        far, (down, right) = middle - ring, ways[place]
        places[middle + down * far, middle + right * far] = (ring, place)
    rows: dict[int, str] = {}
    first, second = position.stones
    for (row, _), point in sorted(places.items()):
        rows[row] = rows.get(row, "") + ("x" if point in first else "o" if point in second else ".")
    left = 2 * rings.men - position.placed
    words = ["/".join(rows.values()), "xo"[position.side], str(left) * (left > 0), "takes" * position.taking]
    return " ".join(filter(None, words))


@pytest.mark.parametrize(("number", "men"), [(1, 3), (1, 4), pytest.param(2, 3, marks=pytest.mark.slow)])
def test_labels_equal_those_by_independent_rules(
    number: int, men: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one or two rings, with three or four men for each side."""
    board, rings = RING if number == 1 else MILL_BOARDS["six"], Rings(number, men)
    monkeypatch.setitem(MILL_BOARDS, "few", replace(board, stones=men))
    expected = retrograde(
        START,
        lambda position: position.side,
        lambda position: None if rings.moves(position) else 1 - position.side,
        rings.moves,
    )
    actual = labels_by_position(Morris("few"))
    assert actual == {text(rings, item): label for item, label in expected.items()}


def test_moves_of_six_mens_morris_equal_independent_rules() -> None:
    game, rings, random = Morris("six"), Rings(2, 6), Random(6)
    ends = Counter[int]()
    for _ in range(12):
        position, state = START, game.initial
        for _ in range(60):
            assert game.position(state) == text(rings, position)
            children = {text(rings, child): child for child in rings.moves(position)}
            actual = {game.position(game.result(state, action)): action for action in game.actions(state)}
            assert actual.keys() == children.keys()
            if not actual:
                assert game.utility(state) == (1 if position.side else -1)
                break
            chosen = random.choice([name for name in sorted(actual) if "takes" in name] or sorted(actual))
            state, position = game.result(state, actual[chosen]), children[chosen]
        ends[len(position.stones[position.side])] += game.is_terminal(state)
    assert ends[2] > 0


@pytest.mark.slow
def test_six_mens_morris_has_the_published_value_and_states(tmp_path: Path) -> None:
    game, known, path = Morris("six"), published()["morris_with_mills"]["six"], tmp_path / "six.db"
    solve(game, path, fold=True, engine="arrays")
    with open_database(path) as db:
        assert isinstance(db, PackedDatabase)
        states: Any = np.concatenate([batch.keys for batch in db.states()])
        assert db[db.start].value == expected("morris variant=six")["value"]
    images = [states, *(symmetry.state(states) for symmetry in game.symmetries())]
    orbits = len(images) // sum((image == states).astype(np.int64) for image in images)
    between_turns = [not game.position(state).endswith("takes") for state in states.tolist()]
    assert orbits[between_turns].sum() == known["states"]


def test_tapatan_has_published_classes_and_one_winning_opening() -> None:
    game, known = Morris(), published()["tapatan"]
    graph = solved_graph(game)
    assert len({*representatives(game, np.array([*graph])).tolist()}) == known["classes"]
    assert [graph.nodes[child]["value"] for _, child in graph.nodes[0]["moves"]] == known["openings"]
    assert graph.nodes[0]["best"] == [4]


@pytest.mark.parametrize("variant", BOARDS)
def test_show_has_every_point(variant: str) -> None:
    game = Morris(variant)
    shown = game.show(game.initial).split()
    assert shown == [str(point) for point in range(len(shown))]
    assert [len(row) for row in game.board(game.initial)] == list(BOARDS[variant].widths)
