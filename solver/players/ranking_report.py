"""A ranking of the moves of a position as JSON and in words."""

from typing import Any

from solver.database import Database
from solver.database.entry import Entry
from solver.database.wording import describe, entry_as_dict, plies
from solver.players.trembling import MAX_PLIES, MAX_POSITIONS, Ranking


def as_dict(db: Database, entry: Entry, ranking: Ranking) -> dict[str, Any]:
    """The entry as printed by `query --json --rank`: the moves, with their statistics, in ranking order."""
    answer = entry_as_dict(db, entry)
    moves = {move["move"]: move for move in answer["moves"]}
    answer["moves"] = [
        {
            **moves[prospect.move.move],
            "replies": prospect.replies,
            "errors": prospect.errors,
            "expected": round(prospect.expected, 6) + 0.0,  # not -0.0
        }
        for prospect in ranking.prospects
    ]
    answer["ranking"] = {"tremble": ranking.tremble, "plies": ranking.plies, "whole": ranking.whole}
    return answer


def in_words(db: Database, entry: Entry, ranking: Ranking) -> str:
    """The entry as printed by `query --rank`: the moves in ranking order, and the method of the ranking."""
    errors, expected = dict[str | int, str](), dict[str | int, str]()
    for move, replies, number, mean in ranking.prospects:
        errors[move.move] = f"{number} of {replies}" if replies else "-"
        expected[move.move] = f"{mean + 0.0:.4f}"
    moves = (prospect.move for prospect in ranking.prospects)
    shown = describe(db, entry, moves, errors=errors, expected=expected)
    return f"{shown}\n\n{_how(ranking)}" if errors else shown


def _how(ranking: Ranking) -> str:
    method = f"expected: against an opponent who plays any move with probability {ranking.tremble:g}"
    if ranking.whole:
        return method
    return (
        f"{method} in the {plies(ranking.plies)} after a move, then best moves\n"
        f"(looking further takes more than {MAX_POSITIONS:,} positions or {MAX_PLIES} plies)"
    )
