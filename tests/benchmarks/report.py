"""What a report on a large packed file takes: `python -m tests.benchmarks.report [FILE]`.

Without a file connect 5x5 is solved for it, 69,763,700 states in some ten seconds. Prints a Markdown table:
seconds, processor seconds and peak memory of `perfectplay report`, by the number of positions that it asks
and of processors that it may use, which `taskset` says.
"""

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from solver import open_database
from solver.system.resources import cores
from tests.benchmarks.measured import bytes_in_words, file_to_measure, setting, table, taken

SAMPLES = (100_000, 1_000_000)


def rows(path: Path, folder: Path, program: str) -> Iterator[list[str]]:
    """A row for each number of positions and of processors."""
    out = folder / "report.html"
    for sample, processors in product(SAMPLES, sorted({1, cores()})):
        within = ["taskset", "-c", ",".join(map(str, sorted(os.sched_getaffinity(0))[:processors]))]
        found = taken([*within, program, "report", str(path), "-o", str(out), "--sample", str(sample)])
        yield [
            f"{sample:,}",
            f"{processors}",
            f"{found.seconds:.1f}",
            f"{found.cpu:.1f}",
            bytes_in_words(found.peak),
            bytes_in_words(out.stat().st_size),
        ]


def main() -> None:
    """Print the table."""
    with file_to_measure(__doc__) as (path, program, folder):
        with open_database(path) as db:
            about = (
                f"{db.game_name} {db.parameters}: {len(db):,} states in {bytes_in_words(path.stat().st_size)}"
            )
        found = list(rows(path, folder, program))
    head = ("positions asked", "processors", "seconds", "CPU seconds", "peak memory", "page")
    print(setting(), about, table(head, found), sep="\n\n")


if __name__ == "__main__":
    main()
