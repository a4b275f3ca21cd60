"""All searches side by side on one state, and whether each of them found a best move."""

import time
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

from solver.database import Database
from solver.database.entry import Entry
from solver.errors import SolverError, Unsolved, WrongDatabase
from solver.game import AnyGame
from solver.players.oracle import Truth
from solver.rules.loading import game_name, game_parameters
from solver.rules.notation import write_action
from solver.rules.parameters import assignments
from solver.search import SEARCHES, SearchResult, Settings, search


@dataclass(frozen=True)
class Compared:
    """What one search did."""

    algorithm: str
    """The name of the search."""
    found: SearchResult
    """What it found; no action where it refused."""
    move: str | int | None
    """The chosen action, by name."""
    best: bool | None
    """Whether that is a best move; None where nobody knows, or where there is none."""
    keeps_value: bool | None
    """Whether the move keeps the value of the state."""
    seconds: float
    """How long it took, by the wall clock."""
    note: str | None
    """Why it refused."""


def compared(
    game: AnyGame, state: Hashable, settings: Settings, truth: Truth | None = None
) -> Iterator[Compared]:
    """What each search finds in `state`, one after the other, held against `truth` as far as that goes."""
    import numpy as np  # noqa: F401  the searches are timed, not this import

    entry = _entry(truth, state)
    for name in SEARCHES:
        began, note = time.perf_counter(), None
        try:
            found = search(name, game, state, settings)
        except SolverError as error:
            found, note = SearchResult(None, None), str(error)
        seconds = time.perf_counter() - began
        move = None if found.action is None else write_action(game, found.action)
        best = keeps_value = None
        if truth is not None and entry is not None and move is not None:
            best = any(each.best for each in entry.moves if each.move == move)
            keeps_value = truth.entry(game.result(state, found.action)).value == entry.value
        yield Compared(name, found, move, best, keeps_value, seconds, note)


def check_game(db: Database, game: AnyGame) -> None:
    """Raise `WrongDatabase` when the database is of another game."""
    asked, stored = (game_name(game), game_parameters(game)), (db.game_name, db.parameters)
    if asked != stored:
        raise WrongDatabase(f"{db.path} is of {_typed(*stored)}, not of {_typed(*asked)}")


def _entry(truth: Truth | None, state: Hashable) -> Entry | None:
    """What is known of the state; None when it is not known."""
    try:
        return None if truth is None else truth.entry(state)
    except Unsolved:
        return None


def _typed(name: str, parameters: Mapping[str, object]) -> str:
    return " ".join([name, *assignments(parameters)])
