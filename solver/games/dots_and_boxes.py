"""Dots and boxes: draw lines between dots; who draws the fourth line of a box gets it and moves again.

A state is one integer: the side to move in the lowest bit, above it one bit a line, set when it is drawn,
and above them the net boxes of the first player, plus the number of all boxes so that it is not below 0.
Lines are numbered from the top, a row of level ones and a row of upright ones in turn:

     +-0-+-1-+
     2   3   4      two boxes, rows=1 columns=2
     +-5-+-6-+
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.errors import BadParameter
from solver.game import Symmetry
from solver.games.grid import by_row, mover_of_bits, refuse_below, turns
from solver.games.sides import unreadable
from solver.packed import STATE_BITS, Packed, PackedGame


@dataclass(frozen=True)
class DotsAndBoxes(PackedGame):
    """Draw lines; who closes a box gets it and moves again; the most boxes win, and the margin counts.

    Moves are the numbers of the lines, as the picture shows them.
    """

    rows: int = 2
    columns: int = 2

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a board without a box or one that cannot be packed."""
        refuse_below(1, rows=self.rows, columns=self.columns)
        needed = 1 + self.lines + (2 * self._boxes).bit_length()
        if needed > STATE_BITS:
            raise BadParameter(
                f"{self.rows} rows and {self.columns} columns of boxes need {needed} bits; "
                f"a packed state has {STATE_BITS}"
            )

    @property
    def lines(self) -> int:
        """The number of lines that can be drawn."""
        return (self.rows + 1) * self.columns + self.rows * (self.columns + 1)

    @property
    def action_count(self) -> int:
        """One action a line."""
        return self.lines

    @property
    def initial(self) -> int:
        """No lines, the first player to move."""
        return self._boxes << (1 + self.lines)

    def to_move(self, state: Packed) -> Packed:
        """The player to move."""
        return state & 1

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether the line is not drawn yet."""
        return state >> (1 + action) & 1 == 0

    def result(self, state: Packed, action: int) -> Packed:
        """The line drawn; the boxes that it closes are counted for the mover, who then stays to move."""
        drawn, closed = state | 2 << action, 0
        for box in self._boxes_at[action]:
            closed = closed + (drawn & box == box)
        turn = (state & 1) ^ (closed == 0)
        gain = closed * (1 - 2 * (state & 1))
        return (drawn >> 1 << 1) + (gain << (1 + self.lines)) + turn

    def is_terminal(self, state: Packed) -> Packed:
        """Whether all lines are drawn."""
        full = ((1 << self.lines) - 1) << 1
        return state & full == full

    def utility(self, state: Packed) -> Packed:
        """How many more boxes the first player has than the second."""
        return (state >> (1 + self.lines)) - self._boxes

    def position(self, state: int) -> str:
        """The rows of lines, then the net boxes of the first player, and the side to move."""
        return f"{self._written(self._marks(state))} {self.utility(state):+d} {self.players[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `-./|../.. +0 first`."""
        wanted = (
            f"rows of lines like {self._written([''] * self.lines)} with - or | for each that is drawn, "
            "then the net boxes of the first player, such as +1, and first or second: the side to move"
        )
        words = text.lower().split()
        if len(words) != 3 or words[2] not in self.players:
            raise unreadable(text, wanted)
        marks = words[0].replace("/", "")
        nets = {f"{net:+d}": net for net in range(-self._boxes, self._boxes + 1)}
        if len(marks) != self.lines or not set(marks) <= {"-", "|", "."} or words[1] not in nets:
            raise unreadable(text, wanted)
        state = sum(2 << line for line, mark in enumerate(marks) if mark != ".")
        closed = len({box for boxes in self._boxes_at for box in boxes if state & box == box})
        if abs(nets[words[1]]) > closed or (nets[words[1]] - closed) % 2:
            raise unreadable(text, f"{wanted}; {closed} closed boxes do not make a net of {words[1]}")
        return self.players.index(words[2]) | state | (nets[words[1]] + self._boxes) << (1 + self.lines)

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """Rows of dots with level lines between them, and rows of upright lines, "" where none is drawn."""
        return self._drawn(self._marks(state), ".")

    def show(self, state: int) -> str:
        """The picture; a line that is not drawn shows its number."""
        width = len(str(self.lines - 1))
        texts = [
            mark * (width if mark == "-" else 1) or str(line) for line, mark in enumerate(self._marks(state))
        ]
        rows = self._drawn(texts, "+")
        return "\n".join(" ".join(f"{text:^{width}}" for text in row).rstrip() for row in rows)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board."""
        found = []
        for moved in turns(2 * self.rows + 1, self._width):
            lines = [self._places.index(moved[place]) for place in self._places]
            found.append(Symmetry(self._image(lines), lines.__getitem__))
        return tuple(found)

    def _image(self, lines: Sequence[int]) -> Callable[[Packed], Packed]:
        image = mover_of_bits(lines)
        return lambda state: image(state) + (state >> (1 + self.lines) << (1 + self.lines))

    @property
    def _boxes(self) -> int:
        return self.rows * self.columns

    @property
    def _width(self) -> int:
        """How many dots and level lines, or upright lines and boxes, are in a row of the picture."""
        return 2 * self.columns + 1

    @cached_property
    def _places(self) -> list[int]:
        """Where each line is in the picture, in which dots, lines and boxes are cells row by row."""
        return [place for place in range((2 * self.rows + 1) * self._width) if place % 2]

    @cached_property
    def _boxes_at(self) -> list[list[int]]:
        """For each line the boxes on its sides, each as the bits of its four lines."""
        around = (-self._width, -1, 1, self._width)
        boxes = [
            [(2 * row + 1) * self._width + 2 * column + 1 + step for step in around]
            for row in range(self.rows)
            for column in range(self.columns)
        ]
        return [
            [sum(2 << self._places.index(at) for at in box) for box in boxes if place in box]
            for place in self._places
        ]

    def _marks(self, state: int) -> list[str]:
        marks = ["-" if place // self._width % 2 == 0 else "|" for place in self._places]
        return [mark if state >> (1 + line) & 1 else "" for line, mark in enumerate(marks)]

    def _written(self, marks: Sequence[str]) -> str:
        """The lines row by row, `.` for one that is not drawn."""
        rows = [row[at % 2 == 0 :: 2] for at, row in enumerate(self._drawn([m or "." for m in marks], ""))]
        return "/".join(map("".join, rows))

    def _drawn(self, texts: Sequence[str], dot: str) -> list[Sequence[str]]:
        """The picture by rows, with the text of each line."""
        cells = [
            dot if place // self._width % 2 == 0 else "" for place in range((2 * self.rows + 1) * self._width)
        ]
        for place, text in zip(self._places, texts, strict=True):
            cells[place] = text
        return by_row(cells, self._width)
