"""A ranking of the moves of a position as JSON and in words."""

from typing import Any

from solver.database import Database
from solver.database.entry import Entry
from solver.database.wording import Column, describe, entry_as_dict, plies
from solver.players.trembling import MAX_PLIES, MAX_POSITIONS, Ranking


def as_dict(db: Database, entry: Entry, ranking: Ranking) -> dict[str, Any]:
    """The entry as `query --json --rank` prints it: with the numbers of each move, in the ranking's order."""
    found = entry_as_dict(db, entry)
    moves = {move["move"]: move for move in found["moves"]}
    found["moves"] = [
        {
            **moves[each.move.move],
            "replies": each.replies,
            "errors": each.errors,
            "expected": round(each.expected, 6) + 0.0,  # not -0.0
        }
        for each in ranking.prospects
    ]
    found["ranking"] = {"tremble": ranking.tremble, "plies": ranking.plies, "whole": ranking.whole}
    return found


def in_words(db: Database, entry: Entry, ranking: Ranking) -> str:
    """The entry as `query --rank` prints it: the moves in the ranking's order, and how it was made."""
    names = [each.move.move for each in ranking.prospects]
    errors = [f"{each.errors} of {each.replies}" if each.replies else "-" for each in ranking.prospects]
    expected = [f"{each.expected + 0.0:.4f}" for each in ranking.prospects]
    columns = [
        Column("errors", dict(zip(names, errors, strict=True))),
        Column("expected", dict(zip(names, expected, strict=True))),
    ]
    shown = describe(db, entry, (each.move for each in ranking.prospects), columns)
    return f"{shown}\n\n{_how(ranking)}" if names else shown


def _how(ranking: Ranking) -> str:
    made = f"expected: against an opponent who plays any move with probability {ranking.tremble:g}"
    if ranking.whole:
        return made
    return (
        f"{made} in the {plies(ranking.plies)} after a move, then best moves\n"
        f"(looking further takes more than {MAX_POSITIONS:,} positions or {MAX_PLIES} plies)"
    )
