"""What `Game` draws by itself for the terminal."""

from dataclasses import dataclass
from typing import Any

from solver import Game


@dataclass(frozen=True)
class Drawn(Game[str, str]):
    """A game with a board and no `show`."""

    rows: tuple[tuple[str, ...], ...]
    cell_names: tuple[tuple[str, ...], ...] = ()
    initial = "start"

    def to_move(self, state: str) -> int:
        return 0

    def actions(self, state: str) -> list[str]:
        return []

    def result(self, state: str, action: str) -> str:
        return state

    def utility(self, state: str) -> int:
        return 0

    def board(self, state: str) -> Any:
        return self.rows


def test_a_board_is_drawn_in_columns_with_a_dot_in_empty_cells() -> None:
    assert Drawn((("x", "", "o"), ("", "king", ""))).show("start") == "x .    o\n. king ."


def test_empty_cells_show_their_names_where_these_are_known() -> None:
    names = (("a1", "b1", "c1"), ("a2",))
    assert Drawn((("x", ""), ("", " ", "o")), names).show("start") == "x  b1\na2 .  o"


def test_without_a_board_the_position_is_shown() -> None:
    assert Drawn(()).show("start") == "start"
