"""What `Game` draws by itself for the terminal."""

from dataclasses import dataclass
from typing import Any

from tests.support.games.misbehaving import Fork


@dataclass(frozen=True)
class Drawn(Fork):
    """A game with a board and no `show`."""

    rows: tuple[tuple[str, ...], ...]
    cell_names: tuple[tuple[str, ...], ...] = ()

    def board(self, state: str) -> Any:
        return self.rows


def test_a_board_is_drawn_in_columns_with_a_dot_in_empty_cells() -> None:
    assert Drawn((("x", "", "o"), ("", "king", ""))).show("root") == "x .    o\n. king ."


def test_empty_cells_show_their_names_where_these_are_known() -> None:
    names = (("a1", "b1", "c1"), ("a2",))
    assert Drawn((("x", ""), ("", " ", "o")), names).show("root") == "x  b1\na2 .  o"


def test_without_a_board_the_position_is_shown() -> None:
    assert Drawn(()).show("root") == "root"
