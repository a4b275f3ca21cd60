import sys
from contextlib import closing
from typing import Any

from solver.engines.arrays.discovery import Discovery
from solver.engines.arrays.numbered import GameLabels, NumberedGame, label
from solver.engines.arrays.rules_pool import RulesPool
from solver.engines.arrays.solve import memory_solve
from solver.engines.memory import LOOSEST_BOUND, MemoryWatch, refuse_by_bound
from solver.engines.options import SolveOptions
from solver.game import AnyGame


def discovered(
    game: AnyGame, starts: Any = None, at_most: int = sys.maxsize, *, fold: bool = False, budget: int = 10**9
) -> NumberedGame | None:
    """The states of a game, numbered by the arrays engine; None if there are more than `at_most`."""
    with closing(RulesPool(game, fold=fold)) as rules:
        return Discovery(rules, starts, MemoryWatch("arrays", budget)).run(at_most)


def numbered(game: AnyGame, starts: Any = None, *, budget: int = 10**9) -> NumberedGame:
    """All states of a game, numbered by the arrays engine, which refuses what is too large for the budget."""
    refuse_by_bound(game, budget, 200, "arrays", fold=False, looseness=LOOSEST_BOUND)
    actual = discovered(game, starts, budget=budget)
    assert actual is not None
    return actual


def solved_in_memory(game: AnyGame, *, fold: bool) -> tuple[NumberedGame, GameLabels]:
    """The states of a game, the initial ones first, and their labels."""
    with memory_solve(game, SolveOptions(fold=fold)) as memory:
        actual = memory.discovery().run()
    assert actual is not None
    return actual, label(actual)
