"""What large games take: `python -m tests.benchmarks.large_solves ["GAME PARAM=VALUE ... --OPTION" ...]`.

Each is solved from the command line in a process of its own and then verified in another; what comes out is a
Markdown table. Each game is solved twice, the first time with an empty cache of compiled code, unless
`--once` is given; of the solves in which nothing else differs it is the second that shows what is usual.
"""

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.measured import PROGRAM, Failed, bytes_in_words, setting, table, taken

GAMES = [
    "mnk rows=4 columns=4 k=4",
    "connect rows=5 columns=5",
    "connect rows=6 columns=5",
    "connect rows=5 columns=6",
]
"""The largest takes some minutes and 2 GB of disk; 7 rows of 5 columns half an hour and 30 GB."""

COLUMNS = (
    "game ",
    "compiled code ",
    "states",
    "value",
    "seconds",
    "CPU seconds",
    "states/s",
    "peak memory",
    "most disk",
    "file",
    "bytes a state",
    "verify, seconds",
    "CPU seconds",
    "peak memory",
    "verify / solve",
)


def row(arguments: argparse.Namespace, game: str, folder: Path, cache: str, name: str) -> list[str]:
    """Solve a game, verify it, and say what that took; the file is left in the folder."""
    path = folder / f"{'-'.join(game.replace('=', '').split())}.db"
    command = [arguments.program, "solve", *game.split(), "--engine", arguments.engine]
    command += ["-o", str(path), "--force"]
    command += ["--memory", arguments.memory] if arguments.memory else []
    command += ["--fold"] if arguments.fold else []
    solved = taken(command, environment={"NUMBA_CACHE_DIR": cache}, folder=folder)
    said = json.loads(taken([arguments.program, "stats", str(path), "--json"]).output)
    states, size = said["states"], path.stat().st_size
    cells = [
        game,
        name,
        f"{states:,}",
        f"{said['value']:+d}" if said["value"] else "0",
        f"{solved.seconds:.1f}",
        f"{solved.cpu:.1f}",
        f"{states / solved.seconds:,.0f}",
        bytes_in_words(solved.peak),
        bytes_in_words(solved.disk),
        bytes_in_words(size),
        f"{size / states:.3f}",
    ]
    if arguments.no_verify:
        return [*cells, "", "", "", ""]
    verified = taken([arguments.program, "verify", str(path)])
    return [
        *cells,
        f"{verified.seconds:.1f}",
        f"{verified.cpu:.1f}",
        bytes_in_words(verified.peak),
        f"{verified.seconds / solved.seconds:.2f}",
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar='"GAME PARAM=VALUE ..."')
    parser.add_argument("--once", action="store_true", help="only with an empty cache of compiled code")
    parser.add_argument("--no-verify", action="store_true", help="only solve")
    parser.add_argument("--engine", default="layers", help="layers, or arrays for games with loops")
    parser.add_argument("--fold", action="store_true", help="solve one state for all symmetric ones")
    parser.add_argument("--memory", help="what solve is given, such as 4G")
    parser.add_argument("--folder", type=Path, help="where files are left; default: nowhere")
    parser.add_argument("--program", default=PROGRAM)
    arguments = parser.parse_args()
    rows = []
    with TemporaryDirectory(dir=arguments.folder) as scratch:
        for number, game in enumerate(arguments.games or GAMES):
            for name in ("none",) if arguments.once else ("none", "kept"):
                try:
                    folder = arguments.folder or Path(scratch)
                    rows.append(row(arguments, game, folder, f"{scratch}/cache{number}", name))
                except Failed as failure:
                    rows.append([game, name, str(failure)])
    print(setting(), table(COLUMNS, rows), sep="\n\n")


if __name__ == "__main__":
    main()
