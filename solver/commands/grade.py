"""`perfectplay grade`."""

from typing import Any

import click

from solver.commands import completion
from solver.commands.arguments import DATABASE
from solver.commands.options import command, number, reads_files, seeds, writes
from solver.commands.output import bound_memory, say, target_of
from solver.database import open_database
from solver.system.files import write
from solver.system.plugins import drawing, imaging
from solver.system.progress import terminal_progress


@command(
    "perfectplay grade tictactoe.db random",
    'perfectplay grade tictactoe.db "depth-limited(depth=2)" --sample 100',
)
@click.argument("file", type=DATABASE)
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True, shell_complete=completion.players)
@number("--sample", words="Grade only N random states.")
@number(
    "--repeat",
    default=1,
    metavar="K",
    words="Ask each player K times in each state.",
    show_default=False,
)
@seeds
@writes("OUT", "Plot the accuracy of all players (.svg, .png, .pdf).", "--plot", check=imaging)
@reads_files
def grade(file: str, players: tuple[str, ...], plot: str | None, as_json: bool, **options: Any) -> None:
    """Grade the moves of players against a solved game.

    FILE is a database. Each PLAYER chooses a move in every non-terminal position; no games are played.
    Reports how often it plays a best move, how often it keeps the value, and its worst blunders. For a
    deterministic player, also reports its exact result against a best response, with the line of play, and
    its expected result against an opponent whose hand trembles. `perfectplay match --help` lists the players.
    """
    from solver.analysis.grade import grade as graded
    from solver.analysis.grade_report import as_dict, in_words
    from solver.players import Truth, make_player

    bound_memory()
    path = target_of(plot, "plot")
    with open_database(file) as db, Truth(db.game, db) as truth, terminal_progress() as progress:
        names = list(dict.fromkeys(players))
        draw = None if path is None else drawing("accuracy")(db, len(names))
        instances = {name: make_player(name, truth) for name in names}
        grades = [graded(db, name, instances[name], **options, progress=progress) for name in names]
    reports = [*map(as_dict, grades)]
    words = "\n\n".join(map(in_words, grades))
    if path is not None and draw is not None:
        write(path, imaging(str(path))(draw(grades)))
    say(words if not as_json else reports[0] if len(reports) == 1 else reports)
