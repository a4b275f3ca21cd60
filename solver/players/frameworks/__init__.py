"""A database as a player or an opponent in other programs: OpenSpiel and PettingZoo.

Their libraries are extras, and load when a function here is called.
"""

from typing import TYPE_CHECKING

from solver.errors import MissingExtra
from solver.system.plugins import how_to_install

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from solver.database import Database
    from solver.players.frameworks.openspiel import PerfectBot


def openspiel_bot(db: "Database") -> "PerfectBot":
    """A bot that plays perfectly, for the game of OpenSpiel that the database has solved.

    Raises `MissingExtra` without OpenSpiel, and `WrongDatabase` if the game is none of OpenSpiel's.
    """
    try:
        from solver.players.frameworks.openspiel import PerfectBot
    except ImportError as error:
        raise MissingExtra(f"an OpenSpiel bot needs OpenSpiel: {how_to_install('openspiel')}") from error
    return PerfectBot(db)


def pettingzoo_env(db: "Database", perfect: str | None = None) -> "AECEnv":
    """The solved game as an environment of PettingZoo, with the order of calls enforced.

    The side `perfect`, if given, is played by best moves; else both sides are agents. Raises `MissingExtra`
    without PettingZoo, and `UnknownPlayer` if the game has no such side.
    """
    try:
        from pettingzoo.utils.wrappers import OrderEnforcingWrapper

        from solver.players.frameworks.pettingzoo import SolvedGameEnv
    except ImportError as error:
        raise MissingExtra(f"a PettingZoo environment needs PettingZoo: {how_to_install('rl')}") from error
    return OrderEnforcingWrapper(SolvedGameEnv(db, perfect))
