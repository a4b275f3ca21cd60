"""Finds the puzzles of a readable file: SQL puts them in order of look-ahead and moves."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from solver.analysis.puzzles.puzzle import Puzzle, Wanted, class_of, furthest, puzzle_in
from solver.analysis.puzzles.sight import NEVER
from solver.database.readable.reader import ReadableDatabase
from solver.system.progress import Progress

PUZZLES = f"""join (
    select position_id as found_id, count(*) as choices, sum(child.value = parent.value) as keeping,
        min(max(case when child.value = parent.value then coalesce(moves.remoteness, {NEVER}) else 0 end),
            max(case when child.value = parent.value then 0 else coalesce(moves.remoteness, {NEVER}) end)
        ) as ahead
    from moves not indexed
        join positions as parent on parent.id = position_id
        join positions as child on child.id = child_id
    where {{}}
    group by position_id having keeping = 1 and choices > 1
) on found_id = positions.id order by ahead desc, choices desc, positions.id"""
"""The end of a query for the positions in which one move of several keeps the value, by their greatest
possible look-ahead. It reads rows, which are checked: an index may differ from them."""


def hardest_by_rows(db: ReadableDatabase, wanted: Wanted, progress: Progress) -> list[Puzzle]:
    """The hardest puzzles, as `hardest` gives them."""
    found = dict[Any, tuple[Any, Puzzle]]()
    """By class the place in it, and the puzzle there."""
    # The query orders by the greatest possible look-ahead, and by moves: what it gives later is no harder.
    for most, alike in groupby(
        _puzzles(db, wanted, progress), key=lambda each: (furthest(each.entry), each.difficulty.moves)
    ):
        if sum(puzzle.difficulty[:2] > most for _, puzzle in found.values()) >= wanted.count:
            break
        for puzzle in alike:
            kind, place = class_of(db, puzzle)
            if kind not in found or place < found[kind][0]:
                found[kind] = place, puzzle
    by_class = [found[kind][1] for kind in sorted(found)]
    return sorted(by_class, key=lambda puzzle: puzzle.difficulty, reverse=True)[: wanted.count]


def _puzzles(db: ReadableDatabase, wanted: Wanted, progress: Progress) -> Iterator[Puzzle]:
    """The puzzles in the order of the query, each derived again from its entry."""
    players, outcomes = db.checked_game.players, wanted.outcomes
    conditions, values = [f"parent.outcome in ({', '.join('?' * len(outcomes))})"], list[object](outcomes)
    if wanted.player is not None:
        conditions.append("parent.to_move = ?")
        values.append(players[wanted.player])
    if wanted.plies is not None:
        conditions.append("parent.remoteness between ? and ?")
        values += [wanted.plies.start, wanted.plies.stop - 1]
    rows = db.labelled(PUZZLES.format(" and ".join(conditions)), *values)
    for done, row in enumerate(rows, start=1):
        puzzle = puzzle_in(db, db[row.position])
        if puzzle is not None:
            yield puzzle
        progress("comparing puzzles", done, None)
