"""`perfectplay solve`."""

import re
import shutil
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from solver.commands import completion
from solver.commands.arguments import as_parameters, assignment
from solver.commands.options import chooses, command, limits_memory, names_game, prints_json, writes
from solver.commands.output import print_json
from solver.database.wording import count_of, standing
from solver.engines.memory import size
from solver.errors import in_one_line
from solver.game import ENDLESS, AnyGame, outcome_of
from solver.rules.loading import game_name, game_parameters, load_game
from solver.system.words import if_interrupted

if TYPE_CHECKING:
    from solver.engines.solve import Summary

SHARES = {"finding states": 4.0, "labelling": 5.0, "unfolding": 1.0, "writing the file": 1.0}
"""The measured shares of the time that the tasks of a large solve take."""


@command(
    "perfectplay solve tictactoe",
    "perfectplay solve tictactoe misere=true -o misere.db",
    "perfectplay solve connect rows=5 columns=6 --dry-run",
    sections={
        "What is solved": ("start", "endless", "fold"),
        "How it is solved": ("engine", "memory", "cluster", "work"),
        "What is written": ("output", "layout", "force", "json_progress", "as_json", "dry_run"),
    },
)
@names_game("parameters", "[PARAM=VALUE]...", type=assignment)
@writes("FILE", "Database to write; default: <game>.db, - for standard output.")
@click.option("--start", metavar="POSITION", help="Solve from this position instead of the initial one.")
@chooses(
    "--engine",
    ["auto", "graph", "arrays", "layers"],
    "Solve any game as a graph or, faster, as arrays in memory (retrograde analysis), or a large packed game "
    "layer by layer on disk (backward induction).",
    default="auto",
)
@chooses(
    "--endless",
    ENDLESS,
    "Value of infinite play: a draw, or a win for the first or second player.",
    default="draw",
)
@click.option("--fold", is_flag=True, help="Store one state of each class of symmetric states.")
@chooses(
    "--layout",
    ["auto", "readable", "packed"],
    "Rows for any SQLite client (readable), or compressed blocks for large games (packed).",
    default="auto",
)
@limits_memory
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Solve on the workers of a dask scheduler, such as tcp://host:8786, or in N processes by local:N.",
)
@writes(
    "FOLDER",
    "Folder of the checkpoint, which all workers must see; default: FILE.work.",
    "--work",
    shell_complete=completion.folders,
)
@click.option("--json-progress", is_flag=True, help="Report progress as lines of JSON on stderr.")
@click.option("--force", is_flag=True, help="Solve anew, and replace any FILE and any checkpoint.")
@click.option("--dry-run", is_flag=True, help="Only print which engine would be used, why, and its needs.")
@prints_json
def solve(
    game: str,
    parameters: tuple[tuple[str, str], ...],
    output: str | None,
    work: str | None,
    json_progress: bool,
    dry_run: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Solve a game strongly: write a database of all reachable states.

    The database has the minimax value, the remoteness and the best moves of every state that play can reach.

    A large game is solved layer by layer, with a checkpoint in the folder FILE.work: after an interruption
    the same command resumes from the last finished step. If FILE is already the database of this game and
    these options, nothing is solved; any other existing file is refused.

    GAME is a name that `perfectplay games` lists, or FILE.py:CLASS, a rules file of your own, which is code
    and is executed.
    """
    from solver.engines.options import SolveOptions
    from solver.engines.solve import decide, remains, solve as solve_game
    from solver.system import progress as progresses

    rules = load_game(game, as_parameters(parameters))
    shown = progresses.json_progress() if json_progress else progresses.terminal_progress(shares=SHARES)
    to_stdout = output == "-"
    with ExitStack() as stack:
        progress = stack.enter_context(shown)
        path = Path(file_name(game) if to_stdout or not output else output)
        if dry_run:
            engine = how.pop("engine")
            options = SolveOptions(**how | {"force": False}, progress=progress)
            choice = decide(rules, path, options, engine=engine, work=work)
            if as_json:
                about = {"name": choice.engine, "why": choice.why}
                print_json({"engine": about, "needs": choice.needs and choice.needs.as_dict()})
            else:
                click.echo(_in_rows({"engine": f"{choice}", **(choice.needs.rows() if choice.needs else {})}))
            return
        if to_stdout:
            path = Path(stack.enter_context(TemporaryDirectory()), "database")
        with if_interrupted(lambda: remains(path, work) if work or not to_stdout else ""):
            summary = solve_game(rules, path, work=work, say=progresses.say, progress=progress, **how)
        if to_stdout:
            with path.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
    if as_json:
        print_json(_as_dict(rules, summary, None if to_stdout else str(path)), err=to_stdout)
    else:
        click.echo(_report(rules, summary, "standard output" if to_stdout else str(path)), err=to_stdout)


def file_name(game: str) -> str:
    """The default file name of a game's database: a word that needs no quotes in a shell."""
    name = Path(game).stem if game.endswith(".py") else game.rpartition(":")[2]
    word = re.sub(r"[^\w.-]+", "-", name)
    return f"{word.strip('-.')}.db"


def _in_rows(rows: Mapping[str, object]) -> str:
    return "\n".join(f"{name:<12}{in_one_line(str(words))}" for name, words in rows.items())


def _as_dict(game: AnyGame, summary: "Summary", file: str | None) -> dict[str, object]:
    return {
        "game": game_name(game),
        "parameters": game_parameters(game),
        "file": file,
        "states": summary.states,
        "terminal": summary.terminal,
        "folded": summary.folded,
        "start": summary.start,
        "to_move": game.players[summary.to_move],
        "value": summary.value,
        "outcome": outcome_of(summary.value, summary.to_move),
        "remoteness": summary.remoteness,
        "best_move": summary.best_move,
        "engine": None if summary.up_to_date else {"name": summary.engine, "why": summary.why},
        "seconds": round(summary.seconds, 3),
        "up_to_date": summary.up_to_date,
    }


def _report(game: AnyGame, summary: "Summary", file: str) -> str:
    mover, value = summary.to_move, summary.value
    counted = count_of(summary.states, "state", folded=summary.folded)
    winner = game.players[value < 0] if value else None
    start = standing(
        game.players[mover], outcome_of(value, mover), summary.remoteness, summary.margin, winner
    )
    rows = {
        "states": f"{counted}, {summary.terminal:,} of them terminal",
        "start": start,
        "best move": "none: the game is over" if summary.best_move is None else summary.best_move,
        **({} if summary.up_to_date else {"engine": f"{summary.engine}: {summary.why}"}),
        "time": f"{summary.seconds:.2f} s",
        "file": f"{file}, up to date" if summary.up_to_date else file,
    }
    if summary.readable_bytes is not None:
        rows["layout"] = f"packed; for SQL: --layout readable, about {size(summary.readable_bytes)}"
    return _in_rows(rows)
