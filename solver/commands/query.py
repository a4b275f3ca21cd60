"""`perfectplay query`."""

from pathlib import Path

import click

from solver.commands import completion
from solver.commands.arguments import print_json, prints_json, trusts_rules
from solver.database import Database, open_database
from solver.database.as_json import entry_as_dict
from solver.database.entry import Entry
from solver.database.lines import position_asked
from solver.errors import UsageError
from solver.system.files import target, write
from solver.system.plugins import imaging, picture


@click.command()
@click.argument("file", shell_complete=completion.files)
@click.argument("position", required=False)
@click.option(
    "--moves", metavar="MOVE,...", help="Instead of POSITION: the moves that lead to it from the start."
)
@click.option(
    "--rank", is_flag=True, help="Order equal moves by what an opponent who errs is expected to give away."
)
@click.option(
    "--tremble",
    type=click.FloatRange(0, 1),
    metavar="E",
    help="The probability with which that opponent plays any move, 0 to 1 (default 0.1).",
)
@prints_json
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    shell_complete=completion.files,
    help="Write a picture (.svg, .png, .pdf) instead: the board, with the value of each move.",
)
@trusts_rules
def query(
    file: str,
    position: str | None,
    moves: str | None,
    rank: bool,
    tremble: float | None,
    as_json: bool,
    output: str | None,
) -> None:
    """Look up a position: outcome, best move, value of each move.

    FILE is a database, POSITION a state as text (default: the start).
    """
    if tremble is not None and not rank:
        raise UsageError("--tremble is for --rank")
    if rank and output is not None:
        raise UsageError("--rank is for a list of moves: leave it or --output out")
    with open_database(file) as db:
        entry = db[position_asked(db, position, moves)]
        if output is not None:
            _draw(db, entry, output)
        elif rank:
            _rank(db, entry, tremble, as_json=as_json)
        elif as_json:
            print_json(entry_as_dict(db, entry))
        else:
            from solver.database.wording import describe

            click.echo(describe(db, entry))


def _rank(db: Database, entry: Entry, tremble: float | None, *, as_json: bool) -> None:
    """Print the entry with its moves ranked."""
    from solver.players.ranking_report import as_dict, in_words
    from solver.players.trembling import TREMBLE, Trembling

    ranking = Trembling(db, TREMBLE if tremble is None else tremble).ranking(entry)
    if as_json:
        print_json(as_dict(db, entry, ranking))
    else:
        click.echo(in_words(db, entry, ranking))


def _draw(db: Database, entry: Entry, output: str) -> None:
    """Write the picture; raises `UnknownFormat` for an ending of no picture, and what `target` does."""
    from solver.database.wording import standing_of

    image = imaging(output)
    path = None if output == "-" else target(Path(output), "picture")
    drawn = image(picture("position", db.game, entry))
    if path is None:
        click.echo(drawn, nl=False)
    else:
        write(path, drawn)
        click.echo(f"{output}: {standing_of(entry)}", err=True)
