"""Puzzles: positions in which exactly one move keeps the value, the hardest ones first.

puzzle.py      what a puzzle is, and how hard it is        sight.py     what is seen of a move at once
readable.py    found by SQL                                packed.py    found by arrays, batch by batch
reached.py     those of a folded file that play reaches    report.py    puzzles as JSON and as a table
"""

from dataclasses import replace

from solver.analysis.puzzles.puzzle import Puzzle, Wanted
from solver.analysis.puzzles.readable import hardest_by_rows
from solver.database import Database
from solver.system.progress import Progress, no_progress


def hardest(db: Database, wanted: Wanted, *, progress: Progress = no_progress) -> list[Puzzle]:
    """The hardest puzzles of a database, one of each class of symmetric positions; raises as a lookup."""
    stored = _hardest(db, wanted, progress)
    if not (db.folded and stored):
        return stored
    from solver.analysis.puzzles.reached import reached_by_play  # with NumPy

    found = reached_by_play(db, stored)
    if len(found) < len(stored) == wanted.count:  # there may be more that play reaches
        return hardest(db, replace(wanted, count=2 * wanted.count), progress=progress)[: wanted.count]
    return found


def _hardest(db: Database, wanted: Wanted, progress: Progress) -> list[Puzzle]:
    """The hardest puzzles, as a folded file has them."""
    if (packed := db.packed) is not None:
        from solver.analysis.puzzles.packed import hardest_by_arrays  # with NumPy

        return hardest_by_arrays(packed, wanted, progress)
    return hardest_by_rows(db, wanted, progress)
