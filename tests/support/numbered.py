from contextlib import closing
from typing import Any

from solver.engines.arrays.crew import Crew
from solver.engines.arrays.discovery import discover
from solver.engines.arrays.numbered import NumberedGame
from solver.engines.memory import LOOSEST_BOUND, MemoryWatch, refuse_by_bound
from solver.game import AnyGame


def numbered(game: AnyGame, starts: Any = None, *, budget: int = 10**9) -> NumberedGame:
    """The states as the arrays engine numbers them."""
    refuse_by_bound(game, budget, 200, "arrays", fold=False, looseness=LOOSEST_BOUND)
    with closing(Crew(game, fold=False)) as crew:
        found = discover(crew, starts, MemoryWatch("arrays", budget))
    assert found is not None
    return found
