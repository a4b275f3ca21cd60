"""The heuristic evaluation of a state, which depth-limited searches use, and the terms of its sum."""

from collections.abc import Iterator
from itertools import product
from math import isfinite
from typing import Any, NamedTuple

from solver.game import AnyGame, Game
from solver.games.lines import WAYS
from solver.games.mnk import MNK
from solver.games.quixo import Quixo
from solver.rules.asking import as_number, guess_of, is_over
from solver.rules.failures import rules_asked


class Evaluation(NamedTuple):
    """The evaluation of a state, for the first player, in the unit of the game."""

    value: float
    terms: dict[str, float]
    """The terms by name; empty if the rules give none."""

    def __str__(self) -> str:
        """The value and its terms: "1: x2 = 3, o1 = -2"."""
        terms = ", ".join(f"{name} = {number:g}" for name, number in self.terms.items())
        return f"{self.value:g}: {terms}" if terms else f"{self.value:g}"


def evaluation_of(game: AnyGame, state: Any) -> Evaluation | None:
    """The evaluation of a state; None if the game has no heuristic, or is over."""
    if type(game).evaluate is Game.evaluate or is_over(game, state):
        return None
    with rules_asked(game, "evaluate"):
        value = guess_of(game, state)
    return Evaluation(value, terms_of(game, state))


def terms_of(game: AnyGame, state: Any) -> dict[str, float]:
    """The terms of the evaluation of a state in which the game is not over, by name."""
    with rules_asked(game, "evaluation_terms"):
        by_lines = type(game).evaluate in (MNK.evaluate, Quixo.evaluate) and not getattr(game, "wild", False)
        terms = dict(_of_lines(game, state) if by_lines else game.evaluation_terms(state))
        return {str(name): as_number("a term of evaluate", number, state) for name, number in terms.items()}


def evaluated(game: AnyGame, state: Any) -> dict[str, Any]:
    """The evaluation of a state as commands print it in JSON; empty if there is none, or it is not finite."""
    evaluation = evaluation_of(game, state)
    if evaluation is None or not all(map(isfinite, (evaluation.value, *evaluation.terms.values()))):
        return {}
    return {"evaluation": evaluation._asdict()}


def _of_lines(game: Any, state: int) -> Iterator[tuple[str, int]]:
    """Yield the terms of `MNK` and `Quixo`: 3**(n-1), signed, per line with n marks, all of one side."""
    lines, k = [], game.k
    for row, column, (down, right) in product(range(game.rows), range(game.columns), WAYS):
        cells = [(row + n * down, column + n * right) for n in range(k)]
        if all(row < game.rows and 0 <= column < game.columns for row, column in cells):
            bits = sum(1 << row * game.columns + column for row, column in cells)
            lines.append([(plane & bits).bit_count() for plane in game.planes(state)])
    sign = -1 if getattr(game, "misere", False) else 1
    for side, n in product((0, 1), range(k - 1, 0, -1)):
        weight = sign * (1 - 2 * side) * 3 ** (n - 1)
        factor = {1: "", -1: "-"}.get(weight, f"{weight}*")
        count = sum(marks[side] == n and not marks[1 - side] for marks in lines)
        yield f"{factor}{game.players[side]}{n}", weight * count
