"""The late plies that a site leaves out, as a search in the page computes their answers: see `late.js`.

Only games without loops whose rules define the ply have late plies. They are chosen by the number of states
that the search visits for a sample of each ply.
"""

from math import inf
from typing import Any

import numpy as np

from exporters.site.states import open_per_ply, sample_of_ply, starts_of
from solver.database import Database
from solver.game import FIRST, outcome_sign
from solver.packed import PackedGame
from solver.rules.arrays import batch_answers, distinct, fold
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.rules.failures import rules_asked
from solver.rules.folding import Folding

SPAN = 1 << 20
"""The difference between scores of adjacent values: more than the plies of any game."""

MAX_VALUE = (1 << 53) // SPAN - 1
"""The greatest absolute utility whose scores are exact as JavaScript numbers."""

SAMPLE, MAX_NODES = 64, 10_000
"""The number of states sampled from a ply, and the most states that the search may visit for each of them."""

MAX_PLIES = 200
"""The most plies that are left out, as the search recurses once per ply."""

MIN_STATES = 20_000
"""The least number of non-terminal states in the plies that are not left out."""

MAX_DIFFERENCES, MAX_STARTS = 1000, 300
"""The most differences of states by moves, and the most starts, of a game with lines back to a start."""


class Search:
    """Alpha-beta search with a table of bounds; `late.js` visits the same states in the same order.

    A score orders results of play: `SPAN` times the value for the first player, minus the plies to the end if
    the first player hurries (`solver.rules.labels`), or plus the plies if the second does. It is negated if
    the second player is to move.
    """

    def __init__(self, game: PackedGame, endless: int, utilities: tuple[int, int]) -> None:
        """Search a game, given the value of endless play, and the least and greatest utility."""
        self.game, self.endless, self.utilities = game, endless, utilities
        self.bounds, self.nodes = dict[int, tuple[float, float]](), 0

    def nodes_of(self, state: int) -> int:
        """The number of states visited for the label of a non-terminal state and the labels of its moves."""
        self.bounds, self.nodes = {}, 0
        self.score(state, 0)
        for child in self._children(state):
            if not self.game.is_terminal(child):
                self.score(child, 1)
        return self.nodes

    def score(self, state: int, ply: int, low: float = -inf, high: float = inf) -> float:
        """The score of a non-terminal state, `ply` plies after the first one; outside the window, a bound."""
        mover = mover_of(self.game, state)
        least, most = self.bounds.get(state) or self._limits(mover, ply + 1)
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        low, high = max(low, least), min(high, most)
        children = self._children(state)
        self.nodes += len(children)
        over = [child for child in children if self.game.is_terminal(child)]
        best = max((self._score_of(mover, utility_of(self.game, end), ply + 1) for end in over), default=-inf)
        for child in children:
            begin = max(low, best)
            if begin >= high:
                break
            if child in over:
                continue
            if mover_of(self.game, child) == mover:
                best = max(best, self.score(child, ply + 1, begin, high))
            else:
                best = max(best, -self.score(child, ply + 1, -high, -begin))
        self.bounds[state] = least if best <= low else best, most if best >= high else best
        return best

    def _children(self, state: int) -> list[int]:
        actions = actions_of(self.game, state)
        with rules_asked(self.game, "result"):
            return [self.game.result(state, action) for action in actions]

    def _score_of(self, mover: int, value: int, plies: int) -> float:
        score = value * SPAN - self._haste(value) * plies
        return score if mover == FIRST else -score

    def _haste(self, value: int) -> int:
        """1 if the first player hurries to an end of this value, -1 if the second does, 0 if neither does."""
        return outcome_sign(value - self.endless or self.endless)

    def _limits(self, mover: int, plies: int) -> tuple[float, float]:
        """The least and greatest score of a non-terminal state from which play lasts `plies` or more."""
        worst, best = self.utilities
        low = -inf if self._haste(worst) > 0 else self._score_of(FIRST, worst, plies)
        high = inf if self._haste(best) < 0 else self._score_of(FIRST, best, plies)
        return (low, high) if mover == FIRST else (-high, -low)


def known_of_late(db: Database, game: PackedGame, folding: Folding, played: list[int]) -> dict[str, Any]:
    """The members of `site.json` for games whose rules define the ply, the same for all starts; else none.

    `back` has the states in which play begins, one of each class, and the differences of states by moves,
    by which lines lead back to them. `late` has the first ply that is left out, counted from the starts, and
    the least and greatest utility.
    """
    with rules_asked(game, "ply"):
        if db.has_loops or game.ply(game.initial) is None:
            return {}
    starts = distinct(fold(folding, starts_of(db, game)).states)
    if len(starts) > MAX_STARTS or np.ptp(batch_answers(game, "ply", starts)):
        return {}
    ends = {count.value for count in db.counts() if count.is_terminal}
    search = Search(game, db.endless_value, (min(ends), max(ends)))
    opened, late, is_exact = open_per_ply(db), None, max(map(abs, ends)) <= MAX_VALUE
    for ply in reversed(range(max(0, len(opened) - 1 - MAX_PLIES), len(opened))):
        sample = sample_of_ply(db, ply, SAMPLE)
        played = [*played, *sample]
        is_early = not is_exact or sum(opened[: ply + 1]) < MIN_STATES
        if is_early or any(search.nodes_of(state) > MAX_NODES for state in sample):
            break
        late = ply + 1 if ply + 1 < len(opened) else None
    with rules_asked(game, "result"):
        steps = {state ^ game.result(state, action) for state in played for action in actions_of(game, state)}
    if len(steps) > MAX_DIFFERENCES:
        return {}
    back = {"starts": [*map(str, starts)], "differences": [*map(str, sorted(steps))]}
    known: dict[str, Any] = {"back": back}
    if late is not None:
        known["late"] = {"ply": late, "utilities": search.utilities}
    return known
