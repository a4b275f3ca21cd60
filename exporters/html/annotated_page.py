"""Annotated games as one HTML page, which steps through them with their values and better moves."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from exporters.html.database_page import page_position, page_position_after
from exporters.html.page import about_database, board_page
from exporters.html.rows import PositionRows, SizeLimit
from solver.analysis.annotate import SIGNS, AnnotatedGame, accuracy_in_words, end_in_words, seats, total
from solver.database.wording import result_of
from solver.errors import WrongDatabase
from solver.system.words import number_of


def render(games: Sequence[AnnotatedGame]) -> str:
    """The text of a self-contained HTML file.

    Raises `WrongDatabase` unless all games have the same rules, and `PageTooLarge` for too many games.
    """
    db = max((game.db for game in games), key=lambda db: db.scored)
    if len({(game.db.game_name, str(game.db.parameters), game.db.endless) for game in games}) > 1:
        raise WrongDatabase("a page can only have games of the same rules: put the others into another file")
    entries = [entry for game in games for entry in (*(move.entry for move in game.moves), game.end)]
    lines = [move.line for game in games for move in game.moves]
    positions = {entry.position: page_position(db, entry) for entry in entries}
    for move in chain(*(entry.moves_by_action for entry in entries), *lines):
        positions.setdefault(move.position, page_position_after(db.game, move))
    rows = PositionRows(db.game)
    room = SizeLimit(f"the page of {number_of(len(games), 'game')}", "annotate fewer of them")
    rows.part(list(positions.values()), room)
    numbers = {text: number for number, text in enumerate(positions)}
    annotated = [_game(nth, game, numbers, len(games)) for nth, game in enumerate(games, start=1)]
    totals = [f"all games, {accuracy_in_words(side)}" for side in total(games)] if len(games) > 1 else []
    document = rows.document(**about_database(db, roots=1, games=annotated, signs=SIGNS, total=totals))
    about = f"{seats(games[0])}, from {games[0].played.start}" if len(games) == 1 else f"{len(games):,} games"
    return board_page(db, "html", ("stepping", "annotated"), about, document)


def _game(nth: int, game: AnnotatedGame, numbers: dict[str, int], count: int) -> dict[str, Any]:
    entries = [*(move.entry for move in game.moves), game.end]
    return {
        "heading": f"{nth} of {count}: {seats(game)}, {end_in_words(game)}",
        "path": [numbers[entry.position] for entry in entries],
        "moves": [
            {
                "at": played.entry.moves_by_action.index(played.move),
                "sign": played.sign,
                "had": result_of(played.entry),
                "line": [[move.move, numbers[move.position]] for move in played.line],
            }
            for played in game.moves
        ],
        "end": end_in_words(game),
        "accuracy": [
            accuracy_in_words(game.accuracy(side), name) for side, name in enumerate(game.db.game.players)
        ],
    }
