"""`perfectplay check`."""

import click

from solver.commands.arguments import Assignment, as_parameters, bound_memory
from solver.rules.loading import load_game


@click.command()
@click.argument("game")
@click.argument("parameters", type=Assignment(), nargs=-1, metavar="[PARAM=VALUE]...")
@click.option(
    "--states",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    metavar="N",
    help="States to test.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random games.")
def check(game: str, parameters: tuple[tuple[str, str], ...], states: int, seed: int) -> None:
    """Test the rules of a game for consistency.

    GAME is a name that `perfectplay games` lists, or FILE.py:CLASS. A game of up to N states is tested
    completely; a larger one in its first N states and in random games. Prints each kind of fault with a
    position that shows it. The exit status is 1 if there are faults.
    """
    from solver.rules.check import check as check_game

    bound_memory()
    found = check_game(load_game(game, as_parameters(parameters)), states=states, seed=seed)
    for fault in found.faults:
        click.echo(f"{game}: {fault}")
    if found.faults:
        raise SystemExit(1)
    seen = f"all {found.states:,} states" if found.whole else f"{found.states:,} states (the game has more)"
    click.echo(f"{game}: no fault found in {seen}.")
