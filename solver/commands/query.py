"""`perfectplay query`."""

import sys

import click

from solver.commands.arguments import DATABASE, FiniteFloat
from solver.commands.options import command, prints_json, trusts_rules, writes
from solver.commands.output import deliver, say, target_of
from solver.database import Database, open_database
from solver.database.entry import Entry
from solver.database.lines import best_line, position_asked
from solver.database.wording import describe, entry_as_dict, line_as_dict, standing_of
from solver.errors import UnknownPosition, UnreadablePosition, UsageError, error_as_dict, message_of
from solver.system.plugins import imaging, picture


@command(
    "perfectplay query tictactoe.db",
    'perfectplay query tictactoe.db "xo..x...." --line',
    "perfectplay query tictactoe.db --moves 0,1 -o position.svg",
    sections={
        "Which position": ("moves",),
        "What is answered": ("line", "rank", "tremble"),
        "What is written": ("as_json", "output"),
    },
    only_with={"tremble": "rank"},
)
@click.argument("file", type=DATABASE)
@click.argument("position", required=False)
@click.option(
    "--moves", metavar="MOVE,...", help="In place of POSITION: the moves that lead to it from the start."
)
@click.option("--line", is_flag=True, help="Show best play to the end, or until a position repeats.")
@click.option(
    "--rank",
    is_flag=True,
    help="Order moves of equal value by what an opponent who errs is expected to give away.",
)
@click.option(
    "--tremble",
    type=FiniteFloat(0, 1),
    metavar="E",
    help="The probability, 0 to 1, of a random move by that opponent (default 0.1).",
)
@prints_json
@writes(
    "OUT",
    "Write a picture instead (.svg, .png, .pdf): the board with the value of each move.",
    check=imaging,
)
@trusts_rules
def query(
    file: str,
    position: str | None,
    moves: str | None,
    line: bool,
    rank: bool,
    tremble: float | None,
    as_json: bool,
    output: str | None,
) -> None:
    """Look up a position: outcome, best move, value of each move.

    FILE is a database, POSITION a state as text (default: the start). If POSITION is -, positions are read
    from standard input, one per line, and each is answered on one line.
    """
    answers = [f"--{name}" for name, given in {"line": line, "rank": rank, "output": output}.items() if given]
    if len(answers) > 1 or (position == "-" and answers):
        options = " and ".join(["-"] * (position == "-") + answers)
        raise UsageError(f"{options} ask for different answers: omit all but one")
    with open_database(file) as db:
        if position == "-" and moves is None:
            _answer_all(db, as_json=as_json)
            return
        entry = db[position_asked(db, position, moves)]
        if output is not None:
            image, path = imaging(output), target_of(output, "picture")
            drawn = image(picture("position", db.game, entry))
            deliver(drawn, path, standing_of(entry), as_json=as_json, position=entry.position)
        elif line:
            _show_line(db, entry, as_json=as_json)
        elif rank:
            from solver.players import trembling

            chance = trembling.TREMBLE if tremble is None else tremble
            answer = (db, entry, trembling.Trembling(db, chance).ranking(entry))
            say((trembling.ranking_as_dict if as_json else trembling.ranking_in_words)(*answer))
        else:
            say(entry_as_dict(db, entry) if as_json else describe(db, entry))


def _answer_all(db: Database, *, as_json: bool) -> None:
    """Answer each position on standard input; the exit status is that of an unknown position if any is."""
    status = 0
    for line in sys.stdin:
        position = line.rstrip("\r\n").removeprefix("\ufeff")  # the byte order mark of files on Windows
        if not position.strip():
            continue
        try:
            entry = db[position]
        except (UnknownPosition, UnreadablePosition) as error:
            status = UnknownPosition.exit_status
            answer, words = {"position": position, **error_as_dict(error)}, message_of(error)
        else:
            answer, words = entry_as_dict(db, entry), standing_of(entry)
            words += "" if entry.best_move is None else f"; best move {entry.best_move}"
        say(answer if as_json else f"{position}: {words}")
    if status:
        raise SystemExit(status)


def _show_line(db: Database, entry: Entry, *, as_json: bool) -> None:
    line = best_line(db, entry.position)
    facts = {"game": db.game_name, "parameters": db.parameters, **line_as_dict(db, line)}
    end = standing_of(line.end) if line.end.is_terminal else f"play returns to {line.end.position}"
    words = [describe(db, entry, line.moves), *(["", end] if line.moves else [])]
    say(facts if as_json else "\n".join(words))
