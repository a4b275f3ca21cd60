"""The contract of `Game`, for every built-in game."""

import re
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from exporters.boards import changes
from solver.errors import UnreadablePosition
from solver.game import AnyGame, Cell
from solver.games.morris import BOARDS
from solver.games.openspiel import OpenSpiel
from solver.packed import bit_count
from solver.rules.check import check
from solver.rules.loading import game_name, game_parameters, load_game
from solver.system.plugins import entries
from tests.games.test_texts import game_of

VARIANTS = [
    *("mnk rows=2 columns=3 k=2 wild=true misere=true", "mnk rows=3 columns=4 k=3"),
    *("chess-ending pieces=KNNKR", "connect rows=6 columns=7 k=4", "nim heaps=2,2,5 misere=true"),
    *("subtraction heap=30 take=7,2 misere=true", "kayles n=1", "kayles n=7 misere=true"),
    *("chomp rows=4 columns=4", "chomp rows=1 columns=1", "dots-and-boxes rows=1 columns=3"),
    *("domineering rows=4 columns=4 misere=true", "domineering rows=5 columns=2"),
    *("hexapawn rows=4 columns=5", "hexapawn rows=2 columns=1"),
    *("othello rows=4 columns=6", "othello rows=2 columns=6"),
    *(f"morris variant={variant}" for variant in ("six", *BOARDS) if variant != "tapatan"),
    *("quixo rows=3 columns=3 k=3", "quixo rows=2 columns=4 k=3"),
    *("teeko rows=3 columns=3", "teeko rows=4 columns=6 advanced=true"),
]
"""Parameters that change the rules or the shape; the defaults of every game are tested besides."""

CASES = {words: game_of(words) for words in [*entries("games"), *VARIANTS]}
every_game = pytest.mark.parametrize(
    "game",
    [pytest.param(CASES[name], id=name, marks=[pytest.mark.slow] * ("KNNKR" in name)) for name in CASES],
    scope="module",  # one game after the other
)


@pytest.fixture(params=[250, pytest.param(1000, marks=pytest.mark.slow)])
def most(request: pytest.FixtureRequest) -> int:
    """How many states of each game are tried."""
    return int(request.param)


@cache
def reached(game: AnyGame, most: int) -> list[Any]:
    """States that arise in play: along random games from some of the initial states."""
    random, firsts = Random(1), list(islice(game.initial_states(), 10_000))
    starts = random.sample(firsts, min(20, len(firsts)))
    actual = dict.fromkeys(starts)
    for walk in range(most):
        state = starts[walk % len(starts)]
        while len(actual) < most and (children := children_of(game, state)):
            known = len(actual)
            state = children[random.choice([*children])]
            actual[state] = None
            if len(actual) == known and random.random() < 0.1:
                break
    return list(actual)


@cache
def children_of(game: AnyGame, state: Any) -> dict[Any, Any]:
    """The state after each action."""
    return {action: game.result(state, action) for action in game.actions(state)}


@cache
def board_of(game: AnyGame, state: Any) -> Any:
    return game.board(state)


@every_game
def test_rules_have_no_fault(game: AnyGame, most: int) -> None:
    assert check(game, states=most // 5).faults == ()  # and half as many in random games


@every_game
def test_positions_are_read_back_with_surrounding_blanks(game: AnyGame, most: int) -> None:
    for state in reached(game, most):
        text = game.position(state)
        assert text.isascii()
        assert game.parse(f"  {text} ") == state
        assert {type(child) for child in children_of(game, state).values()} <= {type(state)}
        if game.is_terminal(state):
            assert type(game.utility(state)) is int


@every_game
def test_invalid_positions_are_refused_in_one_line(game: AnyGame) -> None:
    for text in ("", "   ", "?", "❌", "\0", "-1", "9" * 30, "first second", "x x x x x"):
        with pytest.raises(UnreadablePosition) as caught:
            game.parse(text)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) > len(repr(text)) + 20


@every_game
def test_symmetries_are_distinct_and_not_the_identity(game: AnyGame, most: int) -> None:
    sample = reached(game, most)
    images = [tuple(sample), *(tuple(map(symmetry.state, sample)) for symmetry in game.symmetries())]
    assert len(set(images)) == len(images)


@every_game
def test_every_state_is_shown_with_a_board_of_one_shape(game: AnyGame, most: int) -> None:
    shapes = set()
    for state in reached(game, most):
        assert game.show(state).strip()
        assert all(line.isprintable() for line in game.show(state).split("\n"))
        board = board_of(game, state)
        if isinstance(game, OpenSpiel):  # its pictures are of any kind, not all of cells
            assert board is None
            return
        assert board
        shapes.add(tuple(len(row) for row in board))
    assert len(shapes) == 1


@every_game
def test_docstring_begins_with_a_sentence(game: AnyGame) -> None:
    first = (type(game).__doc__ or "").partition("\n")[0]
    assert first.endswith(".")
    assert 20 < len(first) < 100


@given(st.integers(0, 2**63 - 1))
def test_bit_count_is_equal_for_integers_and_arrays(bits: int) -> None:
    assert bit_count(bits) == bits.bit_count()
    assert bit_count(np.array([bits])).tolist() == [bits.bit_count()]


@every_game
def test_look_fits_the_board(game: AnyGame, most: int) -> None:
    look, boards = game.look, [board_of(game, state) for state in reached(game, most)]
    marks = {mark for board in boards for row in board or () for mark in row}
    assert set(look.owners.values()) <= {0, 1}
    assert {mark for mark in look.owners if mark in game.players} == set()  # those go without saying
    assert all(len(glyph) == 1 and glyph.isprintable() for glyph in look.glyphs.values())
    if look.ground == "lattice":
        assert all(len(rows or ()) % 2 == len((rows or [[]])[0]) % 2 == 1 for rows in boards)
    for cell in (end for way in look.ways for end in way):
        assert all(board is not None and cell[1] < len(board[cell[0]]) for board in boards)
    drawn = {look.glyphs.get(mark, mark) for mark in marks if mark}
    assert len(drawn) == len(marks - {""}) or look.ground == "lattice"  # marks are told apart


@every_game
def test_moves_change_the_cells_that_they_name(game: AnyGame, most: int) -> None:
    cells: dict[str, set[Cell]] = {}
    for row, names in enumerate(game.cell_names):
        for column, name in enumerate(names):
            cells.setdefault(name, set()).add((row, column))
    cells.pop("", None)
    longest_first = "|".join(map(re.escape, sorted(cells, key=len, reverse=True)))
    changed: dict[str, set[Cell]] = {}
    for state in reached(game, most):
        for action, child in children_of(game, state).items():
            actual = changes(board_of(game, state), board_of(game, child))
            changed.setdefault(str(game.action_name(action)), set()).update(actual)
    named = {move: re.findall(longest_first, move) if cells else [] for move in changed}
    assert any(named.values()) == bool(cells and changed)
    for move, names in named.items():
        actual = [name for name in names if cells[name] & changed[move]]
        assert actual == names or (actual and len(names) > 2)  # an L may stay on some of its cells


def test_titles_differ_between_games_and_parameters() -> None:
    games = {repr(game): game for game in CASES.values()}
    for game in CASES.values():
        given = game_parameters(game)
        for name in (name for name, value in given.items() if isinstance(value, bool)):
            other = load_game(game_name(game), {**given, name: not given[name]})
            games[repr(other)] = other
    titles = [game.title for game in games.values()]
    assert all(title and title.isprintable() for title in titles)
    assert len(set(titles)) == len(titles)
