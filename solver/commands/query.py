"""`perfectplay query`."""

import dataclasses
import json
from pathlib import Path

import click

from solver.commands.arguments import trusts_rules
from solver.database import Database, open_database
from solver.database.entry import Entry
from solver.errors import UnknownFormat
from solver.system.files import target, write
from solver.system.plugins import picture


@click.command()
@click.argument("file")
@click.argument("position", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "-o",
    "--output",
    metavar="OUT.svg",
    help="Write a picture instead: the board, with the value of each move.",
)
@trusts_rules
def query(file: str, position: str | None, as_json: bool, output: str | None) -> None:
    """Look up a position: outcome, best move, value of each move.

    FILE is a database, POSITION a state as text (default: the start).
    """
    with open_database(file) as db:
        entry = db[db.start if position is None else position]
        if output is not None:
            _draw(db, entry, output)
        elif as_json:
            click.echo(json.dumps(as_dict(db, entry), ensure_ascii=False))
        else:
            from solver.database.wording import describe

            click.echo(describe(db, entry))


def _draw(db: Database, entry: Entry, output: str) -> None:
    """Write the picture; raises `UnknownFormat` for an ending other than .svg, and what `target` does."""
    if output != "-" and not output.lower().endswith(".svg"):
        raise UnknownFormat(f"the picture of a position is an SVG: {output!r} should end in .svg")
    path = None if output == "-" else target(Path(output), "picture")
    drawn = picture("position", db.game, entry)
    if path is None:
        click.echo(drawn, nl=False)
    else:
        write(path, drawn.encode())


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
