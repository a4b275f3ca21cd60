"""Puzzles: exactly one move keeps the value, of each class one is taken, and the hardest come first.

Those of random rules are in `tests/whole/test_random_games.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from solver import Database
from solver.analysis.puzzles import hardest
from solver.analysis.puzzles.puzzle import Puzzle, Wanted
from solver.analysis.puzzles.wording import as_dict
from solver.game import ENDLESS, Symmetry
from tests.support.commandline import call
from tests.support.definitions import graph_puzzles
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.games.packed import Table
from tests.support.solved import solved, solving

run = partial(call, "puzzles")

ALL = 10_000


@pytest.fixture(scope="module")
def db() -> Iterator[Database]:
    """Tic-tac-toe after a corner, which has puzzles of all kinds and is soon searched."""
    with solved("tictactoe", start="x........") as opened:
        yield opened


@pytest.fixture(scope="module")
def every(db: Database) -> list[Puzzle]:
    return hardest(db, Wanted(ALL))


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(ALL, player=0),
        Wanted(ALL, player=1),
        Wanted(ALL, outcome="win"),
        Wanted(ALL, outcome="draw"),
        Wanted(ALL, plies=range(3, 5)),
        Wanted(ALL, plies=range(3, 10), player=1),
        Wanted(5, outcome="draw", plies=range(1, 10)),
    ],
)
def test_filters_select_exactly_the_wanted_puzzles(db: Database, every: list[Puzzle], wanted: Wanted) -> None:
    assert hardest(db, wanted) == [
        item
        for item in every
        if wanted.player in (None, "xo".index(item.entry.to_move))
        and wanted.outcome in (None, item.entry.outcome)
        and (wanted.plies is None or item.entry.remoteness in wanted.plies)
    ]


def test_first_puzzles_are_the_hardest(db: Database, every: list[Puzzle]) -> None:
    assert len(every) > 200
    for count in (1, 2, 7, 30):
        assert hardest(db, Wanted(count)) == every[:count]


@given(explicit_games(7), st.sampled_from(list(ENDLESS)), st.integers(1, 4))
@settings(max_examples=25)
def test_puzzles_equal_the_definition(game: ExplicitGame, endless: str, count: int) -> None:
    with solving(game, endless=endless) as db:
        actual = {int(item.entry.position): tuple(item.difficulty) for item in hardest(db, Wanted(ALL))}
        first = [int(item.entry.position) for item in hardest(db, Wanted(count))]
    assert actual == graph_puzzles(game, ENDLESS[endless])
    order = sorted(actual, key=lambda state: (*(-item for item in actual[state]), state))
    assert list(actual) == order
    assert first == order[:count]


@dataclass(frozen=True)
class Pairs(ExplicitGame):
    """States are tuples, whose texts are in another order: "(10,)" comes before "(9,)"."""

    @property
    def initial(self) -> Any:
        return (self.starts[0],)

    def initial_states(self) -> Any:
        return [(state,) for state in self.starts]

    def to_move(self, state: Any) -> Any:
        return self.movers[state[0]]

    def actions(self, state: Any) -> Any:
        return range(len(self.children[state[0]]))

    def result(self, state: Any, action: int) -> Any:
        return (self.children[state[0]][action],)

    def utility(self, state: Any) -> Any:
        return self.utilities[state[0]]

    def parse(self, text: str) -> Any:
        return (int(text.strip("(,)")),)

    def symmetries(self) -> Any:
        return [Symmetry(lambda state: ((state[0] + 10) % 20,), lambda action: action)]


@pytest.mark.parametrize(
    ("starts", "position"), [((9, 19), "(9,)"), ((8,), "(9,)"), ((9,), "(9,)"), ((19,), "(19,)")]
)
def test_reached_canonical_position_stands_for_its_class(starts: tuple[int, ...], position: str) -> None:
    """A choice between a win and a loss in 9 and in 19; 8 leads to both."""
    children = {8: (9, 19), 18: (19, 9), 9: (0, 1), 19: (10, 11)}
    every = tuple(children.get(state, ()) for state in range(20))
    game = Pairs(every, (0,) * 20, (1, *(-1,) * 9) * 2, starts)
    for fold in (False, True):
        with solving(game, fold=fold) as db:
            assert [item.entry.position for item in hardest(db, Wanted(ALL))] == [position]


def test_puzzle_with_a_move_to_the_longest_loss_is_found_in_any_tier() -> None:
    """From 0 and from 1 play can stay, or go to 2, which loses in one ply; from 1 in two ways."""
    children = (0, 2, -1, 1, 2, 2, 3, -1, -1, -1, -1, -1)
    game = Table(4, 3, children, (1, 1, 1, 0), (0, 0, 0, 1), (0, 1), tells=False, tiers=(0, 1, 2, 3))
    with solving(game, engine="arrays", layout="packed") as db:
        assert [item.entry.position for item in hardest(db, Wanted(1))] == ["1"]


def test_line_of_best_play_ends_at_the_first_repetition() -> None:
    """Two players who go to and fro; who leaves loses."""
    with solving(ExplicitGame(((1, 2), (0, 3), (), ()), (0, 1, 0, 0), (0, 0, -1, 1))) as db:
        puzzles = as_dict(db, hardest(db, Wanted(ALL)))["puzzles"]
    assert [item["line"] for item in puzzles] == [[0, 0], [0, 0]]


def test_missing_puzzles_are_reported_with_the_conditions(tictactoe_db_path: Path) -> None:
    words = "There is no puzzle: in no position of remoteness 8 does exactly one move keep the value.\n"
    assert run(tictactoe_db_path, "--plies", "8").stdout == words
    asked = run(tictactoe_db_path, "--for", "o", "--outcome", "win", "--remoteness", "9-10")
    assert "position with o to move that is a win of remoteness 9 to 10 does" in asked.stdout
