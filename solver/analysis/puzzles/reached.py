"""Which positions of a class play reaches; in a folded file, it reaches at least one of each class.

If play reaches all images of its starts, it reaches all images of all positions. Otherwise a search from the
starts finds the reached positions, as far as they are needed.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from solver.analysis.classes import Names, mapped, names_of, states_of
from solver.analysis.packed_moves import rules_of
from solver.analysis.puzzles.puzzle import Puzzle, puzzle_in
from solver.database import Database
from solver.engines.array_rules.rules import Rules
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.arrays import Flags
from solver.rules.asking import actions_of, symmetries_of
from solver.rules.failures import rules_asked

TRIED_AT_ONCE = 1 << 22
"""The most moves, legal or not, that are tried at once, to bound the memory."""


def reached_by_play(db: Database, puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """The puzzles in the stored positions or, where play does not reach these, the least images reached."""
    names = _names(db.game, [db.state_of(item.entry.position) for item in puzzles])
    plies = [-1 if item.entry.ply is None else item.entry.ply for item in puzzles]
    with rules_asked(db.game):
        symmetries = symmetries_of(db.game) if db.folded else ()
        images = [mapped(db.game, item.state, names) for item in symmetries]
        table = np.stack([names, *np.sort(images, axis=0)])
        flags = _are_reached(db, table.ravel(), -1 if -1 in plies else max(plies)).reshape(table.shape)
    reached = list[Puzzle | None]()
    for at, puzzle in enumerate(puzzles):
        for row in np.flatnonzero(flags[:, at])[:1].tolist():
            (state,) = states_of(db.game, table[row, at : at + 1])
            reached.append(puzzle_in(db, db.entry_of(state)) if row else puzzle)
    return [item for item in reached if item is not None]


def _are_reached(db: Database, names: Names, plies: int) -> Flags:
    """Whether play reaches each position, within `plies` plies or, if negative, within any number."""
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
