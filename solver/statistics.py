"""Counts over a whole database."""

from typing import Any

from solver.database import Database


def statistics(db: Database) -> dict[str, Any]:
    """The counts of a solved game, in the form in which `stats --json` prints them."""
    start = db[db.start]
    outcomes = dict(_counts(db, "outcome", "true"))
    plies = _counts(db, "ply", "true")
    return {
        "game": db.game_name,
        "parameters": db.parameters,
        "start": db.start,
        **({} if db.starts == 1 else {"starts": db.starts}),
        **({"folded": True} if db.folded else {}),
        **({} if db.endless == "draw" else {"endless": db.endless}),
        "states": _number(db, "select count(*) from positions"),
        "terminal": _number(db, "select count(*) from positions where is_terminal"),
        "moves": _number(db, "select count(*) from moves"),
        "per_ply": None if plies[0][0] is None else [count for _, count in plies],
        "outcomes": {outcome: outcomes.get(outcome, 0) for outcome in ("win", "draw", "loss")},
        "values": {str(value): count for value, count in reversed(_counts(db, "value", "true"))},
        "remoteness": {
            outcome: {
                str(remoteness): count
                for remoteness, count in _counts(
                    db, "remoteness", f"outcome = '{outcome}' and remoteness is not null"
                )
            }
            for outcome in ("win", "loss")
        },
        "value": start.value,
        "remoteness_of_start": start.remoteness,
        "best_move": start.best_move,
    }


def longest_wins(db: Database, most: int = 5) -> list[tuple[str, int]]:
    """The positions whose player to move wins, but takes longest, each with its remoteness in plies."""
    rows = db.rows(
        "select position, remoteness from positions where outcome = 'win' and remoteness = "
        "(select max(remoteness) from positions where outcome = 'win') order by id limit ?",
        most,
    )
    return [(row["position"], row["remoteness"]) for row in rows]


def _counts(db: Database, column: str, condition: str) -> list[tuple[Any, int]]:
    rows = db.rows(f"select {column}, count(*) from positions where {condition} group by 1 order by 1")
    return [(row[0], row[1]) for row in rows]


def _number(db: Database, sql: str) -> int:
    return int(db.rows(sql)[0][0])
