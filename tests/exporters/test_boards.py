import pytest

import solver
from exporters import boards, palette
from solver.rules.asking import owner_of
from tests.exporters.support.small_plans import Handmade


@pytest.mark.parametrize(
    ("game", "owners", "paints"),
    [
        ("tictactoe", {"x": 0, "o": 1}, {0: "first", 1: "second"}),
        ("hexapawn", {"w": 0, "b": 1}, {0: "white", 1: "black"}),
        ("othello", {"b": 0, "w": 1}, {0: "black", 1: "white"}),
        ("chess-ending", {"K": 0, "R": 0, "k": 1, "q": 1}, {0: "first", 1: "second"}),
        ("lgame", {"x": 0, "o": 1, "n": None}, {0: "first", 1: "second"}),
        ("nim", {"o": None}, {0: "first", 1: "second"}),
    ],
)
def test_marks_have_the_colours_of_their_owners(
    game: str, owners: dict[str, int | None], paints: dict[int | None, str]
) -> None:
    rules = solver.load_game(game)
    assert {mark: owner_of(rules, mark) for mark in owners} == owners
    for mark, player in owners.items():
        assert palette.paint(rules, owner_of(rules, mark)) == paints.get(player, "neither")


def test_marks_that_both_may_place_are_nobodys() -> None:
    wild = solver.load_game("mnk", {"wild": True})
    assert owner_of(wild, "x") is owner_of(wild, "o") is None


def test_the_rules_say_what_is_drawn_for_a_mark() -> None:
    assert [palette.glyph(solver.load_game("chess-ending"), mark) for mark in "Kk"] == ["♔", "♚"]
    assert [palette.glyph(solver.load_game("tictactoe"), mark) for mark in ("x", "")] == ["x", ""]
    assert palette.glyph(solver.load_game("nim"), "") == "·"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (["x........"], "x...o....", (1, 1)),
        (["xo..x...."], "xo..x...o", (2, 2)),
        (["xo..x....", "x...x...o"], "xo..x...o", None),  # two ways that end with different cells
        ([], "x...o....", None),  # where play begins
    ],
)
def test_the_cell_played_last_is_known_where_all_ways_agree(
    before: list[str], after: str, expected: tuple[int, int] | None
) -> None:
    game = solver.load_game("tictactoe")
    assert boards.cell_played(game, map(game.parse, before), game.parse(after)) == expected


def test_a_man_that_moves_is_marked_where_it_arrives() -> None:
    game = Handmade({"a": 0, "b": 0}, {"a": [["w", "", "b"]], "b": [["", "w", "b"]]})
    assert boards.cell_played(game, ["a"], "b") == (0, 1)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([[["w", "", "b"]]], [["", "w", "b"]], [(0, 0), (0, 1)]),  # moved
        ([[["o", "o"]]], [["o", ""]], [(0, 1)]),  # taken away
        ([[["w", "b", ""]]], [["w", "w", "w"]], [(0, 1), (0, 2)]),  # turned over
        ([[["x", ""]], [["", "x"]]], [["x", "x"]], []),  # two ways that end with different cells
        ([None], [["x"]], [(0, 0)]),
        ([[["x"]]], None, []),
    ],
)
def test_a_move_changes_these_cells(
    before: list[list[list[str]] | None], after: list[list[str]] | None, expected: list[tuple[int, int]]
) -> None:
    drawn = {str(number): board for number, board in enumerate([*before, after]) if board}
    game = Handmade(dict.fromkeys(map(str, range(len(before) + 1)), 0), drawn)
    states = [str(number) for number in range(len(before))]
    assert boards.cells_changed(game, states, str(len(before))) == expected
