"""`perfectplay check`."""

import click

from solver.commands.arguments import Assignment, as_parameters
from solver.rules.loading import load_game


@click.command()
@click.argument("game")
@click.argument("parameters", type=Assignment(), nargs=-1, metavar="[PARAM=VALUE]...")
@click.option(
    "--states", type=click.IntRange(min=1), default=2000, show_default=True, help="How many to look at."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random games.")
def check(game: str, parameters: tuple[tuple[str, str], ...], states: int, seed: int) -> None:
    """Test the rules of a game themselves.

    GAME is a name that `perfectplay games` lists, or FILE.py:CLASS. Small games are played through; of larger
    ones the first N states and random games. Exit status 1 and each kind of fault, with a position in which
    it shows, if there are any.
    """
    from solver.rules.check import check as check_game
    from solver.system.resources import bounded

    click.get_current_context().with_resource(bounded())
    found = check_game(load_game(game, as_parameters(parameters)), states=states, seed=seed)
    for fault in found.faults:
        click.echo(f"{game}: {fault}")
    if found.faults:
        raise SystemExit(1)
    seen = f"all {found.states:,} states" if found.whole else f"{found.states:,} states (the game has more)"
    click.echo(f"{game}: no fault found in {seen}.")
