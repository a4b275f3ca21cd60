"""`perfectplay replay`."""

import click

from solver.commands import completion
from solver.commands.arguments import trusts_rules
from solver.rules.asking import picture_of


@click.command()
@click.argument("file", shell_complete=completion.files)
@click.option("--show", type=click.IntRange(min=1), metavar="N", help="Show the N-th game, ply by ply.")
@trusts_rules
def replay(file: str, show: int | None) -> None:
    """Check saved games against the rules.

    FILE was written by `match --save`. The exit status is 1, with the reason, if a game cannot have been
    played as it says.
    """
    from solver.players.game_record import BrokenRecord, read_games
    from solver.players.game_record import replay as replayed

    count, wrong = 0, 0
    for count, (game, played) in enumerate(read_games(file), start=1):
        try:
            states = replayed(game, played)
        except BrokenRecord as error:
            click.echo(f"{file}: game {count}: {' '.join(str(error).split())}")
            wrong += 1
            continue
        if show == count:
            click.echo(f"{picture_of(game, states[0])}\n")
            for move, state in zip(played.moves, states[1:], strict=True):
                click.echo(f"{move}\n{picture_of(game, state)}\n")
    if wrong:
        raise SystemExit(1)
    click.echo(f"{file}: {count:,} games, each follows from the rules.")
