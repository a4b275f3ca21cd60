"""Numbers of states before a solve: counted by others, from `counts.toml` beside this module, or a bound."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.game import AnyGame
from solver.rules.asking import bound_of, symmetries_of
from solver.rules.loading import game_name, game_parameters

COUNTED_HERE = "this program"
"""The source of the number of states that were found to choose an engine."""


@dataclass(frozen=True)
class Count:
    """The number of states, or classes of states, that a solve will find, or an upper bound of it."""

    states: int
    source: str | None
    """The author, and where the count was published; `COUNTED_HERE`; None for the rules' bound."""


def published_counts() -> dict[str, Any]:
    """The tables of `counts.toml`, by the names of games."""
    return tomllib.loads(Path(__file__).with_name("counts.toml").read_text("utf-8"))


def known_count(game: AnyGame, *, fold: bool, exchange: bool = False) -> Count | None:
    """The count for `game` from its initial states; None if none is known.

    With `fold` it is that of classes of symmetric states: all states divided by the number of symmetries,
    which is a little too low, as some states are symmetric to themselves. With `exchange` as well it is that
    of classes which also have the states with exchanged players.
    """
    table = published_counts().get(game_name(game), {})
    states = _of(table.get("states", ()), game)
    classes = _of(table.get("classes", ()), game) if fold and exchange else None
    if classes is None and states is not None:
        classes = states // classes_divisor(game, fold=fold, exchange=exchange)
    return None if classes is None else Count(classes, table["source"])


def expected_count(game: AnyGame, *, fold: bool, exchange: bool = False) -> Count | None:
    """The count as by `known_count`, or else by the rules' bound; None if there is neither."""
    known = known_count(game, fold=fold, exchange=exchange)
    if known is None and (bound := bound_of(game)) is not None:
        return Count(bound // classes_divisor(game, fold=fold, exchange=exchange), None)
    return known


def classes_divisor(game: AnyGame, *, fold: bool, exchange: bool = False) -> int:
    """The number of states in most of the classes of a folded solve; 1 without `fold`."""
    return (1 + len(symmetries_of(game))) * (1 + exchange) if fold else 1


def _of(rows: list[list[int]], game: AnyGame) -> int | None:
    """The count in the row with the parameters of `game`; None if there is no such row."""
    parameters = list(game_parameters(game).values())
    return next((count for *of, count in rows if of == parameters), None)
