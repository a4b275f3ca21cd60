from contextlib import closing
from typing import Any

from solver.engines.arrays.discovery import Discovery
from solver.engines.arrays.numbered import GameLabels, NumberedGame, label
from solver.engines.arrays.rules_pool import RulesPool
from solver.engines.arrays.solve import memory_solve
from solver.engines.memory import LOOSEST_BOUND, MemoryWatch, refuse_by_bound
from solver.engines.options import SolveOptions
from solver.game import AnyGame


def numbered(game: AnyGame, starts: Any = None, *, budget: int = 10**9) -> NumberedGame:
    """The states of a game, numbered by the arrays engine."""
    refuse_by_bound(game, budget, 200, "arrays", fold=False, looseness=LOOSEST_BOUND)
    with closing(RulesPool(game, fold=False)) as rules:
        actual = Discovery(rules, starts, MemoryWatch("arrays", budget)).run()
    assert actual is not None
    return actual


def solved_in_memory(game: AnyGame, *, fold: bool) -> tuple[NumberedGame, GameLabels]:
    """The states of a game, the initial ones first, and their labels."""
    with memory_solve(game, SolveOptions(fold=fold)) as memory:
        actual = memory.discovery().run()
    assert actual is not None
    return actual, label(actual)
