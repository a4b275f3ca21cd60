"""The positions of a page: a row of JSON each, numbered in breadth-first order.

    [position, picture, mover, value, plies, ply, [move, child, move, child, ...]]

`picture` is a board, with a character for each cell (the table `marks` has the mark of each character) and
`/` between rows, or a list of lines of text for a position without a board. `move` is an index into the table
`moves` of names, `child` the number of the position after it, complemented (~child) if the move is not a best
move. If a document has only part of the positions, null stands for moves that are not listed.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from string import ascii_letters, digits
from typing import Any, NamedTuple

from solver.errors import PageTooLarge, TooLarge
from solver.game import AnyGame
from solver.rules.asking import board_of, picture_of
from solver.system.progress import Progress, no_progress
from solver.system.words import number_of

MAX_BYTES = 20_000_000
"""The greatest size of a page that a phone opens in a few seconds, in bytes."""

MAX_INTEGER = 2**53 - 1
"""The greatest integer up to which JavaScript represents all integers exactly."""

LONG = re.compile(r"\d{16}")
"""A number with at least as many digits as `MAX_INTEGER`."""

RESERVED = '/\\"<'
"""The characters that cannot be codes of marks: the row separator, and those escaped in JSON in HTML."""


class PageMove(NamedTuple):
    """A move in a position of the page: its name and the position after it."""

    move: str | int
    position: str
    best: bool
    """Whether it is a best move or the plan's move."""


@dataclass(frozen=True)
class PagePosition:
    """A position of the page."""

    position: str
    """The state as text."""
    state: Any
    """The state, from which the board is drawn."""
    mover: int
    """The player to move: 0 or 1."""
    value: int
    """The value for the first player."""
    plies: int | None
    """The plies to the end; None for endless play."""
    ply: int | None
    """The plies since a start; None if lines of play of different lengths lead here."""
    links: Sequence[PageMove] | None
    """The moves that the page offers, empty if the game is over; None if they are not listed."""


@dataclass(frozen=True)
class SizeLimit:
    """The size limit of a page, and the words of its error message."""

    what: str
    """The subject of the message: the game or the plan."""
    instead: str
    """The advice of the message."""
    bytes: int = MAX_BYTES
    """The maximum size of all rows, in bytes."""

    def exceeded(self, positions: int | None, fit: int) -> PageTooLarge:
        """The error for `positions` positions (None: unknown), of which about `fit` fit."""
        unit = 10 ** max(0, len(str(fit)) - 2)  # rounds to two digits
        has = "too many positions" if positions is None else number_of(positions, "position")
        return PageTooLarge(
            f"{self.what} has {has}; one HTML file of {self.bytes / 1e6:.0f} MB has room for about "
            f"{fit // unit * unit:,}: {self.instead}"
        )


class PositionRows:
    """The rows of positions and the tables that they share, as JSON for a script element."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.bytes = 0
        self._rows: list[str] = []
        self._moves: dict[str | int, int] = {}
        self._marks: dict[str, str] = {"": "."}
        self._codes = set(self._marks.values())
        beyond = map(chr, chain(range(0x100, 0xD800), range(0xE000, 0x110000)))  # without surrogates
        self._characters = chain(digits, ascii_letters, beyond)

    def fill(
        self,
        roots: Iterable[str],
        look_up: Callable[[str], PagePosition],
        room: SizeLimit,
        *,
        total: int | None = None,
        progress: Progress = no_progress,
    ) -> int:
        """Add all positions reachable from `roots`, breadth first, by `look_up`; returns their number.

        `total` is that number, if known. Raises `PageTooLarge` as soon as the rows exceed the `room`.
        """
        texts = list(dict.fromkeys(roots))
        numbers = {text: number for number, text in enumerate(texts)}
        for done, text in enumerate(texts):  # texts grow in the loop
            position = look_up(text)
            for link in position.links or ():
                if link.position not in numbers:
                    numbers[link.position] = len(texts)
                    texts.append(link.position)
            self._append(self.row(position, numbers))
            if self.bytes > room.bytes:
                raise room.exceeded(total, done)
            progress("writing positions", done + 1, total)
        return len(texts)

    def part(self, positions: Sequence[PagePosition], room: SizeLimit | None = None) -> None:
        """Add some positions; their listed moves must lead to positions among them.

        Raises `PageTooLarge` if the rows exceed the `room`.
        """
        numbers = {position.position: number for number, position in enumerate(positions)}
        for position in positions:
            self._append(self.row(position, numbers))
        if room and self.bytes > room.bytes:
            raise room.exceeded(len(positions), len(positions) * room.bytes // self.bytes)

    def row(self, known: PagePosition, numbers: Mapping[str, int]) -> str:
        """The row of a position, given the `numbers` of the positions after its moves."""
        picture, links = self._picture(known.state), None
        if known.links is not None:
            links = []
            for link in known.links:
                child = numbers[link.position]
                links += [self._moves.setdefault(link.move, len(self._moves)), child if link.best else ~child]
        return as_json([known.position, picture, known.mover, known.value, known.plies, known.ply, links])

    def document(self, **about: object) -> str:
        """The rows and tables as one JSON object, with further members `about` the page."""
        tables = as_json({**about, **self.tables}).removesuffix("}")
        return f'{tables},"positions":[\n' + ",\n".join(self._rows) + "\n]}"

    @property
    def tables(self) -> dict[str, Any]:
        """The shared tables `marks` and `moves` of the rows."""
        return {"marks": {code: mark for mark, code in self._marks.items()}, "moves": list(self._moves)}

    def _append(self, row: str) -> None:
        self._rows.append(row)
        self.bytes += len(row) + len(",\n")

    def _picture(self, state: Any) -> str | list[str]:
        board = board_of(self.game, state)
        if not board or not all(board):
            return picture_of(self.game, state).split("\n")
        return "/".join("".join(map(self._code, row)) for row in board)

    def _code(self, mark: str) -> str:
        """The character for a mark: the mark itself, if possible."""
        if mark not in self._marks:
            itself = len(mark) == 1 and mark.isascii() and mark.isprintable() and mark not in RESERVED
            free = (code for code in self._characters if code not in self._codes)
            code = mark if itself and mark not in self._codes else next(free)
            self._marks[mark] = code
            self._codes.add(code)
        return self._marks[mark]


def as_json(value: object) -> str:
    """The value as ASCII JSON for a script element, with `<` escaped.

    Raises `TooLarge` for an integer that JavaScript would round.
    """
    text = json.dumps(value, separators=(",", ":"))
    if LONG.search(text):
        json.loads(text, parse_int=_held)
    return text.replace("<", "\\u003c")


def _held(digits: str) -> int:
    if abs(number := int(digits)) > MAX_INTEGER:
        raise TooLarge(f"a page can have no value, move or parameter over {MAX_INTEGER:,}: {number:,}")
    return number
