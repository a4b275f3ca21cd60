"""All searches side by side on one state, and whether each of them found a best move."""

import time
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

from solver.database import Database
from solver.errors import SolverError, TooLarge, WrongDatabase
from solver.notation import write_action, write_position
from solver.plugins import AnyGame, game_name, game_parameters
from solver.search import SEARCHES, Found, Settings, search
from solver.words import assignments

MOST_STATES = 200_000
"""How many states a game may have to be solved in passing."""


@dataclass(frozen=True)
class Truth:
    """What is known of the moves in a state."""

    best: tuple[str | int, ...]
    """The best moves, by name."""
    keeping: tuple[str | int, ...]
    """The moves that keep the value; those of them that win late or lose soon are not best."""


@dataclass(frozen=True)
class Compared:
    """What one search did."""

    algorithm: str
    """The name of the search."""
    found: Found
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
    """What each search finds in `state`, one after the other."""
    import numpy as np  # noqa: F401  the searches are timed, not this import

    for name in SEARCHES:
        began, note = time.perf_counter(), None
        try:
            found = search(name, game, state, settings)
        except SolverError as error:
            found, note = Found(None, None), str(error)
        seconds = time.perf_counter() - began
        move = None if found.action is None else write_action(game, found.action)
        known = truth if move is not None else None
        yield Compared(
            algorithm=name,
            found=found,
            move=move,
            best=None if known is None else move in known.best,
            keeps_value=None if known is None else move in known.keeping,
            seconds=seconds,
            note=note,
        )


def solved_truth(game: AnyGame, state: Hashable, *, most_states: int = MOST_STATES) -> Truth | None:
    """The truth by solving the game from `state`; None when about `most_states` do not suffice for that."""
    from solver.graph import explore
    from solver.retrograde import best_actions, label

    def refuse(task: str, done: int, total: int | None) -> None:
        if done > most_states:
            raise TooLarge(f"the game has more than {most_states:,} states")

    try:
        graph = explore(game, [state], progress=refuse)
    except TooLarge:
        return None
    label(graph)
    node = graph.nodes[state]
    return Truth(
        best=tuple(write_action(game, action) for action in best_actions(graph, state)),
        keeping=tuple(
            write_action(game, action)
            for action, child in node.get("moves", ())
            if graph.nodes[child]["value"] == node["value"]
        ),
    )


def stored_truth(db: Database, game: AnyGame, state: Hashable) -> Truth:
    """The truth as a database of that game has it.

    Raises `WrongDatabase` when it is of another game, and `UnknownPosition`.
    """
    asked, stored = (game_name(game), game_parameters(game)), (db.game_name, db.parameters)
    if asked != stored:
        raise WrongDatabase(f"{db.path} is of {_typed(*stored)}, not of {_typed(*asked)}")
    entry = db[write_position(game, state)]
    return Truth(
        best=tuple(move.move for move in entry.moves if move.best),
        keeping=tuple(move.move for move in entry.moves if db[move.position].value == entry.value),
    )


def _typed(name: str, parameters: Mapping[str, object]) -> str:
    return " ".join([name, *assignments(parameters)])
