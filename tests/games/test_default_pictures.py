"""What `Game` draws by itself for the terminal."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.games.misbehaving import Fork


@dataclass(frozen=True)
class Drawn(Fork):
    """A game with a board and no `show`."""

    rows: tuple[tuple[str, ...], ...]
    cell_names: tuple[tuple[str, ...], ...] = ()

    def board(self, state: str) -> Any:
        return self.rows


@pytest.mark.parametrize(
    ("drawn", "shown"),
    [
        (Drawn((("x", "", "o"), ("", "king", ""))), "x .    o\n. king ."),
        (Drawn((("x", ""), ("", " ", "o")), (("a1", "b1", "c1"), ("a2",))), "x  b1\na2 .  o"),
        (Drawn(()), "root"),
    ],
    ids=["dots in empty cells", "names of empty cells", "without a board the position"],
)
def test_a_board_is_drawn_in_columns(drawn: Drawn, shown: str) -> None:
    assert drawn.show("root") == shown
