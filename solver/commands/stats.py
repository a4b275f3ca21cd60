"""`perfectplay stats`."""

from collections.abc import Iterator
from typing import Any

import click

from solver.analysis.statistics import longest_wins, statistics
from solver.commands.arguments import DATABASE
from solver.commands.options import command, reads_files
from solver.commands.output import say
from solver.database import Database, open_database
from solver.database.wording import count_of, endless_play, plies, standing_of
from solver.rules.parameters import with_parameters
from solver.system.words import number_of


@command("perfectplay stats tictactoe.db")
@click.argument("file", type=DATABASE)
@reads_files
def stats(file: str, as_json: bool) -> None:
    """Count states by outcome, value, remoteness and ply.

    FILE is a database. Also shows the positions with the longest wins.
    """
    with open_database(file) as db:
        figures = statistics(db)
        words = (f"{name:<14}{text}" for name, text in _report(db, figures))
        say(figures if as_json else "\n".join(words))


def _report(db: Database, figures: dict[str, Any]) -> Iterator[tuple[str, str]]:
    start = db[db.start]
    yield "game", with_parameters(figures["game"], figures["parameters"])
    states = count_of(figures["states"], "state", folded=db.folded)
    moves = number_of(figures["moves"], "move")
    yield "states", f"{states}, {figures['terminal']:,} of them terminal; {moves}"
    yield "start", f"{db.start}  {standing_of(start)}"
    if db.starts > 1:
        yield "starts", f"this is the first of {db.starts_in_words}"
    if db.endless != "draw":
        yield "endless play", endless_play(db.game, db.endless)
    yield "best move", "none: the game is over" if start.best_move is None else str(start.best_move)
    yield "to move", ", ".join(f"{count:,} {outcome}" for outcome, count in figures["outcomes"].items())
    values = ", ".join(f"{count:,} with {value}" for value, count in figures["values"].items())
    yield "values", f"{values}{', for the player to move' * db.folding.is_signed}"
    for outcome, counts in figures["remoteness"].items():
        if counts:
            yield f"{outcome} in plies", ", ".join(f"{plies}: {count:,}" for plies, count in counts.items())
    if figures["per_ply"]:
        yield "at each ply", " ".join(map(str, figures["per_ply"]))
    if longest := longest_wins(db):
        yield "longest wins", f"in {plies(longest[0][1])}: {', '.join(position for position, _ in longest)}"
