"""The shared looks of all pictures: colours of players, moves and outcomes, glyphs, tiles, plain text."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from solver.game import FIRST, SECOND, AnyGame
from solver.rules.asking import look_of, owner_of
from solver.rules.loading import game_name

PAINTS = {
    "first": "#0072B2",
    "second": "#C04A00",
    "black": "#222222",
    "white": "#FFFFFF",
    "red": "#C8102E",
    "neither": "#333333",
}
"""The colours of marks: a blue and a vermilion that the colour-blind can distinguish, and named colours."""

NAMED = frozenset(("black", "white", "red"))
"""The paints that can be names of players."""

RIM = "#222222"
"""The colour of the outline of white marks."""

PLAYED = "#FFE680"
"""The background of the cells that the owner's move changes."""

REPLIED = "#BDBDBD"
"""The background of the cells that the other player changed last."""

DARK, SOLID = "#DCDCDC", "#93A1AE"
"""The colours of dark squares and of filled cells."""

SOLID_MEN = str.maketrans("♔♕♖♗♘♙", "♚♛♜♝♞♟")
"""The translation of outlined chessmen to solid ones."""

Steps = Sequence[tuple[int, int]]

AHEAD, ACROSS, SLANTED = (-1, 0), ((0, -1), (0, 1), (1, 0)), ((-1, -1), (-1, 1), (1, -1), (1, 1))

OF_THE_FIRST: Mapping[str, Steps] = {
    "L": (AHEAD, *ACROSS, *SLANTED),
    "G": (AHEAD, *ACROSS),
    "E": SLANTED,
    "C": (AHEAD,),
    "H": (AHEAD, *ACROSS, *SLANTED[:2]),
}
"""The steps of the first player's pieces of Dobutsu shogi, as (down, right)."""

DOBUTSU: dict[str, Steps] = {**OF_THE_FIRST} | {
    mark.lower(): [(-down, -right) for down, right in steps] for mark, steps in OF_THE_FIRST.items()
}


class OutcomeColours(NamedTuple):
    """The colours of a box that shows an outcome."""

    border: str
    """The colour of the border and of words in the box."""
    ground: str
    """The colour of the background."""


OUTCOME_COLOURS = {
    1: OutcomeColours("#00805E", "#E3F5EF"),
    0: OutcomeColours("#8A6100", "#FFF7E0"),
    -1: OutcomeColours("#9B2C6B", "#F8E4EF"),
}
"""The colours of a win (1), a draw (0) and a loss (-1), whose borders are solid, dotted and double."""


def plain(of_game: str) -> str:
    """The text of a game in one line, with unprintable characters replaced by spaces."""
    return "".join(char if char.isprintable() else " " for char in of_game)


def escape(of_game: str) -> str:
    """Escape the text of a game for XML and HTML, attributes included."""
    return html.escape(plain(of_game))


def paint(game: AnyGame, player: int | None) -> str:
    """The name in `PAINTS` of a player's colour: the player's own name, if it is a colour.

    On chequered boards, whose squares are dark and light, it is always `first` or `second`.
    """
    if player is None:
        return "neither"
    name = game.players[player]
    named = name in NAMED and look_of(game).ground != "chequered"
    return name if named else ("first", "second")[player]


def line_colour(game: AnyGame, player: int | None) -> str:
    """The colour of a player's lines and letters on a white background."""
    name = paint(game, player)
    return "#777777" if name == "white" else PAINTS[name]


def is_stone(game: AnyGame, mark: str) -> bool:
    """Whether a mark is a stone whose colour is the name of its player."""
    return paint(game, owner_of(game, mark)) in NAMED and glyph(game, mark) in "○◎●"


def whose(game: AnyGame, boards: Iterable[Sequence[Sequence[str]] | None]) -> list[tuple[int, list[str]]]:
    """Each player with their marks on `boards`, the first of those that look the same.

    A player without marks there gets those of the game's look; a player without any marks is left out.
    """
    look, pieces = look_of(game), tiles_of(game)
    marks = {mark for board in boards for row in board or () for mark in row if mark.strip()}
    named = [name for name in game.players if len(name) == 1]
    candidates = [*pieces] or [*filter(None, (*look.glyphs, *look.owners)), *sorted(marks), *named]
    owned = []
    for player in (FIRST, SECOND):
        own = [mark for mark in dict.fromkeys(candidates) if owner_of(game, mark) == player]
        chosen = [mark for mark in own if mark in marks] or own
        shown = {glyph(game, mark): mark for mark in reversed(chosen)}
        if shown:
            owned.append((player, [*shown.values()][::-1]))
    return owned


def glyph(game: AnyGame, mark: str) -> str:
    """The text drawn for a mark, or for "", an empty cell."""
    return look_of(game).glyphs.get(mark, mark)


def body(game: AnyGame, mark: str) -> str:
    """The glyph of a mark as painted: chessmen of players named after colours are solid."""
    shown = glyph(game, mark)
    return shown.translate(SOLID_MEN) if paint(game, owner_of(game, mark)) in NAMED else shown


def tiles_of(game: AnyGame) -> dict[str, Steps]:
    """The steps of each piece that is a tile, by mark; empty for games without tiles.

    In games with tiles, the first and the last row of a board are hands: single cells that list pieces.
    """
    return dict(DOBUTSU) if game_name(game) == "dobutsu" else {}


def paint_css(scope: str) -> str:
    """The CSS of marks by their paints, within the selector `scope`."""
    rules = []
    for name, colour in PAINTS.items():
        path, text = (f"{scope} {kind}.{name}" for kind in ("path", "text"))
        rules.append(f"{path}{{stroke:{colour}}}{text}{{fill:{colour}}}")
        if name in NAMED:
            rules.append(f"{path}.stone{{fill:{colour};fill-rule:evenodd;stroke:{RIM};stroke-width:.5}}")
    rules.append(f"{scope} text.white{{stroke:{RIM};stroke-width:.8px;paint-order:stroke}}")
    return "".join(rules)
