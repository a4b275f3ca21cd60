"""`perfectplay explore`."""

from pathlib import Path

import click

from solver.commands.arguments import trusts_rules
from solver.database import open_database
from solver.system.files import target, write
from solver.system.pictures import picture


@click.command()
@click.argument("file")
@click.option("-o", "--output", metavar="OUT.html", required=True, help="The page; - for standard output.")
@trusts_rules
def explore(file: str, output: str) -> None:
    """Write a whole solved game as one HTML file, to play and look around in.

    FILE is a database. The page opens from disk in any browser, on a telephone too, and loads nothing else.
    It plays best moves, says what each move leads to, goes to any position that is typed, and every position
    has a link. A database too large for one file is refused. A folded one is unfolded.
    """
    from solver.database.wording import game_title
    from solver.system.progress import terminal_progress
    from solver.system.resources import bounded

    click.get_current_context().with_resource(bounded())
    path = None if output == "-" else target(Path(output), "page")
    with open_database(file) as db, terminal_progress("positions") as progress:
        page, name = picture("page", db, progress=progress), game_title(db.game)
    if path is None:
        click.echo(page, nl=False)
        return
    write(path, page.encode())
    click.echo(f"{output}: every position of {name}, {max(0.1, len(page) / 1e6):.1f} MB", err=True)
