"""`perfectplay replay`."""

import click

from solver.commands.arguments import FILE
from solver.commands.options import command, number, reads_files
from solver.commands.output import print_json
from solver.errors import UsageError
from solver.rules.asking import picture_of
from solver.system.words import number_of


@command(
    "perfectplay match tictactoe.db perfect random --save games.jsonl",
    "perfectplay replay games.jsonl --show 1",
)
@click.argument("file", type=FILE)
@number("--show", words="Show the N-th game, ply by ply.")
@reads_files
def replay(file: str, show: int | None, as_json: bool) -> None:
    """Check saved games against the rules.

    FILE was written by `match --save` or `play --save`. If a game is impossible by the rules, the reason is
    printed and the exit status is 1.
    """
    from solver.players.game_record import BrokenRecord, read_games, replay as replayed

    if as_json and show is not None:
        raise UsageError("--show draws a game, which is no JSON: omit it or --json")
    count, problems = 0, list[dict[str, object]]()
    for count, (game, played) in enumerate(read_games(file), start=1):
        try:
            states = replayed(game, played)
        except BrokenRecord as error:
            problems.append({"game": count, "problem": " ".join(str(error).split())})
            if not as_json:
                click.echo(f"{file}: game {count}: {problems[-1]['problem']}")
            continue
        if show == count:
            click.echo(f"{picture_of(game, states[0])}\n")
            for move, state in zip(played.moves, states[1:], strict=True):
                click.echo(f"{move}\n{picture_of(game, state)}\n")
    if show is not None and show > count:
        raise UsageError(f"{file} has no game {show}: its last one is game {count}")
    if as_json:
        print_json({"file": file, "games": count, "problems": problems})
    elif not problems:
        games = f"{number_of(count, 'game')} {'follows' if count == 1 else 'follow'}"
        click.echo(f"{file}: {games} from the rules.")
    if problems:
        raise SystemExit(1)
