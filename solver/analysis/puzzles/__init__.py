"""Puzzles: positions in which exactly one move keeps the value, the hardest ones first.

This module finds the puzzles of a readable file, which is read as a whole.

puzzle.py      puzzles and their difficulty                packed.py    puzzles of a packed file, in batches
reached.py     puzzles of a folded file that play reaches  wording.py   puzzles in words and as JSON
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from solver.analysis.puzzles.packed import hardest_by_arrays
from solver.analysis.puzzles.puzzle import NEVER, Puzzle, Wanted, class_of, look_aheads, puzzle_in
from solver.analysis.puzzles.reached import reached_by_play
from solver.database import Database
from solver.system.progress import Progress, no_progress, reported


def hardest(db: Database, wanted: Wanted, *, progress: Progress = no_progress) -> list[Puzzle]:
    """The hardest puzzles of a database, one of each symmetry class; raises what a lookup raises."""
    if db.packed is None:
        stored = hardest_by_rows(db, wanted, progress)
    else:
        stored = hardest_by_arrays(db.packed, wanted, progress)
    if not (db.folded and stored):
        return stored
    reached = reached_by_play(db, stored)
    if len(reached) < len(stored) == wanted.count:  # play may reach further puzzles
        return hardest(db, replace(wanted, count=2 * wanted.count), progress=progress)[: wanted.count]
    return reached


def hardest_by_rows(db: Database, wanted: Wanted, progress: Progress) -> list[Puzzle]:
    """The hardest puzzles of a readable file, in the order of `hardest`."""
    by_class = dict[Any, tuple[Any, Puzzle]]()
    """The first puzzle in each class, with its place in the class."""
    for most, group in groupby(_puzzles(db, wanted, progress), key=itemgetter(0)):
        if sum(puzzle.difficulty[:2] > most for _, puzzle in by_class.values()) >= wanted.count:
            break
        for _, puzzle in group:
            canonical, place = class_of(db, puzzle)
            if canonical not in by_class or place < by_class[canonical][0]:
                by_class[canonical] = place, puzzle
    puzzles = [by_class[canonical][1] for canonical in sorted(by_class)]
    return sorted(puzzles, key=lambda puzzle: puzzle.difficulty, reverse=True)[: wanted.count]


def _puzzles(db: Database, wanted: Wanted, progress: Progress) -> Iterator[tuple[tuple[int, int], Puzzle]]:
    """The puzzles after an upper bound on the look-ahead and the number of moves, in descending order."""
    game, size = db.whole(progress=progress), db.number("states")
    values, plies = game.values[game.children], game.remoteness[game.children]
    keeps = values == game.values[game.parents]
    nobody = (plies < 0) | ((values == 0) & (db.endless == "draw"))
    ahead = look_aheads(game.parents, keeps, np.where(nobody, NEVER, plies + 1), size)
    choices = np.diff(game.cuts)
    flags = wanted.among(game.values, 1 - 2 * game.movers, game.remoteness) & (choices > 1)
    places = np.flatnonzero(flags & (np.bincount(game.parents[keeps], minlength=size) == 1))
    order = places[np.lexsort((places, -choices[places], -ahead[places]))]
    for place in reported(progress, "comparing puzzles", order.tolist(), len(order)):
        puzzle = puzzle_in(db, db.entry_of(db.state_with(int(game.keys[place]))))
        if puzzle is not None:
            yield (int(ahead[place]), int(choices[place])), puzzle
