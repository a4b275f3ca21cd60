from typing import ClassVar

import pytest

from exporters import boards
from exporters.boards import Board
from solver.game import Cell
from tests.exporters.support.small_plans import Handmade


@pytest.mark.parametrize(
    ("before", "after", "changed", "played"),
    [
        ([[["w", "", "b"]]], [["", "w", "b"]], [(0, 0), (0, 1)], [(0, 1)]),  # moved
        ([[["o", "o"]]], [["o", ""]], [(0, 1)], [None]),  # taken away
        ([[["w", "b", ""]]], [["w", "w", "w"]], [(0, 1), (0, 2)], [None]),  # turned over
        ([[["x", ""]], [["", "x"]]], [["x", "x"]], [], [(0, 1), (0, 0)]),  # two ways to fill different cells
        ([[["x", ""]], [["x", ""]]], [["x", "o"]], [(0, 1)], [(0, 1), (0, 1)]),  # and the same
        ([None], [["x"]], [(0, 0)], [(0, 0)]),
        ([[["x"]]], None, [], [None]),
        ([], [["x"]], [], []),  # where play begins
    ],
)
def test_move_yields_changed_cells_and_played_cell(
    before: list[Board | None], after: Board | None, changed: list[Cell], played: list[Cell | None]
) -> None:
    drawn = {str(number): board for number, board in enumerate([*before, after]) if board}
    game = Handmade(dict.fromkeys(map(str, range(len(before) + 1)), 0), drawn)
    states = [str(number) for number in range(len(before))]
    assert boards.cells_changed(game, states, str(len(before))) == changed
    assert [boards.cell_played(game, state, str(len(before))) for state in states] == played


class Named(Handmade):
    cell_names: ClassVar[list[list[str]]] = [["a1", ""], ["a2"]]


def test_coordinates_allow_ragged_rows_and_unnamed_cells() -> None:
    assert boards.coordinates_of(Named({"a": 0})) == (["a", ""], ["1", "2"])
    assert boards.coordinates_of(Handmade({"a": 0})) is None
    assert boards.names_in_cells(Handmade({"a": 0})) == {}
