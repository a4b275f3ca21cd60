"""`perfectplay convert`."""

from pathlib import Path

import click

from solver.commands.arguments import DATABASE
from solver.commands.options import chooses, command, reads_files, writes
from solver.commands.output import say
from solver.database import open_database
from solver.errors import in_one_line
from solver.system.files import atomic_target
from solver.system.progress import terminal_progress
from solver.system.words import number_of


@command("perfectplay convert tictactoe.db -o packed.db")
@click.argument("file", type=DATABASE)
@writes("OUT", "The new database.", prints=False, required=True)
@chooses("--layout", ["readable", "packed"], "Layout of OUT; default: not that of FILE.")
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
@reads_files
def convert(file: str, output: str, layout: str | None, force: bool, as_json: bool) -> None:
    """Convert a database to the other layout.

    The readable layout has a row for each position and each move, for any SQLite client. The packed layout
    has blocks of some thousand positions, with less than a byte per position; it needs a game whose states
    are integers. Both layouts give the same answers. Converting back restores the same bytes, unless the file
    was folded by exchanging the players, or was written by the arrays engine on disk for a game that the
    layers engine could have solved. The readable layout is built in memory, at some 200 bytes per position.
    """
    from solver.engines.conversion import convert as converted, other_layout

    target = Path(output)
    with (
        open_database(file) as db,
        terminal_progress() as progress,
        atomic_target(target, force=force, progress=progress) as unfinished,
    ):
        target_layout = layout or other_layout(db)
        converted(db, unfinished, target_layout, progress=progress)
        with open_database(unfinished) as written:
            states = len(written)
    size = target.stat().st_size
    facts = {"file": output, "layout": target_layout, "positions": states, "bytes": size}
    words = f"{output}: {target_layout}, {number_of(states, 'position')} in {size:,} bytes"
    say(facts if as_json else in_one_line(f"{words}, {size / states:.2f} each"))
