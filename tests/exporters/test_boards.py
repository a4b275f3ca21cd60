from typing import ClassVar

import pytest

import solver
from exporters import boards
from tests.exporters.support.small_plans import Handmade


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


class Named(Handmade):
    cell_names: ClassVar[list[list[str]]] = [["a1", ""], ["a2"]]


def test_rows_may_be_of_different_length_and_cells_without_a_name() -> None:
    assert boards.coordinates_of(Named({"a": 0})) == (["a", ""], ["1", "2"])
    assert boards.coordinates_of(Handmade({"a": 0})) is None
    assert boards.names_in_cells(Handmade({"a": 0})) == {}
