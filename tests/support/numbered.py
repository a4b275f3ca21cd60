from contextlib import closing
from typing import Any

from solver.engines.arrays.discovery import Discovery
from solver.engines.arrays.numbered import NumberedGame
from solver.engines.arrays.rules_pool import RulesPool
from solver.engines.memory import LOOSEST_BOUND, MemoryWatch, refuse_by_bound
from solver.game import AnyGame


def numbered(game: AnyGame, starts: Any = None, *, budget: int = 10**9) -> NumberedGame:
    """The states of a game, numbered by the arrays engine."""
    refuse_by_bound(game, budget, 200, "arrays", fold=False, looseness=LOOSEST_BOUND)
    with closing(RulesPool(game, fold=False)) as rules:
        actual = Discovery(rules, starts, MemoryWatch("arrays", budget)).run()
    assert actual is not None
    return actual
