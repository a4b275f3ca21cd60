"""The positions of a site without printed rules: each is spelled out, with what every move leads to."""

from collections.abc import Iterable, Iterator
from typing import Any

from exporters.html.database_page import page_position
from exporters.html.rows import PositionRows
from solver.database import Database
from solver.rules.notation import write_position
from solver.system.progress import Progress


def text_parts(db: Database, about: dict[str, Any], progress: Progress) -> Iterator[tuple[Any, bytes]]:
    """The rows of all positions, by text; `about` is told the tables that they share."""
    rows, texts = PositionRows(db.game), sorted(_all_texts(db), key=lambda text: text.encode("utf-16-be"))
    numbers = {text: number for number, text in enumerate(texts)}
    for number, text in enumerate(texts):
        row = rows.row(page_position(db, db[text]), numbers)
        yield [number, text], row.encode() + b"\n"
        progress("writing positions", number + 1, len(texts))
    about |= rows.tables


def _all_texts(db: Database) -> Iterable[str]:
    """The positions of a file, of a folded one also those that are symmetric to them."""
    if not db.folded:
        return db
    states = (db.state_of(text) for text in db)
    members = ((state, *(each.state(state) for each in db.folding.symmetries)) for state in states)
    return dict.fromkeys(write_position(db.game, each) for some in members for each in some)
