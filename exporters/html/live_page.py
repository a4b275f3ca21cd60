"""A solved game of any size as a page that fetches rows of positions from a server while it is used."""

from dataclasses import replace

from exporters.html.database_page import game_page, page_position
from exporters.html.rows import PagePosition, PositionRows
from solver.database import Database
from solver.database.entry import Move
from solver.game import AnyGame
from solver.rules.asking import mover_of
from solver.rules.notation import read_position

MOST_STARTS = 300
"""The beginnings of play that the page offers; of a game with more it offers the first one alone."""


def live(db: Database, rows: str, ranking: str) -> str:
    """The text of the page, which asks the URL `rows` with `?position=TEXT` for what `neighbourhood` returns.

    And the URL `ranking` for `solver.players.ranking_report.as_dict`, if equal moves are to be ranked.
    Where the answer has another status than 200, its `{"error": {"message": ...}}` is shown.
    """
    starts = db.beginnings() if db.starts <= MOST_STARTS else [db.start]
    known = PositionRows(db.game)
    known.part([replace(page_position(db, db[text]), links=None) for text in starts])
    counted = "classes of symmetric positions" if db.folded else "positions"
    return game_page(db, known, f"{len(db):,} {counted}.", len(starts), source=rows, ranking=ranking)


def neighbourhood(db: Database, position: str) -> str:
    """The rows of a position and of those after its moves as JSON, as `exporters.html.rows` describes them.

    The first row is that of the position; the others tell neither moves nor ply. Raises as a lookup.
    """
    entry = db[position]
    others = [move for move in entry.moves if move.position != entry.position]
    after = {move.position: page_position_after(db.game, move) for move in others}
    rows = PositionRows(db.game)
    rows.part([page_position(db, entry), *after.values()])
    return rows.document()


def page_position_after(game: AnyGame, move: Move) -> PagePosition:
    """The position after a move, as far as the move tells it."""
    state = read_position(game, move.position)
    plies = None if move.remoteness is None else move.remoteness - 1
    return PagePosition(move.position, state, mover_of(game, state), move.value, plies, ply=None, links=None)
