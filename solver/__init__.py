"""perfectplay: an offline solver for two-player games with perfect information.

**games** defines games, and **rules** loads and checks them. An **engine** enumerates the reachable states
and labels them backwards from the terminal ones. A **database** stores the labels; **plans**, **players** and
**analysis** are based on it. **proof** verifies files from the rules alone, and **search** has the classical
searches. **cli** and **commands** are the command line, and **system** wraps the machine.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.analysis.annotate import (
        AnnotatedGame as AnnotatedGame,
        AnnotatedMove as AnnotatedMove,
        annotate as annotate,
    )
    from solver.database import Database as Database, open_database as open_database
    from solver.database.entry import Entry as Entry, Move as Move
    from solver.engines.graph_states import explore as explore, label as label
    from solver.engines.solve import Summary as Summary, solve as solve
    from solver.errors import BrokenPlan as BrokenPlan, SolverError as SolverError
    from solver.game import Game as Game, Look as Look, Symmetry as Symmetry
    from solver.packed import PackedGame as PackedGame
    from solver.plans.plan import Plan as Plan
    from solver.plans.reader import read_plan as read_plan
    from solver.plans.selection import Sized as Sized, choose_plan as choose_plan, make_plan as make_plan
    from solver.players import Player as Player, Truth as Truth, make_player as make_player
    from solver.players.frameworks import openspiel_bot as openspiel_bot, pettingzoo_env as pettingzoo_env
    from solver.players.match import (
        Opponent as Opponent,
        PlayedGame as PlayedGame,
        play_match as play_match,
    )
    from solver.proof.plan import Guarantee as Guarantee, verify_plan as verify_plan
    from solver.proof.verify import verify_database as verify_database
    from solver.rules.loading import load_game as load_game

HOMES = {
    name: module
    for module, names in {
        "analysis.annotate": ("AnnotatedGame", "AnnotatedMove", "annotate"),
        "database": ("Database", "open_database"),
        "database.entry": ("Entry", "Move"),
        "engines.graph_states": ("explore", "label"),
        "engines.solve": ("Summary", "solve"),
        "errors": ("BrokenPlan", "SolverError"),
        "game": ("Game", "Look", "Symmetry"),
        "packed": ("PackedGame",),
        "plans.plan": ("Plan",),
        "plans.reader": ("read_plan",),
        "plans.selection": ("Sized", "choose_plan", "make_plan"),
        "players": ("Player", "Truth", "make_player"),
        "players.frameworks": ("openspiel_bot", "pettingzoo_env"),
        "players.match": ("Opponent", "PlayedGame", "play_match"),
        "proof.plan": ("Guarantee", "verify_plan"),
        "proof.verify": ("verify_database",),
        "rules.loading": ("load_game",),
    }.items()
    for name in names
}
"""The module, below `solver`, of each public name; modules load on first use, for a quick start."""

__all__ = sorted(HOMES)


def __dir__() -> list[str]:
    """The names in the module, with the public ones that are not loaded yet."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """The public name, from its module."""
    if name not in HOMES:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    return getattr(import_module(f"solver.{HOMES[name]}"), name)
