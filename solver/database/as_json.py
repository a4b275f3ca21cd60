"""The answers of a database as JSON objects, for the command line and the service."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from solver.database.entry import Entry, Move
from solver.database.interface import Database
from solver.database.lines import BestLine
from solver.database.wording import game_title
from solver.rules.evaluation import evaluated


def entry_as_dict(db: Database, entry: Entry) -> dict[str, Any]:
    """The entry as `query --json` prints it; moves come best first."""
    return {
        "game": db.game_name,
        "parameters": db.parameters,
        **_labels(entry),
        "best_move": entry.best_move,
        "moves": [_move_as_dict(move) for move in entry.moves],
        **evaluated(db.game, db.state_of(entry.position)),
    }


def line_as_dict(db: Database, line: BestLine) -> dict[str, Any]:
    """Best play from a position; `over` is false if play returns to an earlier position instead of ending."""
    return {
        "position": line.position,
        "moves": [_move_as_dict(move) for move in line.moves],
        "end": _labels(line.end),
        "over": line.end.is_terminal,
    }


def batch_as_dicts(db: Database, positions: Sequence[str]) -> list[dict[str, Any]]:
    """The labels and the best moves of many positions, in their order; raises as a lookup."""
    found = db.lookup(positions)
    values, plies = found.value.tolist(), found.remoteness.tolist()
    return [
        {
            "position": position,
            "value": values[at],
            "remoteness": None if plies[at] < 0 else plies[at],
            "best_moves": list(found.best_moves(at)),
        }
        for at, position in enumerate(positions)
    ]


def database_as_dict(db: Database) -> dict[str, Any]:
    """The game of a file, and how it was solved."""
    return {
        "game": db.game_name,
        "parameters": db.parameters,
        "title": game_title(db.game),
        "players": list(db.game.players),
        "start": db.start,
        "starts": db.starts,
        "endless": db.endless,
        "folded": db.folded,
        "states": db.number("states"),
        "terminal": db.number("terminal"),
        "moves": db.number("moves"),
        "sha256": db.about["sha256"],
    }


def _labels(entry: Entry) -> dict[str, Any]:
    return {
        "position": entry.position,
        "to_move": entry.to_move,
        "value": entry.value,
        "outcome": entry.outcome,
        "remoteness": entry.remoteness,
    }


def _move_as_dict(move: Move) -> dict[str, Any]:
    """The move without its value, which the outcome says, unless margins matter."""
    known = dataclasses.asdict(move)
    if known.pop("margin") is None:
        del known["value"]
    return known
