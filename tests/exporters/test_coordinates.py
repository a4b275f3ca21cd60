from typing import Any, ClassVar

import pytest

import solver
from exporters.boards import coordinates_of, names_in_cells
from tests.exporters.support.small_plans import Handmade


@pytest.mark.parametrize(
    ("name", "parameters", "columns", "rows"),
    [
        ("chess-ending", {}, "abcdefgh", "87654321"),
        ("hexapawn", {}, "abc", "321"),
        ("othello", {"rows": 4, "columns": 4}, "abcd", "1234"),
        ("quixo", {"rows": 2, "columns": 3, "k": 3}, "abc", "12"),
        ("connect", {"rows": 2, "columns": 3, "k": 2}, "012", ""),
        ("kayles", {"n": 4}, "0123", ""),
    ],
)
def test_names_of_columns_and_rows_make_those_of_the_cells(
    name: str, parameters: dict[str, Any], columns: str, rows: str
) -> None:
    game = solver.load_game(name, parameters)
    actual = coordinates_of(game)
    assert actual is not None
    assert ("".join(actual.columns), "".join(actual.rows)) == (columns, rows)
    assert names_in_cells(game) == {}


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("tictactoe", {(0, 0): "0", (2, 2): "8"}),
        ("ponghauki", {(0, 0): "0", (1, 1): "2", (2, 2): "4"}),
        ("lgame", {(0, 0): "a", (3, 3): "p"}),
        ("chomp", {(0, 0): "0,0", (2, 3): "2,3"}),
        ("domineering", {(0, 0): "0", (2, 3): "11"}),
        ("dots-and-boxes", {(0, 1): "0", (1, 0): "2"}),
    ],
)
def test_other_names_are_written_into_the_cells(name: str, names: dict[tuple[int, int], str]) -> None:
    game = solver.load_game(name)
    assert coordinates_of(game) is None
    actual = names_in_cells(game)
    assert {cell: actual[cell] for cell in names} == names
    assert "" not in actual.values()


class Named(Handmade):
    cell_names: ClassVar[list[list[str]]] = [["a1", ""], ["a2"]]


def test_rows_may_be_of_different_length_and_cells_without_a_name() -> None:
    assert coordinates_of(Named({"a": 0})) == (["a", ""], ["1", "2"])
    assert coordinates_of(Handmade({"a": 0})) is None
    assert names_in_cells(Handmade({"a": 0})) == {}
