"""Counts over a whole database."""

from collections import Counter
from heapq import nsmallest
from itertools import groupby
from typing import Any

from solver.database import Database
from solver.database.entry import KindCount


def statistics(db: Database) -> dict[str, Any]:
    """The counts of a solved game, in the form in which `stats --json` prints them."""
    start, counts = db[db.start], db.counts()
    ends = ("win", "loss") if db.endless == "draw" else ("win", "draw", "loss")
    outcomes, plies = _counts(counts, "outcome"), _counts(counts, "ply")
    return {
        "game": db.game_name,
        "parameters": db.parameters,
        "start": db.start,
        **({} if db.starts == 1 else {"starts": db.starts}),
        **({"folded": True} if db.folded else {}),
        **({} if db.endless == "draw" else {"endless": db.endless}),
        "states": sum(outcomes.values()),
        "terminal": sum(each.positions for each in counts if each.is_terminal),
        "moves": db.moves,
        "per_ply": None if None in plies else [plies[ply] for ply in sorted(plies)],
        "outcomes": {outcome: outcomes[outcome] for outcome in ("win", "draw", "loss")},
        "values": {str(value): count for value, count in sorted(_counts(counts, "value").items())[::-1]},
        "remoteness": {outcome: _remoteness(counts, outcome) for outcome in ends},
        "value": start.value,
        "remoteness_of_start": start.remoteness,
        "best_move": start.best_move,
    }


def longest_wins(db: Database, most: int = 5) -> list[tuple[str, int]]:
    """The positions whose player to move wins, but takes longest, each with its remoteness in plies.

    Of more than `most` they are those of the least ply, in alphabetical order.
    """
    wins = [each.remoteness for each in db.counts() if each.outcome == "win" and each.remoteness is not None]
    longest, found = max(wins, default=0), list[str]()
    for _, group in groupby(db.positions_with("win", longest), key=lambda each: each[0]):
        found += nsmallest(most - len(found), (position for _, position in group))
        if len(found) == most:
            break
    return [(position, longest) for position in found]


def _remoteness(counts: list[KindCount], outcome: str) -> dict[str, int]:
    """How many positions with this outcome end after so many plies."""
    found = _counts([each for each in counts if each.outcome == outcome], "remoteness")
    return {str(plies): found[plies] for plies in sorted(plies for plies in found if plies is not None)}


def _counts(counts: list[KindCount], column: str) -> Counter[Any]:
    """How many positions there are with the same in this column."""
    found = Counter[Any]()
    for each in counts:
        found[getattr(each, column)] += each.positions
    return found
