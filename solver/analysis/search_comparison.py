"""All searches compared in one state: their moves, whether these are best moves, and their costs."""

import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

from solver.database import Database
from solver.database.entry import Entry
from solver.errors import SolverError, Unsolved, WrongDatabase
from solver.game import ENDLESS, AnyGame
from solver.players.oracle import Truth
from solver.rules.labels import hurrier
from solver.rules.loading import game_name, game_parameters
from solver.rules.named import same_play
from solver.rules.notation import write_action
from solver.rules.parameters import with_parameters
from solver.search import SEARCHES, SearchResult, Settings, search


class ComparedSearch(NamedTuple):
    """A search to compare."""

    algorithm: str
    settings: Settings
    chosen: dict[str, Any]
    """The settings that the user chose, by name."""

    def __str__(self) -> str:
        """The search in the syntax of players: `depth-limited(depth=2)`."""
        chosen = ",".join(f"{name}={value}" for name, value in self.chosen.items())
        return f"{self.algorithm}({chosen})" if chosen else self.algorithm


def runs_of(settings: Settings, choices: Mapping[str, Sequence[Any]]) -> Iterator[ComparedSearch]:
    """Every search, once for each combination of the `choices` for its settings."""
    for name, algorithm in SEARCHES.items():
        keys = [key for key, values in choices.items() if values and key in algorithm.settings]
        for values in product(*(choices[key] for key in keys)):
            chosen = dict(zip(keys, values, strict=True))
            yield ComparedSearch(name, replace(settings, **chosen), chosen)


@dataclass(frozen=True)
class Compared:
    """The result of one search, compared with the labels."""

    run: ComparedSearch
    result: SearchResult
    """The result; it has no action if the search was refused."""
    move: str | int | None
    """The chosen action, by name."""
    best: bool | None
    """Whether the move is a best move, also by remoteness. None if there is no move or no label, or if nobody
    hurries to an end of this value."""
    keeps_value: bool | None
    """Whether the move keeps the value of the state; None if there is no move or no label."""
    seconds: float
    note: str | None
    """The error message of a refused search, else None."""


def compared(
    game: AnyGame, state: Hashable, runs: Iterable[ComparedSearch], truth: Truth | None = None
) -> Iterator[Compared]:
    """The result of each run in `state`, compared with its label, if `truth` has it.

    Raises what a lookup raises, before the first search.
    """
    import numpy as np  # noqa: F401  the searches are timed, not this import

    entry = hurried = None
    if truth is not None:
        with suppress(Unsolved):
            entry = truth.entry(state)
            hurried = hurrier(entry.value, ENDLESS[truth.endless])
    return (_compared(game, state, run, entry, hurried) for run in runs)


def _compared(
    game: AnyGame, state: Hashable, run: ComparedSearch, entry: Entry | None, hurried: int | None
) -> Compared:
    """The result of a run, compared with the state's entry, if known; `hurried` is the player who hurries."""
    began, note = time.perf_counter(), None
    try:
        result = search(run.algorithm, game, state, run.settings)
    except SolverError as error:
        result, note = SearchResult(None, None), str(error)
    seconds = time.perf_counter() - began
    move = None if result.action is None else write_action(game, result.action)
    best = keeps_value = None
    if entry is not None and move is not None:
        chosen = next(labelled for labelled in entry.moves if labelled.move == move)
        keeps_value = chosen.value == entry.value
        best = None if hurried is None else chosen.best
    return Compared(run, result, move, best, keeps_value, seconds, note)


def check_game(db: Database, game: AnyGame) -> None:
    """Raise `WrongDatabase` if the database is not of this game."""
    given, stored = (game_name(game), game_parameters(game)), (db.game_name, db.parameters)
    if given != stored:
        raise WrongDatabase(f"{db.path} is of {with_parameters(*stored)}, not of {with_parameters(*given)}")
    if not same_play(game, db.game):
        raise WrongDatabase(f"{db.path} was made by other rules of that name than those of {given[0]}")
