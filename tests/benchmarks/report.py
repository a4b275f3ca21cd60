"""What a report on a large packed file takes: `python -m tests.benchmarks.report [FILE]`.

Without a file connect 5x5 is solved for it, 69,763,700 states in some ten seconds. Prints a Markdown table:
seconds, processor seconds and peak memory of `perfectplay report`, by the number of positions that it asks.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from solver import open_database
from tests.benchmarks.measured import PROGRAM, bytes_in_words, setting, table, taken

SAMPLES = (100_000, 1_000_000)


def rows(path: Path, folder: Path, program: str) -> Iterator[list[str]]:
    """A row for each number of positions."""
    for sample in SAMPLES:
        out = folder / "report.html"
        found = taken([program, "report", str(path), "-o", str(out), "--sample", str(sample)])
        yield [
            f"{sample:,}",
            f"{found.seconds:.1f}",
            f"{found.cpu:.1f}",
            bytes_in_words(found.peak),
            bytes_in_words(out.stat().st_size),
        ]


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
        with open_database(path) as db:
            about = (
                f"{db.game_name} {db.parameters}: {len(db):,} states in {bytes_in_words(path.stat().st_size)}"
            )
        found = list(rows(path, Path(folder), arguments.program))
    head = ("positions asked", "seconds", "CPU seconds", "peak memory", "page")
    print(setting(), about, table(head, found), sep="\n\n")


if __name__ == "__main__":
    main()
