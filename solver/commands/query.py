"""`perfectplay query`."""

import dataclasses
import json

import click

from solver.database import Database, open_database
from solver.entry import Entry


@click.command()
@click.argument("file")
@click.argument("position", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def query(file: str, position: str | None, as_json: bool) -> None:
    """Look up a position: outcome, best move, every move.

    FILE is a database, POSITION a state as text (default: the start).
    """
    with open_database(file) as db:
        entry = db[db.start if position is None else position]
        if as_json:
            click.echo(json.dumps(as_dict(db, entry), ensure_ascii=False))
        else:
            from solver.words import describe

            click.echo(describe(db, entry))


def as_dict(db: Database, entry: Entry) -> dict[str, object]:
    """The entry as `query --json` prints it."""
    moves = [dataclasses.asdict(move) for move in entry.ranked_moves]
    for move in moves if not db.scored else ():
        del move["value"]  # which the outcome says
    return {
        "game": db.game_name,
        "parameters": db.parameters,
        "position": entry.position,
        "to_move": entry.to_move,
        "value": entry.value,
        "outcome": entry.outcome,
        "remoteness": entry.remoteness,
        "best_move": entry.best_move,
        "moves": moves,
    }
