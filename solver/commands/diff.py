"""`perfectplay diff`."""

import json

import click

from solver.commands.arguments import trusts_rules


@click.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    metavar="N",
    help="How many positions to show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@trusts_rules
def diff(a: str, b: str, limit: int, as_json: bool) -> None:
    """Tell what other rules change: compare two databases, A and B.

    They are of games on the same board, such as tictactoe with misere=false and misere=true, or of one game
    solved with another --endless. Reports how many positions have another value or, with the same value,
    another remoteness, at which plies, and which are in one file alone. The first N positions of another
    value are drawn as A and as B have them.

    Exit status 0 when both have the same positions, of the same values and remoteness, 1 when they differ, 2
    when they have no position in common.
    """
    from solver.analysis.difference import difference
    from solver.analysis.difference.report import as_dict, in_words
    from solver.database import open_database
    from solver.system.progress import terminal_progress

    with open_database(a) as one, open_database(b) as other:
        with terminal_progress("positions") as progress:
            found = difference(one, other, limit, progress=progress)
        if as_json:
            click.echo(json.dumps(as_dict(one, other, found), ensure_ascii=False))
        else:
            click.echo(in_words(one, other, found))
    if not found.same:
        raise SystemExit(1)
