"""Puzzles: positions in which exactly one move keeps the value, the hardest ones first.

This module finds the puzzles of a readable file, which is read as a whole, and which positions of a class
play reaches; in a folded file, it reaches at least one of each class.

puzzle.py     puzzles and their difficulty
packed.py     puzzles of a packed file, in batches
wording.py    puzzles in words and as JSON
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from solver.analysis.classes import Names, mapped, names_of, states_of
from solver.analysis.packed_moves import rules_of
from solver.analysis.puzzles.packed import TRIED_AT_ONCE, hardest_by_arrays
from solver.analysis.puzzles.puzzle import NEVER, Puzzle, Wanted, class_of, look_aheads, puzzle_in
from solver.database import Database
from solver.engines.array_rules.rules import Rules
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.arrays import Flags
from solver.rules.asking import actions_of, symmetries_of
from solver.rules.failures import rules_asked
from solver.system.progress import Progress, no_progress, reported


def hardest(db: Database, wanted: Wanted, *, progress: Progress = no_progress) -> list[Puzzle]:
    """The hardest puzzles of a database, one of each symmetry class; raises what a lookup raises."""
    if db.packed is None:
        stored = _hardest_by_rows(db, wanted, progress)
    else:
        stored = hardest_by_arrays(db.packed, wanted, progress)
    if not (db.folded and stored):
        return stored
    reached = _reached_by_play(db, stored)
    if len(reached) < len(stored) == wanted.count:  # play may reach further puzzles
        return hardest(db, replace(wanted, count=2 * wanted.count), progress=progress)[: wanted.count]
    return reached


def _hardest_by_rows(db: Database, wanted: Wanted, progress: Progress) -> list[Puzzle]:
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


def _reached_by_play(db: Database, puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """The puzzles in the stored positions or, where play does not reach these, the least images reached."""
    names = _names(db.game, [db.state_of(item.entry.position) for item in puzzles])
    plies = [-1 if item.entry.ply is None else item.entry.ply for item in puzzles]
    with rules_asked(db.game):
        images = [mapped(db.game, symmetry.state, names) for symmetry in symmetries_of(db.game)]
        table = np.stack([names, *np.sort(images, axis=0)])
        flags = _are_reached(db, table.ravel(), -1 if -1 in plies else max(plies)).reshape(table.shape)
    reached = list[Puzzle | None]()
    for at, puzzle in enumerate(puzzles):
        for row in np.flatnonzero(flags[:, at])[:1].tolist():
            (state,) = states_of(db.game, table[row, at : at + 1])
            reached.append(puzzle_in(db, db.entry_of(state)) if row else puzzle)
    return [item for item in reached if item is not None]


def _are_reached(db: Database, names: Names, plies: int) -> Flags:
    """Whether play reaches each position, within `plies` plies or, if negative, within any number.

    If play reaches all images of its starts, it reaches all images of all positions. Otherwise a search from
    the starts finds the reached positions, as far as they are needed.
    """
    begin = [db.state_of(db.start)] if db.has_own_start else db.game.initial_states()
    starts, images = _names(db.game, begin), db.folding.symmetries
    rules = rules_of(db, db.game) if isinstance(db.game, PackedGame) else None
    seen = frontier = np.unique(starts)
    while len(frontier) and plies != 0 and not np.isin(names, seen).all():
        if all(np.isin(mapped(db.game, symmetry.state, starts), seen).all() for symmetry in images):
            return np.full(len(names), True)
        frontier = np.setdiff1d(_after(db.game, rules, frontier), seen)
        seen = np.union1d(seen, frontier)
        plies -= 1
    return np.isin(names, seen)


def _after(game: AnyGame, rules: Rules | None, names: Names) -> Names:
    """The positions after all moves in positions; `rules` are those of a packed game, else None."""
    if rules is None:
        states = states_of(game, names)
        return _names(
            game, (game.result(state, action) for state in states for action in actions_of(game, state))
        )
    inner = names[~rules.terminal(names)]
    at_once = max(1, TRIED_AT_ONCE // rules.action_count)
    parts = [inner[begin : begin + at_once] for begin in range(0, len(inner), at_once)]
    return np.concatenate([inner[:0], *(np.unique(rules.every_child(part)[0]) for part in parts)])


def _names(game: AnyGame, states: Iterable[Any]) -> Names:
    return np.fromiter(states, np.int64) if isinstance(game, PackedGame) else names_of(game, states)
