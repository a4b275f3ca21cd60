"""`perfectplay replay`."""

import click


@click.command()
@click.argument("file")
@click.option("--show", type=click.IntRange(min=1), metavar="N", help="Draw the N-th game, ply by ply.")
def replay(file: str, show: int | None) -> None:
    """Check the games in FILE, as `match --save` wrote them, from the rules.

    Exit status 1 and what is wrong if one cannot have been played like that.
    """
    from solver.records import BrokenRecord, read_games
    from solver.records import replay as replayed

    count, wrong = 0, 0
    for count, (game, played) in enumerate(read_games(file), start=1):
        try:
            states = replayed(game, played)
        except BrokenRecord as error:
            click.echo(f"{file}: game {count}: {' '.join(str(error).split())}")
            wrong += 1
            continue
        if show == count:
            click.echo(f"{game.show(states[0])}\n")
            for move, state in zip(played.moves, states[1:], strict=True):
                click.echo(f"{move}\n{game.show(state)}\n")
    if wrong:
        raise SystemExit(1)
    click.echo(f"{file}: {count:,} games, each follows from the rules.")
