"""`perfectplay puzzles`."""

import re

import click

from solver.commands import completion
from solver.commands.arguments import OneOf, bound_memory, print_json, prints_json, trusts_rules
from solver.errors import BadParameter


@click.command()
@click.argument("file", shell_complete=completion.files)
@click.option(
    "-n",
    "--number",
    "count",
    type=click.IntRange(1, 10_000),
    default=12,
    show_default=True,
    metavar="N",
    help="The most puzzles.",
)
@click.option(
    "--for",
    "player",
    metavar="PLAYER",
    shell_complete=completion.sides,
    help="Only puzzles for this player to solve.",
)
@click.option("--plies", metavar="N|A-B", help="Only positions of this remoteness.")
@click.option("--outcome", type=OneOf(["win", "draw"]), help="Only wins, or only draws, to be found.")
@prints_json
@trusts_rules
def puzzles(
    file: str, count: int, player: str | None, plies: str | None, outcome: str | None, as_json: bool
) -> None:
    """Find positions in which exactly one move keeps the value, the hardest first.

    FILE is a database. Of symmetric positions one is taken.
    """
    from solver.analysis.puzzles import hardest
    from solver.analysis.puzzles.puzzle import Wanted
    from solver.analysis.puzzles.report import as_dict, in_words
    from solver.database import open_database
    from solver.system.progress import terminal_progress

    bound_memory()
    with open_database(file) as db, terminal_progress("positions") as progress:
        side = None if player is None else db.game.player(player)
        found = hardest(db, Wanted(count, side, _plies(plies), outcome), progress=progress)
        if as_json:
            print_json(as_dict(db, found))
        else:
            click.echo(in_words(db, found))


def _plies(text: str | None) -> range | None:
    """The plies named by `N`, `A-B` or `A..B`, both ends included; raises `BadParameter` for other texts."""
    if text is None:
        return None
    form = re.fullmatch(r"(\d{1,9})(?:(?:-|\.\.)(\d{1,9}))?", text)
    if form is None:
        raise BadParameter(f"--plies takes a number of plies, or two with - between them, not {text!r}")
    return range(int(form[1]), int(form[2] or form[1]) + 1)
