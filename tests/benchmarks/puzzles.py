"""How long it takes to find puzzles in a packed file: `python -m tests.benchmarks.puzzles [FILE]`.

Without a file connect 5x5 is solved for it, 69,763,700 states. Each command is a process of its own. Prints a
Markdown table.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.measured import PROGRAM, bytes_in_words, setting, table, taken

WANTED = (
    (),
    ("--plies", "3..9"),
    ("--plies", "3..5", "--for", "second"),
    ("--outcome", "draw", "-n", "1000"),
)
"""The options of each command."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--program", default=PROGRAM)
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = arguments.file or Path(folder, "connect.db")
        if arguments.file is None:
            taken([arguments.program, "solve", "connect", "rows=5", "columns=5", "-o", str(path)])
        rows = []
        for options in WANTED:
            found = taken([arguments.program, "puzzles", str(path), *options])
            name = " ".join(["`perfectplay puzzles FILE", *options]) + "`"
            rows.append([name, f"{found.seconds:.1f}", f"{found.cpu:.1f}", bytes_in_words(found.peak)])
    print(setting(), table(("puzzles ", "seconds", "CPU seconds", "peak memory"), rows), sep="\n\n")


if __name__ == "__main__":
    main()
