"""`perfectplay annotate`."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.arguments import DATABASE
from solver.commands.options import command, reads_files, writes
from solver.commands.output import bound_memory, deliver, refuse_no_page, say, target_of
from solver.database import Database, open_database
from solver.database.header import is_database
from solver.errors import UsageError, WrongDatabase
from solver.rules.named import same_play
from solver.rules.parameters import with_parameters
from solver.system.plugins import picture
from solver.system.progress import terminal_progress
from solver.system.words import number_of

if TYPE_CHECKING:
    from solver.analysis.annotate import AnnotatedGame

MAX_STATES = 20_000
"""The most states of a game that is solved on the fly; a file may have several games to solve."""


@command(
    "perfectplay annotate tictactoe.db --moves 0,1,4,8,3",
    "perfectplay match tictactoe.db random random --games 3 --save games.jsonl",
    "perfectplay annotate games.jsonl -o games.html",
)
@click.argument("file", type=DATABASE, metavar="FILE|GAMES.jsonl")
@click.option("--moves", metavar="MOVE,...", help="The moves of the game, for a database FILE.")
@click.option("--start", metavar="POSITION", help="With --moves: the position in which the game began.")
@click.option(
    "--db", "solved", type=DATABASE, metavar="FILE", help="The database of the game in GAMES.jsonl."
)
@writes("OUT.html", "Write a page that steps through the games instead.", check=refuse_no_page)
@reads_files
def annotate(
    file: str, moves: str | None, start: str | None, solved: str | None, output: str | None, as_json: bool
) -> None:
    """Annotate the moves of a played game: which keep the value and which lose it.

    Give a database FILE and the --moves of one game, or a file of games that `match --save` or `play --save`
    has written. Without --db, a game of up to 20,000 positions is solved first.

    "??" turns a win into a loss, "?" loses value in another way, and "?!" keeps the value but is not fastest.
    "!" is the only move that keeps the value, and hard to find; "!?" leaves the opponent such a task. The
    accuracy of a player is the share of moves that keep the value, in positions where some move loses it.
    """
    from solver.analysis.annotate import AnnotatedGame, as_dict, in_words

    bound_memory()
    path = target_of(output, "page")
    with ExitStack() as stack:
        progress = stack.enter_context(terminal_progress("games"))
        games = list[AnnotatedGame]()
        for game in _annotated(stack, file, moves, start, solved):
            games.append(game)
            progress("annotating games", len(games), None)
        if output is not None:
            words = number_of(len(games), "game")
            deliver(picture("annotated-page", games), path, words, as_json=as_json, games=len(games))
        else:
            say(as_dict(games) if as_json else in_words(games))


def _annotated(
    stack: ExitStack, file: str, moves: str | None, start: str | None, solved: str | None
) -> "Iterator[AnnotatedGame]":
    """The games, annotated by the database, or solved from their starts; the stack closes the databases."""
    from solver.analysis.annotate import annotate as annotated
    from solver.database.lines import moves_read
    from solver.players import Truth
    from solver.players.game_record import BrokenRecord, read_games, replay
    from solver.players.match import PlayedGame
    from solver.players.simple import identity

    if moves is not None:
        if solved is not None:
            raise UsageError("--db is for saved games: with --moves, FILE is the database")
        db = stack.enter_context(open_database(file))
        begin = db[db.start if start is None else start].position
        names = tuple(move.move for move in moves_read(db, moves, begin))
        yield annotated(db, PlayedGame(db.game.players, begin, names, None, None, None, db.endless))
        return
    if start is not None:
        raise UsageError("--start is for --moves: saved games say themselves where they begin")
    given_db = None if solved is None else stack.enter_context(open_database(solved))
    if is_database(Path(file)):
        raise UsageError(f"{file} is a database: give the moves of a game with --moves MOVE,...")
    solved_dbs = dict[str, Database]()
    for number, (game, played) in enumerate(read_games(file), start=1):
        try:
            replay(game, played)
        except BrokenRecord as error:
            raise BrokenRecord(f"{file}: game {number}: {error}") from error
        if given_db is not None:
            own, labelled = identity(game), identity(given_db.game)
            if own != labelled or not same_play(game, given_db.game):
                raise WrongDatabase(
                    f"game {number} of {file} is {with_parameters(*own)}, but {given_db.path} has "
                    f"{with_parameters(*labelled)}{' by other rules' * (own == labelled)}"
                )
        key = repr((identity(game), played.start, played.endless))
        if given_db is None and key not in solved_dbs:
            truth = Truth(
                game,
                start=played.start,
                endless=played.endless,
                at_most=MAX_STATES,
                instead="name it by --db FILE",
            )
            solved_dbs[key] = stack.enter_context(truth).database()
        yield annotated(given_db or solved_dbs[key], played)
