"""perfectplay: a two-player game, solved.

**Games** say what can be played, and **rules** are asked with care. An **engine** finds every state that play
can reach and, working backwards, labels it. The labels make a **database**; from it follow **plans**, what
**players** choose, and an **analysis**. A **proof** checks every file from the rules alone. Beside these is
the classical **search**. **Commands** bring it all to a shell; what the machine gives is in **system**.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.database import Database, open_database
    from solver.database.entry import Entry, Move
    from solver.engines.graph.reachable import explore
    from solver.engines.graph.retrograde import label
    from solver.engines.solve import Summary, solve
    from solver.errors import SolverError
    from solver.game import Game, Look, Symmetry
    from solver.packed import PackedGame
    from solver.plans.plan import Plan
    from solver.plans.reader import read_plan
    from solver.plans.selection import Sized, choose_plan, make_plan
    from solver.players import Player, Truth, make_player
    from solver.players.frameworks import openspiel_bot, pettingzoo_env
    from solver.players.match import Opponent, play_match
    from solver.proof.plan import verify_plan
    from solver.proof.verify import verify_database
    from solver.rules.loading import load_game

HOMES = {
    "Database": "database",
    "Entry": "database.entry",
    "Game": "game",
    "Look": "game",
    "Move": "database.entry",
    "Opponent": "players.match",
    "PackedGame": "packed",
    "Plan": "plans.plan",
    "Player": "players",
    "Sized": "plans.selection",
    "SolverError": "errors",
    "Summary": "engines.solve",
    "Symmetry": "game",
    "Truth": "players",
    "choose_plan": "plans.selection",
    "explore": "engines.graph.reachable",
    "label": "engines.graph.retrograde",
    "load_game": "rules.loading",
    "make_plan": "plans.selection",
    "make_player": "players",
    "open_database": "database",
    "openspiel_bot": "players.frameworks",
    "pettingzoo_env": "players.frameworks",
    "play_match": "players.match",
    "read_plan": "plans.reader",
    "solve": "engines.solve",
    "verify_database": "proof.verify",
    "verify_plan": "proof.plan",
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
    "explore",
    "label",
    "load_game",
    "make_plan",
    "make_player",
    "open_database",
    "openspiel_bot",
    "pettingzoo_env",
    "play_match",
    "read_plan",
    "solve",
    "verify_database",
    "verify_plan",
]


def __dir__() -> list[str]:
    """The names in the module, and the public ones before they are loaded."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """The public name, from its module."""
    if name not in HOMES:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    return getattr(import_module(f"solver.{HOMES[name]}"), name)
