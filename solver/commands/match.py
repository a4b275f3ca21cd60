"""`perfectplay match`."""

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from solver.commands import completion
from solver.commands.arguments import DATABASE, split_parameters
from solver.commands.options import command, number, reads_files, seeds, writes
from solver.commands.output import say, target_of
from solver.errors import UsageError
from solver.system.files import write
from solver.system.progress import no_progress, terminal_progress

if TYPE_CHECKING:
    from solver.players.match import MatchScore


@command(
    "perfectplay match tictactoe.db perfect random --games 100",
    'perfectplay match nim heaps=3,4,5 minimax "uct(playouts=50)" --swap --games 10',
    sections={
        "Which games": ("games", "seed", "swap", "start"),
        "What is written": ("save", "force", "as_json"),
    },
    only_with={"force": "save"},
)
@click.argument("source", type=DATABASE, metavar="GAME|FILE", shell_complete=completion.games)
@click.argument(
    "words",
    nargs=-1,
    required=True,
    metavar="[PARAM=VALUE]... PLAYER PLAYER",
    shell_complete=completion.parameters_and_players,
)
@number("--games", default=1, words="Games to play.")
@seeds
@click.option("--swap", is_flag=True, help="Swap sides after each game.")
@click.option("--start", metavar="POSITION", help="Start from this position.")
@writes("FILE", "Save the games for `replay`, one JSON object per line.", "--save")
@click.option("--force", is_flag=True, help="Replace the saved FILE if it exists.")
@reads_files
def match(
    source: str,
    words: tuple[str, ...],
    swap: bool,
    start: str | None,
    save: str | None,
    force: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Play games between two players and count the wins.

    They play GAME, or the game of a database or plan FILE. The first PLAYER has the first of the game's two
    sides.

    A player is a name, with optional parameters: perfect, random, human, minimax, alpha-beta,
    "depth-limited(depth=4)", "mc(playouts=1000)", "ucb1(playouts=1000)", "uct(playouts=1000)",
    "uct-solver(playouts=1000)", "plan(FILE.json)", or "FILE.py:NAME" for your own, which is code and is
    executed. A player that makes an illegal move or fails loses the game. When a position occurs for the
    third time, or after 10,000 plies, play counts as endless: a draw, or a win for the player that FILE
    specifies.
    """
    from solver.commands.source import open_source
    from solver.players import make_player
    from solver.players.game_record import as_line
    from solver.players.match import Opponent, PlayedGame, match_score, play_match
    from solver.players.session import Human

    parameters, names = split_parameters(words)
    if len(names) != 2:
        raise UsageError(f"a match needs two players, not {len(names)}: {', '.join(names) or 'none'}")
    path = target_of(save, "games", force=force)
    with open_source(source, parameters, start) as (truth, begin, _), terminal_progress("games") as progress:
        one, two = (Opponent(name, make_player(name, truth)) for name in names)
        if any(isinstance(opponent.player, Human) for opponent in (one, two)):
            progress = no_progress  # a bar would run into the board
        chosen |= {"swap": swap, "start": begin, "endless": truth.endless, "progress": progress}
        played = list[PlayedGame]()
        try:
            played.extend(play_match(truth.game, (one, two), **chosen))
        finally:  # Ctrl-C leaves the games played until then
            if path is not None and played:
                lines = "".join(f"{as_line(truth.game, one_game)}\n" for one_game in played)
                write(path, lines.encode(), force=force)
    for note, count in Counter(game.note for game in played if game.note).items():
        click.echo(f"{note}{f' ({count} times)' if count > 1 else ''}", err=True)
    result = match_score((one.name, two.name), played, swap=swap)
    facts = {"players": result.players, "games": result.games, **asdict(result), "swap": swap}
    say(facts if as_json else _table(result))


def _table(result: "MatchScore") -> str:
    from solver.analysis.statistics import percentages, wilson
    from solver.database.wording import plies

    one, two = result.players
    if one == two:
        one, two = f"{one} (1)", f"{two} (2)"
    counts = {f"{one} wins": result.wins[0], f"{two} wins": result.wins[1], "draws": result.draws}
    width = max(map(len, counts))
    lines = [f"{'games':<{width}}  {result.games:>6}   95% interval"]
    for name, count in counts.items():
        lines.append(f"{name:<{width}}  {count:>6}   {percentages(wilson(count, result.games))}")
    length = f"on average, {plies(result.longest)} in the longest game"
    lines.append(f"{'plies':<{width}}  {result.mean_plies:>6.1f}   {length}")
    return "\n".join(lines)
