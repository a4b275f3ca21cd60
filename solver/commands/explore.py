"""`perfectplay explore`."""

from collections.abc import Sequence

import click

from solver.commands.arguments import DATABASE
from solver.commands.options import command, marks, reads_files, writes
from solver.commands.output import bound_memory, deliver, refuse_no_page, target_of
from solver.database import open_database
from solver.system.plugins import picture
from solver.system.progress import terminal_progress


@command("perfectplay explore tictactoe.db -o tictactoe.html")
@click.argument("file", type=DATABASE)
@writes("OUT.html", "Output file; - for standard output.", check=refuse_no_page, required=True)
@marks
@reads_files
def explore(file: str, output: str, certificates: Sequence[str], as_json: bool) -> None:
    """Write a solved game as one HTML page to play against and explore.

    FILE is a database. The page opens from disk in any browser, including on phones, and loads nothing else.
    It plays best moves, shows the value of each move and goes to any position that is typed in; every
    position has a link. A database too large for one page is refused. A folded database is unfolded.
    """
    from solver.analysis.certificates.mark import mark_of
    from solver.database.wording import game_title

    bound_memory()
    path = target_of(output, "page")
    with open_database(file) as db, terminal_progress("positions") as progress:
        about = db.game, db.start, db.endless
        marks = [mark_of(certificate, *about, progress=progress) for certificate in certificates]
        page = picture("page", db, progress=progress, **({"marks": marks} if marks else {}))
        rows = page.partition('"positions":[\n')[2].partition("\n]")[0]  # a folded file is unfolded here
        words = f"every position of {game_title(db.game)}, {max(0.1, len(page) / 1e6):.1f} MB"
    deliver(page, path, words, as_json=as_json, positions=rows.count("\n") + 1, bytes=len(page.encode()))
