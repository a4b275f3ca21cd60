"""Positions as the page reads them: a row of JSON each, numbered as play first reaches them.

    [position, picture, mover, value, plies, ply, [move, child, move, child, ...]]

`picture` is a board, a character for each cell (the table `marks` says which mark it stands for) with `/`
between rows, or the lines of text that show a position without a board. `move` is a number in the table of
names, `child` the number of the position after it, its complement (~child) where the move is not a best one.
The tables `sides` and `glyphs` say whose a mark is and what is drawn for it, where the mark does not.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from string import ascii_letters, digits
from typing import Any

from exporters.palette import glyph, owner
from solver.errors import PageTooLarge
from solver.game import AnyGame
from solver.rules.asking import board_of, look_of, picture_of
from solver.system.progress import Progress, no_progress

MOST_BYTES = 20_000_000
"""A telephone still opens a page of that size in a few seconds."""

RESERVED = '/\\"<'
"""Characters that do not stand for themselves: between rows of a board, and in JSON inside of HTML."""


@dataclass(frozen=True)
class PageMove:
    """A move as the page knows it."""

    move: str | int
    """Its name."""
    position: str
    """The position after it."""
    best: bool
    """Whether it is one of the best, or the plan's."""


@dataclass(frozen=True)
class PagePosition:
    """A position as the page knows it."""

    position: str
    """The state as text."""
    state: Any
    """The state itself, to be drawn."""
    mover: int
    """The player to move: 0 or 1."""
    value: int
    """What the first player gets."""
    plies: int | None
    """Plies to the end; None where play can go on for ever."""
    ply: int | None
    """Plies since a start; None where ways of different length lead here."""
    links: Sequence[PageMove]
    """Every move that the page offers, none where the game is over."""


@dataclass(frozen=True)
class SizeLimit:
    """How much room there is for rows, and what is said when it is not enough."""

    what: str
    """Whose positions they are."""
    instead: str
    """What can be done instead."""
    bytes: int = MOST_BYTES
    """The most bytes of all rows together."""

    def exceeded(self, positions: int | None, fit: int) -> PageTooLarge:
        """The error for so many positions (None: not known) where about so many fit."""
        has = "too many positions" if positions is None else f"{positions:,} positions"
        return PageTooLarge(
            f"{self.what} has {has}; one HTML file of {self.bytes / 1e6:.0f} MB has room for about "
            f"{_rounded(fit):,}: {self.instead}"
        )


class PositionRows:
    """The rows of the positions of a game, and the tables that they share, in JSON that HTML can hold."""

    def __init__(self, game: AnyGame, room: "SizeLimit") -> None:
        """Begin without rows, which have so much room."""
        self.game, self.room = game, room
        self.texts: list[str] = []
        self.bytes = 0
        self._rows: list[str] = []
        self._moves: dict[str | int, int] = {}
        self._marks: dict[str, str] = {"": "."}
        self._characters = _characters()

    def fill(
        self,
        roots: Iterable[str],
        look_up: Callable[[str], PagePosition],
        *,
        total: int | None = None,
        progress: Progress = no_progress,
    ) -> None:
        """Add all positions that play from `roots` can reach, breadth first, as `look_up` knows them.

        Raises `PageTooLarge` as soon as there is no room for more; `total` is how many there are, if known.
        """
        self.texts = list(dict.fromkeys(roots))
        numbers = {text: number for number, text in enumerate(self.texts)}
        for done, text in enumerate(self.texts):  # which grows meanwhile
            known = look_up(text)
            for link in known.links:
                if link.position not in numbers:
                    numbers[link.position] = len(self.texts)
                    self.texts.append(link.position)
            self._append(self.row(known, numbers))
            if self.bytes > self.room.bytes:
                raise self.room.exceeded(total, done)
            progress("writing positions", done + 1, total)

    def row(self, known: PagePosition, numbers: dict[str, int]) -> str:
        """The row of a position, given the numbers of those that its moves lead to."""
        links = chain.from_iterable(
            (self._moves.setdefault(link.move, len(self._moves)), _signed(numbers[link.position], link.best))
            for link in known.links
        )
        picture = self._picture(known.state)
        return as_json(
            [known.position, picture, known.mover, known.value, known.plies, known.ply, list(links)]
        )

    def document(self, **about: object) -> str:
        """Everything as one object of JSON, with what else is to be said `about` the page."""
        game, marks = self.game, {code: mark for mark, code in self._marks.items()}
        sides = {mark: owner(game, mark) for mark in self._marks if owner(game, mark) is not None}
        lattice = look_of(game).ground == "lattice"  # whose cells are of other shapes here
        drawn = () if lattice else self._marks
        glyphs = {mark: glyph(game, mark) for mark in drawn if mark and glyph(game, mark) != mark}
        tables = {**about, "marks": marks, "sides": sides, "glyphs": glyphs}
        head = as_json({**tables, "moves": list(self._moves)}).removesuffix("}")
        return f'{head},"positions":[\n' + ",\n".join(self._rows) + "\n]}"

    def _append(self, row: str) -> None:
        self._rows.append(row)
        self.bytes += len(row) + len(",\n")

    def _picture(self, state: Any) -> str | list[str]:
        board = board_of(self.game, state)
        if not board or not all(board):
            return picture_of(self.game, state).split("\n")
        return "/".join("".join(map(self._code, row)) for row in board)

    def _code(self, mark: str) -> str:
        """The character that stands for a mark: the mark itself where that is possible."""
        if mark not in self._marks:
            taken = self._marks.values()
            itself = len(mark) == 1 and mark.isascii() and mark.isprintable() and mark not in RESERVED
            free = (code for code in self._characters if code not in taken)
            self._marks[mark] = mark if itself and mark not in taken else next(free)
        return self._marks[mark]


def as_json(value: object) -> str:
    """The value as JSON in ASCII that can stand in a script element: `<` is escaped, too."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _rounded(number: int) -> int:
    """The number, rounded down to two digits."""
    unit = 10 ** max(0, len(str(number)) - 2)
    return int(number // unit * unit)


def _signed(child: int, best: bool) -> int:
    return child if best else ~child


def _characters() -> Iterator[str]:
    """Characters that can stand for marks, surrogates left out."""
    return chain(digits, ascii_letters, map(chr, chain(range(0x100, 0xD800), range(0xE000, 0x110000))))
