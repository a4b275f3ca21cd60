"""Solves by two versions of the program: `python -m tests.benchmarks.two_versions OTHER ["GAME ..."]`.

OTHER is the `perfectplay` of another checkout; the two take turns. Prints a Markdown table: for each game the
median of processor seconds and of seconds, start and end of the program included, and that of the ratios of
this version to the other one.
"""

import argparse
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.benchmarks.measured import PROGRAM, setting, table, taken

GAMES = [
    "tictactoe",
    "hexapawn rows=3 columns=3",
    "morris variant=tapatan",
    "hexapawn rows=4 columns=4",
    "othello rows=4 columns=4",
    "lgame",
    *(
        f"{Path(__file__).with_name('race.py')}:Race {size}"
        for size in ("length=20 tank=12", "length=25 tank=16")
    ),
]
"""Games that a graph holds, and some that are a little or much too large for it."""

COLUMNS = ("game", "CPU seconds", "other", "ratio", "seconds", "other", "ratio")


def row(game: str, programs: tuple[str, str], pairs: int, folder: Path) -> list[str]:
    """Solve a game by either program in turns, and say what that took."""
    cpu: list[list[float]] = [[], []]
    wall: list[list[float]] = [[], []]
    for _ in range(pairs):
        for at, program in enumerate(programs):
            run = taken([program, "solve", *game.split(), "-o", str(folder / f"{at}.db"), "--force"])
            cpu[at].append(run.cpu)
            wall[at].append(run.seconds)
    cells = [game.rpartition("/")[2]]
    for mine, other in (cpu, wall):
        ratios = [one / two for one, two in zip(mine, other, strict=True)]
        cells += [f"{median(mine):.2f}", f"{median(other):.2f}", f"{median(ratios):.2f}"]
    return cells


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("other", metavar="OTHER")
    parser.add_argument("games", nargs="*", metavar='"GAME PARAM=VALUE ..."')
    parser.add_argument("--pairs", type=int, default=5)
    arguments = parser.parse_intermixed_args()
    with TemporaryDirectory() as scratch:
        programs = PROGRAM, arguments.other
        rows = [row(game, programs, arguments.pairs, Path(scratch)) for game in arguments.games or GAMES]
    print(setting(), table(COLUMNS, rows), sep="\n\n")


if __name__ == "__main__":
    main()
