"""`perfectplay play`."""

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from solver.commands import completion
from solver.commands.arguments import split_parameters
from solver.commands.options import command, trusts_rules, writes
from solver.commands.output import target_of
from solver.errors import UsageError
from solver.rules.asking import mover_of
from solver.rules.notation import read_position
from solver.system.files import write
from solver.system.terminal import printable

if TYPE_CHECKING:
    from solver.players.session import Dialogue


@command(
    "perfectplay play tictactoe",
    'perfectplay play tictactoe.db --as o --against "uct(playouts=100)"',
    sections={
        "Who plays": ("side", "against", "seed"),
        "Which game": ("start",),
        "What is written": ("save", "force"),
    },
    only_with={"force": "save"},
)
@click.argument("source", metavar="GAME|FILE|PLAN.json", shell_complete=completion.games)
@click.argument("words", nargs=-1, metavar="[PARAM=VALUE]...", shell_complete=completion.parameters)
@click.option(
    "--as",
    "side",
    metavar="SIDE",
    shell_complete=completion.sides,
    help="Your side: first, second, x, o, ...; default: the player to move.",
)
@click.option(
    "--against",
    metavar="PLAYER",
    shell_complete=completion.players,
    help="Your opponent; default: the plan if one is given, else perfect.",
)
@click.option("--start", metavar="POSITION", help="Start from this position.")
@click.option("--seed", type=int, help="Seed of the opponent's random choices; default: different each time.")
@writes("FILE", "Save the game, finished or not, as `match` does.", "--save")
@click.option("--force", is_flag=True, help="Replace the saved FILE if it exists.")
@trusts_rules
def play(
    source: str,
    words: tuple[str, ...],
    side: str | None,
    against: str | None,
    start: str | None,
    seed: int | None,
    save: str | None,
    force: bool,
) -> None:
    """Play a game against the computer.

    The game is GAME, or that of a database FILE or a plan PLAN.json. Type moves by the names that the board
    shows and `query` uses. Other words are hint, why (the value of each move), undo, board, help and quit.

    The opponent is any player that `perfectplay match --help` lists. Without a database, hint, why and the
    player perfect solve the game first, if it has at most about 200,000 states.
    """
    from solver.commands.source import open_source
    from solver.players import make_player
    from solver.players.game_record import as_line
    from solver.players.match import Opponent
    from solver.players.session import Dialogue
    from solver.players.simple import ByPlan

    parameters, rest = split_parameters(words)
    if rest:
        raise UsageError(f"{rest[0]!r} should be PARAM=VALUE; an opponent is named by --against")
    path = target_of(save, "game", force=force)
    with open_source(source, parameters, start) as (truth, begin, plan):
        game = truth.game
        state = read_position(game, begin)
        person = mover_of(game, state) if side is None else game.player(side)
        if plan and against is None:
            if plan.owner == person and side is not None:
                raise UsageError(
                    f"the plan plays {game.players[person]}: play as the other side, or name an opponent "
                    "by --against"
                )
            person, opponent = 1 - plan.owner, Opponent("the plan", ByPlan(game, plan))
        else:
            name = against or "perfect"
            opponent = Opponent(name, make_player(name, truth))
        dialogue = Dialogue(game, state, person, opponent, truth, seed=seed)
        try:
            _talk(dialogue)
        finally:  # Ctrl-C leaves the game, too
            if path is not None:
                write(path, f"{as_line(game, dialogue.played())}\n".encode(), force=force)


def _talk(dialogue: "Dialogue") -> None:
    click.echo(f"{dialogue.opening()}\n")
    while not dialogue.finished:
        typed = _typed(f"{dialogue.name}> ")
        if typed is None:
            click.echo("\nYou left the game.")
            return
        if typed.strip():
            answer = dialogue.answer(typed)
            click.echo(f"{answer.text}\n", err=answer.refused)


def _typed(prompt: str) -> str | None:
    """The line that the person types, None at the end of input; a piped line is echoed."""
    if sys.stdin.isatty():
        with suppress(ImportError):  # not on Windows
            import readline  # noqa: F401  (gives input() editing and a history)

        try:
            return input(printable(prompt))
        except EOFError:
            return None
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if line:
        click.echo(line.rstrip("\n"))
    return line or None
