"""The rules of packed games for arrays of states: traced and compiled, or evaluated by NumPy."""

from collections.abc import Callable

from solver.engines.array_rules.rules import Rules
from solver.packed import PackedGame
from solver.rules.asking import bound_of
from solver.rules.failures import slowness

MAX_QUICK = 200_000
"""The most states of a game that is solved in a second, compiled or not."""


def rules_for(game: PackedGame, degree: int = 1, *, say: Callable[[str], object] | None = None) -> Rules:
    """The rules of `game`, compiled if possible, with the `Folding.degree` of canonical forms.

    If they cannot be compiled, and the game is not small, `say` is called with the reason.
    """
    from solver.engines.array_rules.tracing import Untraceable  # imported only where rules are compiled

    try:
        from solver.engines.array_rules.compiled_rules import compiled_rules  # needs llvmlite, an extra

        return compiled_rules(game, degree)
    except (ImportError, Untraceable) as error:
        if say and (bound_of(game) or MAX_QUICK + 1) > MAX_QUICK:
            say(slowness(game, error))
    return Rules(game, degree)
