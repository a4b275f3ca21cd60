"""A solved game as one HTML page: every position with the value of each move.

For a game of any size, there is a live page, which fetches rows of positions from a server.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from exporters.html.page import about_database, page
from exporters.html.rows import MAX_BYTES, PageMove, PagePosition, PositionRows, SizeLimit, as_json
from solver.analysis.certificates.mark import Mark
from solver.database import Database
from solver.database.entry import Entry, Move
from solver.database.wording import counted_positions, game_title, standing_of
from solver.game import AnyGame
from solver.rules.asking import is_over, mover_of
from solver.rules.failures import rules_asked
from solver.rules.notation import read_position, write_position
from solver.system.progress import Progress, no_progress, reported
from solver.system.words import number_of

MAX_STARTS = 300
"""The most starts that the page offers; if a game has more, it offers only the first."""

SAMPLE = 500
"""The number of positions whose rows are measured to estimate the size of the page."""


def render(
    db: Database,
    *,
    most_bytes: int = MAX_BYTES,
    marks: Sequence[Mark] = (),
    progress: Progress = no_progress,
) -> str:
    """The text of the HTML file, with the `marks` of certificates.

    A folded database is unfolded: the page has every position. Raises `PageTooLarge` if the file would exceed
    `most_bytes`; if by far, before looking up all positions.
    """
    instead = "show it by perfectplay serve, or solve from a later position (--start)"
    room = SizeLimit(game_title(db.game), instead, most_bytes)
    _refuse_too_large(db, room)
    rows, roots = PositionRows(db.game), _all_starts(db)
    total = None if db.folded else len(db)
    look_up = (lambda text: page_position(db, db[text])) if db.folded else _positions(db, progress).pop
    count = rows.fill(roots, look_up, room, total=total, progress=progress)
    document = rows.document(**about_database(db, roots=len(roots)))
    about = f"{number_of(count, 'position')}."
    return page(db.game, game_title(db.game), about, _answer(db), document, marks=marks)


def _positions(db: Database, progress: Progress) -> dict[str, PagePosition]:
    """All positions of an unfolded file by text: packed files take far longer one by one."""
    entries = reported(progress, "reading positions", db.entries(), len(db))
    return {entry.position: page_position(db, entry) for entry in entries}


def _all_starts(db: Database) -> list[str]:
    """The positions in which play begins; for a folded file, all those in the rules."""
    if db.has_own_start or not db.folded:
        return db.beginnings()
    with rules_asked(db.game, "initial_states"):
        return [*dict.fromkeys(write_position(db.game, state) for state in db.game.initial_states())]


def page_position(db: Database, entry: Entry) -> PagePosition:
    """The position of the page for a database entry."""
    return PagePosition(
        position=entry.position,
        state=read_position(db.game, entry.position),
        mover=db.game.players.index(entry.to_move),
        value=entry.value,
        plies=entry.remoteness,
        ply=entry.ply,
        links=[PageMove(move.move, move.position, move.best) for move in entry.moves_by_action],
    )


def _refuse_too_large(db: Database, room: SizeLimit) -> None:
    states, rows = len(db), PositionRows(db.game)
    sample = [page_position(db, db[text]) for text in islice(db, SAMPLE)]
    bare = sum(len(rows.row(replace(known, links=()), {})) + len(",\n") for known in sample) / len(sample)
    names = len({link.move for known in sample for link in known.links or ()})
    link = len(as_json([names, states])) - len("[,]") + len(",,") + 0.5  # half of the numbers have a minus
    needed = bare + db.moves / states * link
    if states * needed > 1.25 * room.bytes:  # as it is an estimate
        raise room.exceeded(states, int(room.bytes / needed))


def live(db: Database, rows: str, ranking: str | None = None, *, offline: bool = False) -> str:
    """The text of a page that fetches the result of `neighbourhood` from the URL `rows` + `?position=TEXT`.

    If `rows` ends in `.js`, it is the module of a worker that is asked instead. The URL `ranking`, if given,
    returns what `ranking_as_dict` does. If the status of an answer is not 200, the page shows its
    `{"error": {"message": ...}}`. `offline` says whether the browser stores all files of a site.
    """
    starts = _all_starts(db) if db.starts <= MAX_STARTS else [db.start]
    start_rows = PositionRows(db.game)
    start_rows.part([replace(page_position(db, db[text]), links=None) for text in starts])
    more: dict[str, Any] = {} if ranking is None else {"ranking": ranking}
    more |= {"offline": True} if offline else {}
    document = start_rows.document(**about_database(db, roots=len(starts), source=rows, **more))
    about = f"{counted_positions(db)}."
    return page(db.game, game_title(db.game), about, _answer(db), document, source=rows)


def _answer(db: Database) -> str:
    return f"At the start, {standing_of(db[db.start])}."


def neighbourhood(db: Database, position: str) -> str:
    """The rows of a position and of those after its moves as JSON, in the form of `exporters.html.rows`.

    The first row is that of the position; the others have no moves and no ply. Raises what a lookup raises.
    """
    entry = db[position]
    others = [move for move in entry.moves if move.position != entry.position]
    after = {move.position: page_position_after(db.game, move) for move in others}
    rows = PositionRows(db.game)
    rows.part([page_position(db, entry), *after.values()])
    return rows.document()


def page_position_after(game: AnyGame, move: Move) -> PagePosition:
    """The position of the page after a move, without its ply and its moves."""
    state = read_position(game, move.position)
    plies = None if move.remoteness is None else move.remoteness - 1
    if plies is None and is_over(game, state):  # a drawn terminal state
        plies = 0
    return PagePosition(move.position, state, mover_of(game, state), move.value, plies, ply=None, links=None)
