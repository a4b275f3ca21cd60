"""Finds the puzzles of a packed file, batch by batch.

A look-ahead is at most the remoteness of a win, and at most the length of play. So the hardest puzzles so far
exclude states that cannot be harder: as states come ply by ply, most of a large file.
"""

from collections.abc import Iterator

import numpy as np

from solver.analysis.packed_moves import PackedMoves
from solver.analysis.puzzles.puzzle import (
    NEVER,
    SEEN,
    SOON,
    Puzzle,
    Wanted,
    look_aheads,
    plies_to_gain,
    puzzle_in,
)
from solver.database.columns import Batch, gathered
from solver.database.packed.reader import PackedDatabase
from solver.errors import DamagedFile
from solver.rules.arrays import Flags, Keys, by_side, representatives
from solver.system.progress import Progress

TRIED_AT_ONCE = 1 << 21
"""The most moves, legal or not, that are tried at once, to bound the memory."""

ADDED_AT_ONCE = 64
"""The number of puzzles that are examined one by one before those now too easy are dropped."""


def hardest_by_arrays(db: PackedDatabase, wanted: Wanted, progress: Progress) -> list[Puzzle]:
    """The hardest puzzles of a packed file, as by `hardest`; raises `DamagedFile` for wrong labels."""
    search = _Search(db, wanted)
    looked_up = [puzzle_in(db, db.entry_of(state)) for state in search.states(progress)]
    puzzles = [puzzle for puzzle in looked_up if puzzle is not None]
    if len(puzzles) < len(looked_up):
        raise DamagedFile(f"{db.path} is damaged: a label in it does not follow from its moves")
    return puzzles


class _Search:
    def __init__(self, db: PackedDatabase, wanted: Wanted) -> None:
        self._db, self._wanted = db, wanted
        self._hardest = np.zeros((0, 5), np.int64)
        """A row per puzzle, hardest first: look-ahead, moves, quiet replies, class and state."""
        self._moves = PackedMoves(db)
        self._rules = self._moves.rules
        self._at_once = max(1, TRIED_AT_ONCE // self._rules.action_count)

    def states(self, progress: Progress) -> list[int]:
        """The states of the hardest puzzles."""
        done, total = 0, len(self._db)
        longest = 1 + max(count.remoteness or 0 for count in self._db.counts())  # including the move itself
        layered = not self._db.has_loops
        for stage in self._db.stage_numbers:
            most = self._db.stage_numbers[-1] - stage if layered else longest
            sizes = self._db.sizes
            if most >= self._bar()[0]:
                for keys, values, signs in gathered(self._parts(stage), self._at_once):
                    self._examine(keys, values, signs)
            done += sizes[stage, 0] + sizes[stage, 1]
            progress("looking for puzzles", done, total)
        states: list[int] = self._hardest[:, 4].tolist()
        return states

    def _bar(self) -> tuple[int, int]:
        """The least look-ahead, and the least number of moves for it, of a puzzle that may be added."""
        if len(self._hardest) < self._wanted.count:
            return 0, 0
        ahead, moves = self._hardest[-1, :2].tolist()
        return ahead, moves

    def _admits(self, ahead: Keys, moves: Keys) -> Flags:
        """Whether puzzles with these look-aheads and numbers of moves may be among the hardest."""
        least, fewest = self._bar()
        hard: Flags = (ahead > least) | ((ahead == least) & (moves >= fewest))
        return hard

    def _parts(self, stage: int) -> Iterator[Batch]:
        """The states of a stage, in parts, that are wanted and may be hard puzzles by their remoteness.

        A part also has the values, for the first player, and the signs of the players to move.
        """
        for batch in self._db.states([stage]):
            inner = ~batch.is_terminal
            values, remoteness = self._db.label_code.values(batch.labels), self._db.remoteness(batch)
            keys, values, remoteness = batch.keys[inner], values[inner], remoteness[inner]
            signs = 1 - 2 * self._rules.movers(keys).astype(np.int64)
            for side in by_side(self._db.folding, keys, values, signs):
                flags = self._wanted.among(side[1], side[2], remoteness)
                flags &= (remoteness < 0) | (remoteness >= self._bar()[0])
                if flags.any():
                    yield tuple(column[flags] for column in side)

    def _examine(self, states: Keys, values: Keys, signs: Keys) -> None:
        moves, size = self._moves.moves(states), len(states)
        keeps = moves.values == values[moves.parents]
        keeping = np.bincount(moves.parents[keeps], minlength=size)
        choices = np.bincount(moves.parents, minlength=size)
        ends = np.where(moves.remoteness < 0, NEVER, moves.remoteness + 1)
        chosen = (
            (keeping == 1)
            & (choices > 1)
            & self._admits(look_aheads(moves.parents, keeps, ends, size), choices)
        )
        errors = np.flatnonzero(chosen[moves.parents] & ~keeps & (ends == NEVER))
        ends[errors[self._ended_next(moves.children[errors], moves.values[errors])]] = SEEN + 1
        ahead = look_aheads(moves.parents, keeps, ends, size)
        chosen &= self._admits(ahead, choices)
        answers = np.zeros(size, np.int64)
        answers[moves.parents[keeps]] = moves.children[keeps]
        states, answers = states[chosen], answers[chosen]
        rows = [ahead[chosen], choices[chosen], self._quiet(answers, signs[chosen])]
        rows += [representatives(self._db.rules, states), states]
        self._add(np.stack(rows, axis=1), answers)

    def _add(self, rows: Keys, answers: Keys) -> None:
        """Add puzzles to the hardest ones, likely ones first, as `plies_to_gain` examines them one by one."""
        order = np.lexsort(tuple(-rows.T[2::-1]))
        rows, answers = rows[order], answers[order]
        while len(rows):
            part, rest = rows[:ADDED_AT_ONCE], slice(ADDED_AT_ONCE, None)
            for row, answer in zip(part, answers.tolist(), strict=False):
                if row[0] > SEEN:
                    row[0] = min(row[0], plies_to_gain(self._db.rules, int(row[-1]), answer))
            joint = np.concatenate([self._hardest, part])
            ahead, moves, replies, kinds, states = joint.T
            joint = joint[np.lexsort((states, states != kinds, kinds, -replies, -moves, -ahead))]
            first = np.diff(joint[:, 3], prepend=-1) != 0  # symmetric puzzles are equally hard, so neighbours
            self._hardest = joint[first][: self._wanted.count]
            rows, answers = rows[rest], answers[rest]
            still = self._admits(rows[:, 0], rows[:, 1])
            rows, answers = rows[still], answers[still]

    def _ended_next(self, states: Keys, values: Keys) -> Flags:
        children, codes = self._rules.every_child(states)
        parents = codes.astype(np.int64) >> 1
        over = np.flatnonzero(self._rules.terminal(children))
        ending = over[self._rules.utilities(children[over]) == values[parents[over]]]
        ended: Flags = np.bincount(parents[ending], minlength=len(states)) > 0
        return ended

    def _quiet(self, states: Keys, signs: Keys) -> Keys:
        """The number of quiet replies in each state, for the player with the given sign."""
        places = np.flatnonzero(~self._rules.terminal(states))
        moves = self._moves.moves(states[places])
        won = moves.values * signs[places][moves.parents] > 0
        quiet = ~(won & (moves.remoteness >= 0) & (moves.remoteness <= SOON))
        counts = np.zeros(len(states), np.int64)
        counts[places] = np.bincount(moves.parents[quiet], minlength=len(places))
        return counts
