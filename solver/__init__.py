"""perfectplay: a two-player game, solved.

A **game** says what can be played. Play reaches a **graph** of states. Working **backwards** gives every
state a **label**. Labels go into a **database**. From labels follows a **plan**. A plan can be **exported**.
And everything can be **verified** from the rules alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.database import Database, open_database
    from solver.entry import Entry, Move
    from solver.errors import SolverError
    from solver.game import Game, Look, Symmetry
    from solver.match import Opponent, play_match
    from solver.packed import PackedGame
    from solver.plan import Plan
    from solver.plan_file import read_plan
    from solver.plan_proof import verify_plan
    from solver.planning import Sized, choose_plan, make_plan
    from solver.players import Player, Truth, make_player
    from solver.plugins import load_game
    from solver.solving import Summary, solve
    from solver.verify import verify_database

HOMES = {
    "Database": "database",
    "Entry": "entry",
    "Game": "game",
    "Look": "game",
    "Move": "entry",
    "Opponent": "match",
    "PackedGame": "packed",
    "Plan": "plan",
    "Player": "players",
    "Sized": "planning",
    "SolverError": "errors",
    "Summary": "solving",
    "Symmetry": "game",
    "Truth": "players",
    "choose_plan": "planning",
    "load_game": "plugins",
    "make_plan": "planning",
    "make_player": "players",
    "open_database": "database",
    "play_match": "match",
    "read_plan": "plan_file",
    "solve": "solving",
    "verify_database": "verify",
    "verify_plan": "plan_proof",
}
"""The public names and the modules they live in. They load when first used, so that a start is quick."""

__all__ = [
    "Database",
    "Entry",
    "Game",
    "Look",
    "Move",
    "Opponent",
    "PackedGame",
    "Plan",
    "Player",
    "Sized",
    "SolverError",
    "Summary",
    "Symmetry",
    "Truth",
    "choose_plan",
    "load_game",
    "make_plan",
    "make_player",
    "open_database",
    "play_match",
    "read_plan",
    "solve",
    "verify_database",
    "verify_plan",
]


def __getattr__(name: str) -> Any:
    """The public name, from its module."""
    if name not in HOMES:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    return getattr(import_module(f"solver.{HOMES[name]}"), name)
