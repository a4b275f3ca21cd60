"""The layers engine and what one would take instead, in one run: `python -m tests.benchmarks.side_by_side`.

Every contestant solves the same boards, each in a process of its own, one after the other: easyAI,
OpenSpiel, networkx and plain dictionaries, as tests/benchmarks/contestants has them. What they need is
installed from PyPI into a virtual environment that is thrown away, unless `--python` names one in which it
is. Other solvers can be named by `--other NAME=COMMAND`: the command is given `mnk|connect ROWS COLUMNS K`
and prints JSON with `states` and `value`. Prints a Markdown table; memory and time are those of whole
processes.
"""

import argparse
import json
import shlex
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.benchmarks.measured import PROGRAM, Failed, bytes_in_words, setting, table, taken

BOARDS = ["mnk 3 3 3", "connect 4 4 4", "connect 5 4 4"]
"""Family, rows, columns and k."""

NEEDED = ["easyAI", "networkx", "open_spiel", "cvxpy", "numpy", "scipy"]
"""What the contestants import, and what OpenSpiel's value iteration does."""

CONTESTANTS = {
    "plain dictionaries": "in_dictionaries",
    "networkx": "with_networkx",
    "easyAI, depth-first with table": "with_easyai",
    "OpenSpiel, value iteration": "with_openspiel",
}
"""By name, the module of each."""

COLUMNS = (
    "board ",
    "solver ",
    "states known",
    "value",
    "seconds",
    "states/s",
    "peak memory",
    "memory a state",
    "file a state",
)


def installed(folder: Path) -> str:
    """The Python of a new virtual environment that has what the contestants need."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *NEEDED], check=True, stdout=sys.stderr)
    return python


class Solver(NamedTuple):
    """How a board is solved, and what is left of it."""

    name: str
    command: Sequence[str]
    file: Path | None = None


def solvers(arguments: argparse.Namespace, python: str, board: str, folder: Path) -> Iterator[Solver]:
    """All who solve a board."""
    family, rows, columns, k = board.split()
    game = [family, f"rows={rows}", f"columns={columns}", f"k={k}"]
    for engine in ("layers", "arrays", "graph"):
        path = folder / f"{engine}.db"
        command = [arguments.program, "solve", *game, "--engine", engine, "-o", str(path), "--force"]
        yield Solver(f"perfectplay, {engine}", command, path)
    for name, module in CONTESTANTS.items():
        yield Solver(name, [python, "-m", f"tests.benchmarks.contestants.{module}", *board.split()])
    for each in arguments.other:
        name, _, words = each.partition("=")
        yield Solver(name, [*shlex.split(words), *board.split()])


def cells(arguments: argparse.Namespace, solver: Solver) -> list[str]:
    """What a solver takes and finds, or why it does not."""
    try:
        found = taken(solver.command, timeout=arguments.timeout)
    except Failed as failure:
        return [str(failure)]
    output = found.output
    if solver.file:
        output = taken([arguments.program, "stats", str(solver.file), "--json"]).output
    said = json.loads(output)
    states = said["states"]
    return [
        f"{states:,}",
        f"{said['value']:+d}" if said["value"] else "0",
        f"{found.seconds:.2f}",
        f"{states / found.seconds:,.0f}",
        bytes_in_words(found.peak),
        f"{found.peak / states:,.0f} B",
        f"{solver.file.stat().st_size / states:,.2f} B" if solver.file else "",
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("boards", nargs="*", metavar='"mnk|connect ROWS COLUMNS K"')
    parser.add_argument("--python", help="a Python that has what the contestants need")
    parser.add_argument("--other", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--timeout", type=float, default=900, metavar="SECONDS")
    parser.add_argument("--program", default=PROGRAM)
    arguments = parser.parse_args()
    with TemporaryDirectory() as scratch:
        python = arguments.python or installed(Path(scratch) / "venv")
        rows = [
            [board, solver.name, *cells(arguments, solver)]
            for board in arguments.boards or BOARDS
            for solver in solvers(arguments, python, board, Path(scratch))
        ]
    print(setting(), table(COLUMNS, rows), sep="\n\n")


if __name__ == "__main__":
    main()
