"""A game whose names would break output that does not escape them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from solver.game import Game

LONG = "long" * 1250
"""5,000 characters."""

TEXTS = (
    *("""both "quotes' and `backticks`""", "<script>alert(1)</script>", "</script><!--<script>"),
    *("--></title></style></svg>", "]]><![CDATA[", "<b onclick='x'>&amp;&lt;&#65;&nosuch;"),
    *('" onload="alert(1)', r"\N\G\E\L\l\n", "ends in a backslash\\", "<<b>html-like</b>>"),
    *("{a|b}<port>:n;[x=y]", "=1+1", "turned \u202eround\u2066 and \u200fmarked"),
    *("zero\u200bwidth\u2060\ufeff\xad", "\x1b[31mred\x1b]0;title\x07\x1b[2J", "\x9b31meight bits\x85"),
    *("\x00 nothing \x7f\b\r\v\f", "two\nlines\u2028\u2029"),
    *("astral \U0001d4b3 and \U0001d173 and \U000e0001", "no character \ufffe\uffff"),
)
"""Each text is a move, a mark on the board and, after a word, a position."""

COLUMNS = 6
"""The number of cells in a row of the board."""


@dataclass(frozen=True)
class Hostile(Game[str, str]):
    r"""Play <script>alert("the first line")</script> \N &amp; ‮turned ​.

    And more: </script> "quotes" \G \\ &lt;b&gt;
    """

    word: str = "</script>"
    long: bool = False
    kind: int = 1

    players: ClassVar[tuple[str, str]] = (f"{TEXTS[1]}\\N\u202e\x1b[31m{TEXTS[0]}", "o\x07 \\G <b>&amp;")

    @property
    def texts(self) -> Sequence[str]:
        return (*TEXTS, LONG) if self.long else TEXTS

    @property
    def initial(self) -> str:
        return f"start {TEXTS[1]} {TEXTS[7]} {TEXTS[12]} {TEXTS[14]} {TEXTS[0]}"

    def to_move(self, state: str) -> int:
        return int(state.startswith("reply "))

    def actions(self, state: str) -> Sequence[str]:
        if state.startswith("start "):
            return self.texts
        return TEXTS[:2] if state.startswith("reply ") else ()

    def result(self, state: str, action: str) -> str:
        if state.startswith("start "):
            return f"reply {action}"
        won = "won" if action == TEXTS[0] else "lost"
        return f"{won} {state.removeprefix('reply ')}"

    def utility(self, state: str) -> int:
        return -self.kind if state.startswith("won ") else self.kind

    def board(self, state: str) -> Sequence[Sequence[str]]:
        """A cell for each move: the first player's move fills it with itself, the second's with a name."""
        kind, _, rest = state.partition(" ")
        cells = [text if text == rest and kind != "start" else "" for text in self.texts]
        cells += [self.players[1] if kind == end else "" for end in ("won", "lost")]
        cells += [""] * (-len(cells) % COLUMNS)
        return [cells[begin : begin + COLUMNS] for begin in range(0, len(cells), COLUMNS)]

    def show(self, state: str) -> str:
        return "\n".join(" | ".join(row) for row in self.board(state))
