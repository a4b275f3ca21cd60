"""Solved games as OpenSpiel bots and PettingZoo environments.

Both libraries are optional and load when a function here is called.
"""

from typing import TYPE_CHECKING

from solver.database import Database
from solver.errors import MissingExtra
from solver.system.plugins import how_to_install
from solver.system.words import wanted

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from solver.players.frameworks.openspiel import PerfectBot


def openspiel_bot(db: Database) -> "PerfectBot":
    """An OpenSpiel bot that plays perfectly by a database of one of OpenSpiel's games.

    Raises `MissingExtra` without OpenSpiel, and `WrongDatabase` if the game is not one of OpenSpiel's.
    """
    wanted(Database, db, "open_database(FILE)")
    try:
        from solver.players.frameworks.openspiel import PerfectBot
    except ImportError as error:
        raise MissingExtra(f"an OpenSpiel bot needs OpenSpiel: {how_to_install('openspiel')}") from error
    return PerfectBot(db)


def pettingzoo_env(db: Database, perfect: str | None = None) -> "AECEnv":
    """The solved game as a PettingZoo environment that enforces the order of calls.

    The side `perfect`, if given, plays best moves and is no agent; otherwise both sides are agents. Raises
    `MissingExtra` without PettingZoo, and `UnknownPlayer` if the game has no such side.
    """
    wanted(Database, db, "open_database(FILE)")
    try:
        from pettingzoo.utils.wrappers import OrderEnforcingWrapper

        from solver.players.frameworks.pettingzoo import SolvedGameEnv
    except ImportError as error:
        raise MissingExtra(f"a PettingZoo environment needs PettingZoo: {how_to_install('rl')}") from error
    return OrderEnforcingWrapper(SolvedGameEnv(db, perfect))
