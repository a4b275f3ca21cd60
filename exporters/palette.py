"""The looks that all pictures share: colours of players, moves and outcomes, glyphs of marks, plain text."""

import html
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from solver.game import AnyGame
from solver.rules.asking import look_of, owner_of

MARK_COLOURS = ("#0072B2", "#C04A00")
"""The first and the second player's marks: a blue and a vermilion that the colour-blind tell apart."""

NEUTRAL = "#333333"
"""The colour of a mark that belongs to neither player."""

STRIKE = "#FFD633"
"""The colour of the line under a row of marks that wins: a marker pen's."""

PLAYED = "#FFE680"
"""The background of the cells that the owner's move changes."""

REPLIED = "#BDBDBD"
"""The background of the cells that the other player has changed last."""


DARK, SOLID = "#DCDCDC", "#93A1AE"
"""The colours of dark squares and of filled cells."""


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
"""The colours of a win (1), a draw (0) and a loss (-1). Borders say the same: solid, dotted, double."""


def plain(of_game: str) -> str:
    """The text of a game in one line, with nothing that cannot be printed."""
    return "".join(char if char.isprintable() else " " for char in of_game)


def escape(of_game: str) -> str:
    """Escape the text of a game for XML and HTML, attributes included."""
    return html.escape(plain(of_game))


def colour(game: AnyGame, mark: str) -> str:
    """The colour of a mark, its owner's."""
    player = owner_of(game, mark)
    return NEUTRAL if player is None else MARK_COLOURS[player]


def whose(game: AnyGame, boards: Iterable[Sequence[Sequence[str]] | None]) -> list[tuple[int, str]]:
    """Each player with the glyphs of the marks on `boards` that are theirs: "♔♖ white".

    None if every mark on them is named after its player. A player without marks there has those of the look.
    """
    look = look_of(game)
    marks = dict.fromkeys(mark for board in boards for row in board or () for mark in row if mark.strip())
    known = [mark for mark in look.glyphs if mark] + [mark for mark in look.owners if mark not in look.glyphs]
    found = []
    for player, name in enumerate(game.players):
        own = [mark for mark in dict.fromkeys((*known, *sorted(marks))) if owner_of(game, mark) == player]
        glyphs = dict.fromkeys(
            glyph(game, mark) for mark in own if mark in marks or not marks.keys() & {*own}
        )
        found.append((player, " ".join((*map(plain, glyphs), plain(name))), [*glyphs] in ([name], [])))
    if all(itself for *_, itself in found):
        return []
    return [(player, words) for player, words, _ in found if words != plain(game.players[player])]


def glyph(game: AnyGame, mark: str) -> str:
    """The text drawn for a mark, or for "", an empty cell."""
    return look_of(game).glyphs.get(mark, mark)
