"""`perfectplay puzzles`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.commands.arguments import DATABASE, plies_asked
from solver.commands.options import chooses, command, names_side, number, reads_files, writes
from solver.commands.output import bound_memory, print_json, say_written, target_of
from solver.database import Database, open_database
from solver.errors import UnknownFormat, UsageError
from solver.system.files import new_folder, write, write_folder
from solver.system.plugins import drawing, imaging, picture
from solver.system.progress import terminal_progress
from solver.system.words import number_of

if TYPE_CHECKING:
    from solver.analysis.puzzles.puzzle import Puzzle

FILES = (".json", ".html", ".pdf")
"""The suffixes of output in one file."""


def _refuse_ending(output: str) -> None:
    if output == "-" or Path(output).suffix.lower() not in ("", *FILES):
        raise UnknownFormat(
            f"puzzles are written to a file that ends in {', '.join(FILES)}, or as pictures into a folder, "
            f"not to {output!r}"
        )


@command(
    "perfectplay puzzles tictactoe.db --for x -n 3",
    "perfectplay puzzles tictactoe.db -o puzzles.html",
    sections={
        "Which puzzles": ("count", "player", "plies", "outcome"),
        "What is written": ("output", "picture_format", "as_json"),
    },
)
@click.argument("file", type=DATABASE)
@number("-n", "--number", "count", default=12, words="At most N puzzles.", most=10_000)
@names_side("player", "Only puzzles for this player to solve.")
@click.option(
    "--plies", "--remoteness", "plies", metavar="N|A-B", help="Only positions of this remoteness, in plies."
)
@chooses("--outcome", ["win", "draw"], "Only puzzles in which the move to find keeps a win, or a draw.")
@writes(
    "OUT",
    "Write sheets to print (.pdf), a page to solve them on (.html), all facts (.json), or a folder of "
    "pictures.",
    check=_refuse_ending,
)
@chooses(
    "--format", ["svg", "png"], "The format of the pictures in a folder (default svg).", "picture_format"
)
@reads_files
def puzzles(
    file: str,
    player: str | None,
    plies: str | None,
    output: str | None,
    picture_format: str | None,
    as_json: bool,
    **which: Any,
) -> None:
    """Find positions in which exactly one move keeps the value, the hardest first.

    FILE is a database. Of symmetric positions, only one is taken. Pictures do not show the answers; sheets
    have them on the last page.
    """
    from solver.analysis.puzzles import hardest
    from solver.analysis.puzzles.puzzle import Wanted
    from solver.analysis.puzzles.wording import as_dict, in_words, none_of

    bound_memory()
    path = None if output is None else _target(Path(output), picture_format)
    if path is None and picture_format is not None:
        raise UsageError("--format is for pictures: name their folder with -o")
    with open_database(file) as db, terminal_progress("positions") as progress:
        side = None if player is None else db.game.player(player)
        wanted = Wanted(player=side, plies=plies_asked("--plies", plies), **which)
        chosen = hardest(db, wanted, progress=progress)
        if not chosen and str(output).lower().endswith((".html", ".pdf")):
            raise UsageError(f"{none_of(db, wanted)}, so there is nothing to draw")
        if path is not None:
            _write(path, picture_format or "svg", db, chosen)
            say_written(path, number_of(len(chosen), "puzzle"))
        if as_json:
            print_json(as_dict(db, chosen))
        elif path is None:
            click.echo(in_words(db, chosen) if chosen else f"{none_of(db, wanted)}.")


def _target(path: Path, picture_format: str | None) -> Path:
    if path.suffix.lower() not in FILES:
        return new_folder(path)
    target_of(str(path), "puzzles")
    if picture_format is not None:
        raise UsageError(f"--format is for a folder of pictures, not for {path.name}")
    return path


def _write(path: Path, picture_format: str, db: Database, chosen: "Sequence[Puzzle]") -> None:
    from solver.analysis.puzzles.wording import as_dict

    match path.suffix.lower():
        case ".json":
            write(path, (json.dumps(as_dict(db, chosen), ensure_ascii=False, indent=1) + "\n").encode())
        case ".html":
            write(path, picture("puzzle-page", db, chosen).encode())
        case ".pdf":
            write(path, drawing("puzzle-sheet")(db, chosen))
        case _:
            image, width = imaging(f"x.{picture_format}"), len(str(len(chosen)))
            names = [f"puzzle-{nth:0{width}}.{picture_format}" for nth in range(1, len(chosen) + 1)]
            pictures = [image(picture("puzzle", db, puzzle)) for puzzle in chosen]
            write_folder(path, zip(names, pictures, strict=True))
