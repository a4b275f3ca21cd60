"""`perfectplay explore`."""

from pathlib import Path

import click

from solver.commands import completion
from solver.commands.arguments import bound_memory, trusts_rules
from solver.database import open_database
from solver.system.files import target, write
from solver.system.plugins import picture


@click.command()
@click.argument("file", shell_complete=completion.files)
@click.option(
    "-o",
    "--output",
    metavar="OUT.html",
    required=True,
    shell_complete=completion.files,
    help="Output file; - for standard output.",
)
@trusts_rules
def explore(file: str, output: str) -> None:
    """Write a solved game as one HTML page to play against and explore.

    FILE is a database. The page opens from disk in any browser, on a telephone too, and loads nothing else.
    It plays best moves, shows the value of each move and goes to any position typed in; every position has a
    link. A database too large for one page is refused. A folded database is unfolded.
    """
    from solver.database.wording import game_title
    from solver.system.progress import terminal_progress

    bound_memory()
    path = None if output == "-" else target(Path(output), "page")
    with open_database(file) as db, terminal_progress("positions") as progress:
        page, name = picture("page", db, progress=progress), game_title(db.game)
    if path is None:
        click.echo(page, nl=False)
        return
    write(path, page.encode())
    click.echo(f"{output}: every position of {name}, {max(0.1, len(page) / 1e6):.1f} MB", err=True)
