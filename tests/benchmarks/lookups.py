"""How fast a packed file answers: `python -m tests.benchmarks.lookups [FILE]`.

Without a file connect 5x5 is solved for it, 69,763,700 states in some ten seconds.
Positions are drawn from all states alike. Prints a Markdown table: one position from the shell, a process
each; one after the other from Python, with all moves and which of them are best; and many at once.
"""

import random
import resource
import sqlite3
import statistics
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np

from solver import open_database
from solver.database.packed.block import decode_keys
from solver.packed import PackedGame
from solver.rules.arrays import Keys
from solver.rules.notation import write_position
from tests.benchmarks.measured import bytes_in_words, file_to_measure, setting, table, taken

SHELL = 21
ALONE = 20_000
AT_ONCE = 1_000_000
ROUNDS = 5
"""Of which the median counts, after one that does not."""


def drawn(path: Path, number: int) -> Keys:
    """So many states of a file, each drawn from all of them."""
    rng = np.random.default_rng(1)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        sizes = np.array(connection.execute("select states from blocks order by id").fetchall())[:, 0]
        chosen = rng.choice(len(sizes), size=number, p=sizes / sizes.sum())
        found = np.empty(number, np.int64)
        for block in np.unique(chosen).tolist():
            sql = "select first, states, keys from blocks where id = ?"
            keys = decode_keys(*connection.execute(sql, (block + 1,)).fetchone())
            wanted = np.flatnonzero(chosen == block)
            found[wanted] = rng.choice(keys, len(wanted))
    return found


def rate(number: int, do: Callable[[], object]) -> float:
    """How many of `number` are done a second."""
    times = []
    for _ in range(ROUNDS + 1):
        began = time.perf_counter()
        do()
        times.append(time.perf_counter() - began)
    return number / statistics.median(times[1:])


def main() -> None:
    """Print the table."""
    with file_to_measure(__doc__) as (path, program, _):
        report(path, program)


def report(path: Path, program: str) -> None:
    """Print the table about a file."""
    states = drawn(path, AT_ONCE)
    with open_database(path) as db:
        game = db.game
        if not isinstance(game, PackedGame):
            raise SystemExit(f"{path}: states are no integers")
        texts = [write_position(game, state) for state in states[:ALONE].tolist()]
        rng = random.Random(2)
        query = [program, "query", str(path)]
        shell = [taken([*query, text]) for text in rng.sample(texts, SHELL)]
        times = sorted(each.seconds for each in shell)
        alone = rate(ALONE, lambda: [db[text] for text in texts])
        best = rate(ALONE, lambda: [db.probe(text) for text in texts])
        words = rate(ALONE, lambda: db.lookup(texts))
        many = rate(AT_ONCE, lambda: db.lookup(states))
        values = rate(AT_ONCE, lambda: db.lookup(states, best=False))
        rows = [
            ["`perfectplay query FILE POSITION`, median", f"{statistics.median(times):.3f} s"],
            ["the same, slowest", f"{times[-1]:.3f} s"],
            ["one at a time, warm: `db[position]`, all moves", f"{alone:,.0f} /s"],
            ["the same: `db.probe(position)`, the best moves alone", f"{best:,.0f} /s"],
            [f"{ALONE:,} texts at once: `db.lookup(positions)`", f"{words:,.0f} /s"],
            [f"{AT_ONCE:,} states at once, with best moves", f"{many:,.0f} /s"],
            [f"{AT_ONCE:,} states at once, without", f"{values:,.0f} /s"],
            ["at once, with best moves / `db.probe(position)`", f"{many / best:.0f}"],
        ]
        size = bytes_in_words(path.stat().st_size)
        about = f"{db.game_name} {db.parameters}: {len(db):,} states in {size}"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    rows.append(["peak memory of this process, pages of the file included", bytes_in_words(peak)])
    print(setting(), about, table(("lookups ", "figure"), rows), sep="\n\n")


if __name__ == "__main__":
    main()
