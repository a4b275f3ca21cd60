"""`perfectplay diff`."""

import click

from solver.commands.arguments import DATABASE, FILE
from solver.commands.options import command, number, reads_files
from solver.commands.output import say
from solver.database import open_database
from solver.system.progress import terminal_progress


@command("perfectplay diff tictactoe.db misere.db")
@click.argument("a", type=DATABASE)
@click.argument("b", type=FILE)
@number("--limit", default=3, words="Positions to show.", least=0)
@reads_files
def diff(a: str, b: str, limit: int, as_json: bool) -> None:
    """Compare two databases, A and B, of games with different rules.

    The games have the same board, such as tictactoe with misere=false and misere=true, or are one game solved
    with different --endless. Reports how many positions differ in value or, at equal value, in remoteness, at
    which plies they are, and how many positions are in only one file. Draws the first N positions that differ
    in value, with both results.

    The exit status is 0 if all positions, values and remotenesses agree, 1 if they differ, 2 if the files
    have no position in common.
    """
    from solver.analysis.difference import difference
    from solver.analysis.difference_report import as_dict, in_words

    with open_database(a) as one, open_database(b) as other:
        with terminal_progress("positions") as progress:
            changes = difference(one, other, limit, progress=progress)
        say(as_dict(one, other, changes) if as_json else in_words(one, other, changes))
    if not changes.same:
        raise SystemExit(1)
