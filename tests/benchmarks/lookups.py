"""How many random positions of a packed database are looked up in a second: alone, and many at once.

Run with the path of a packed database; without one, a small one is made.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

from solver import load_game, open_database, solve
from solver.arrays import Keys
from solver.conversion import convert
from solver.packed_database import PackedDatabase

SINGLES, BATCHES = 5_000, (100_000, 1_000_000)


def main() -> None:
    with TemporaryDirectory() as folder:
        path = Path(sys.argv[1]) if len(sys.argv) > 1 else made(Path(folder))
        with open_database(path) as db:
            assert isinstance(db, PackedDatabase), "a packed database is needed"
            measure(db)


def made(folder: Path) -> Path:
    """A small packed database."""
    solve(load_game("connect", {"rows": 4, "columns": 4}), folder / "plain.db")
    with open_database(folder / "plain.db") as plain:
        convert(plain, folder / "packed.db", "packed")
    return folder / "packed.db"


def measure(db: PackedDatabase) -> None:
    states = drawn(db, max(BATCHES))
    alone = states[:SINGLES].tolist()
    texts = [db.game.position(state) for state in alone]
    print(f"{db.path.name}: {len(db):,} states, {db.path.stat().st_size / len(db):.3f} bytes each")
    report("db[position]", SINGLES, lambda: [db[text] for text in texts])
    report("db.probe(position)", SINGLES, lambda: [db.probe(text) for text in texts])
    report("db.probe(state)", SINGLES, lambda: [db.probe(state) for state in alone])
    for size in BATCHES:
        report(f"db.lookup, {size:,} at once", size, lambda size=size: db.lookup(states[:size]))
        report("... without best moves", size, lambda size=size: db.lookup(states[:size], best=False))


def drawn(db: PackedDatabase, count: int) -> Keys:
    """Random states of a database, all with the same chances, a ply after the other and then shuffled."""
    rng, total = np.random.default_rng(1), len(db)
    found = []
    for ply in db.plies:
        size = db.sizes[ply, 0] + db.sizes[ply, 1]
        wanted = np.sort(rng.integers(0, size, round(count * size / total)))
        passed = 0
        for states in db.states([ply]):
            begin, end = np.searchsorted(wanted, [passed, passed + len(states.keys)])
            found.append(states.keys[wanted[begin:end] - passed])
            passed += len(states.keys)
    return rng.permutation(np.concatenate(found))


def report(name: str, count: int, work: Callable[[], object]) -> None:
    wall, processor = perf_counter(), process_time()
    work()
    wall, processor = perf_counter() - wall, process_time() - processor
    print(f"{name:<32}{count / wall:>12,.0f} a second{count / processor:>12,.0f} a second of processor time")


if __name__ == "__main__":
    main()
