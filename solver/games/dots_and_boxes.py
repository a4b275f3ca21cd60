"""Dots and boxes: draw lines between dots; who draws the fourth line of a box gets it and moves again.

A state is one integer: the side to move in the lowest bit, above it one bit a line, set when it is drawn,
and above them the net boxes of the first player, plus the number of all boxes so that it is not below 0.
Lines are numbered as in `solver.games.boxes`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.errors import BadParameter
from solver.game import FILLED, Look, Symmetry
from solver.games.boxes import Boxes
from solver.games.grid import MOST_CELLS, mover_of_bits, refuse_outside, turns
from solver.games.sides import unreadable
from solver.packed import STATE_BITS, Packed, PackedGame


@dataclass(frozen=True)
class DotsAndBoxes(PackedGame):
    """Draw lines; who closes a box gets it and moves again; the most boxes win, and the margin counts.

    Moves are the numbers of the lines, as the picture shows them.
    """

    rows: int = 2
    columns: int = 2

    look = Look(glyphs=dict.fromkeys(".-|", FILLED), ground="lattice")

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board without a box or one that cannot be packed."""
        refuse_outside(1, MOST_CELLS, rows=self.rows, columns=self.columns)
        needed = 1 + self.lines + (2 * self._grid.boxes).bit_length()
        if needed > STATE_BITS:
            raise BadParameter(
                f"{self.rows} rows and {self.columns} columns of boxes need {needed} bits; "
                f"a packed state has {STATE_BITS}"
            )

    @property
    def title(self) -> str:
        """The game and the size of its board."""
        return f"Dots and boxes on {self.rows} x {self.columns}"

    @property
    def lines(self) -> int:
        """The number of lines that can be drawn."""
        return self._grid.lines

    @property
    def action_count(self) -> int:
        """One action a line."""
        return self.lines

    @property
    def initial(self) -> int:
        """No lines, the first player to move."""
        return self._grid.boxes << (1 + self.lines)

    def to_move(self, state: Packed) -> Packed:
        """The player to move."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the line is not drawn yet."""
        return state >> (1 + action) & 1 == 0

    def result(self, state: Packed, action: int) -> Packed:
        """The line drawn; the boxes that it closes are counted for the mover, who then stays to move."""
        drawn, closed = state | 2 << action, 0
        for box in self._grid.boxes_at[action]:
            closed = closed + (drawn & box == box)
        turn = (state & 1) ^ (closed == 0)
        gain = closed * (1 - 2 * (state & 1))
        return (drawn >> 1 << 1) + (gain << (1 + self.lines)) + turn

    def is_terminal(self, state: Packed) -> Packed:
        """Whether all lines are drawn."""
        full = ((1 << self.lines) - 1) << 1
        return state & full == full

    def utility(self, state: Packed) -> Packed:
        """The number of the first player's boxes minus that of the second's."""
        return (state >> (1 + self.lines)) - self._grid.boxes

    def position(self, state: int) -> str:
        """The rows of lines, then the net boxes of the first player, and the side to move."""
        return f"{self._grid.written(self._marks(state))} {self.utility(state):+d} {self.players[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `-./|../.. +0 first`."""
        wanted = (
            f"rows of lines like {self._grid.written([''] * self.lines)} with - or | for each that is drawn, "
            "then the net boxes of the first player, such as +1, and first or second: the side to move"
        )
        words = text.lower().split()
        if len(words) != 3 or words[2] not in self.players:
            raise unreadable(text, wanted)
        marks = words[0].replace("/", "")
        nets = {f"{net:+d}": net for net in range(-self._grid.boxes, self._grid.boxes + 1)}
        if len(marks) != self.lines or not set(marks) <= {"-", "|", "."} or words[1] not in nets:
            raise unreadable(text, wanted)
        state = sum(2 << line for line, mark in enumerate(marks) if mark != ".")
        closed = len({box for boxes in self._grid.boxes_at for box in boxes if state & box == box})
        if abs(nets[words[1]]) > closed or (nets[words[1]] - closed) % 2:
            raise unreadable(text, f"{wanted}; {closed} closed boxes do not make a net of {words[1]}")
        return self.players.index(words[2]) | state | (nets[words[1]] + self._grid.boxes) << (1 + self.lines)

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of dots with level lines between them, and rows of upright lines, "" where none is drawn."""
        return self._grid.picture(self._marks(state), ".")

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The numbers of the lines."""
        return self._grid.picture([str(line) for line in range(self.lines)], "")

    def show(self, state: int) -> str:
        """The picture; a line that is not drawn shows its number."""
        width = len(str(self.lines - 1))
        texts = [
            mark * (width if mark == "-" else 1) or str(line) for line, mark in enumerate(self._marks(state))
        ]
        rows = self._grid.picture(texts, "+")
        return "\n".join(" ".join(f"{text:^{width}}" for text in row).rstrip() for row in rows)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board."""
        found = []
        for moved in turns(2 * self.rows + 1, self._grid.width):
            lines = [self._grid.places.index(moved[place]) for place in self._grid.places]
            found.append(Symmetry(self._image(lines), lines.__getitem__))
        return tuple(found)

    def _image(self, lines: Sequence[int]) -> Callable[[Packed], Packed]:
        image = mover_of_bits(lines)
        return lambda state: image(state) + (state >> (1 + self.lines) << (1 + self.lines))

    def _marks(self, state: int) -> list[str]:
        return [mark if state >> (1 + line) & 1 else "" for line, mark in enumerate(self._grid.marks)]

    @cached_property
    def _grid(self) -> Boxes:
        return Boxes(self.rows, self.columns)
