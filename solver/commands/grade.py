"""`perfectplay grade`."""

from pathlib import Path
from typing import Any

import click

from solver.commands import completion
from solver.commands.arguments import DATABASE
from solver.commands.options import command, number, prints_json, seeds, trusts_rules, writes
from solver.commands.output import bound_memory, say
from solver.system.files import target, write
from solver.system.plugins import drawing, imaging


@command(
    "perfectplay grade tictactoe.db random",
    'perfectplay grade tictactoe.db "depth-limited(depth=2)" --sample 100',
)
@click.argument("file", type=DATABASE)
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True, shell_complete=completion.players)
@number("--sample", words="Grade N random states only.")
@number(
    "--repeat",
    default=1,
    metavar="K",
    words="Let each player choose K times in each state.",
    show_default=False,
)
@seeds
@writes("OUT", "Plot the accuracy of all players (.svg, .png, .pdf).", "--plot", check=imaging)
@prints_json
@trusts_rules
def grade(file: str, players: tuple[str, ...], plot: str | None, as_json: bool, **asked: Any) -> None:
    """Grade the moves of players against a solved game.

    FILE is a database. Each PLAYER chooses a move in every non-terminal position; no games are played.
    Reports how often it plays a best move, how often it keeps the value, the value that it loses, and its
    worst blunders; for a deterministic player also its exact result against a best response, with the line of
    play, and what an opponent whose hand trembles lets it expect. `perfectplay match --help` lists the
    players.
    """
    from solver.analysis.grade import grade as graded
    from solver.analysis.grade_report import as_dict, in_words
    from solver.database import open_database
    from solver.players import Truth, make_player
    from solver.system.progress import terminal_progress

    bound_memory()
    path = None if plot is None else target(Path(plot), "plot")
    with open_database(file) as db, Truth(db.game, db) as truth, terminal_progress() as progress:
        names = list(dict.fromkeys(players))
        image = None if plot is None else imaging(plot)
        draw = None if path is None else drawing("accuracy")(db, len(names))
        made = {name: make_player(name, truth) for name in names}
        grades = [graded(db, name, made[name], **asked, progress=progress) for name in names]
    reports = [*map(as_dict, grades)]
    words = "\n\n".join(map(in_words, grades))
    say(words if not as_json else reports[0] if len(reports) == 1 else reports)
    if path is not None and draw is not None and image is not None:
        write(path, image(draw(grades)))
