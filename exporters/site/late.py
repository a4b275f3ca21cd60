"""The late plies that a site leaves out, as a search in the page answers for them as well: see `late.js`.

It is for games without loops whose rules tell the ply. The states that the search makes for the answers of a
sample of each ply decide which plies these are.
"""

from math import inf
from typing import Any

import numpy as np

from exporters.site.states import open_per_ply, sample_of_ply, starts_of
from solver.database import Database
from solver.game import FIRST
from solver.packed import PackedGame
from solver.rules.arrays import batch_answers, distinct, fold
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.rules.failures import rules_asked
from solver.rules.folding import Folding

SPAN = 1 << 20
"""The difference of scores between neighbouring values: more than the plies of a game."""

MAX_VALUE = (1 << 53) // SPAN - 1
"""The greatest utility of a player whose scores JavaScript numbers hold exactly."""

SAMPLE, MAX_NODES = 64, 10_000
"""States of a ply whose answers are searched for, and the states that it may make for each of them."""

MAX_PLIES = 200
"""Plies that are left out, as the search calls itself in each."""

MIN_STATES = 20_000
"""Open states that are not left out, however fast the search is."""

MAX_DIFFERENCES, MAX_STARTS = 1000, 300
"""Differences of states by a move, and starts, of a game in which ways back to a start are looked for."""


class Search:
    """Alpha-beta search with a table of bounds, which `late.js` has, too, state by state.

    A score orders what play can come to: `SPAN` times the value for the first player, less the plies to the
    end where the first player hurries (`solver.rules.labels`), and with them where the second does; it is
    negated where the second player is to move.
    """

    def __init__(self, game: PackedGame, endless: int, utilities: tuple[int, int]) -> None:
        """Search with the value of endless play, and the least and the greatest utility."""
        self.game, self.endless, self.utilities = game, endless, utilities
        self.bounds, self.nodes = dict[int, tuple[float, float]](), 0

    def nodes_of(self, state: int) -> int:
        """The states that are made for the answer of an open state: for its label and those of its moves."""
        self.bounds, self.nodes = {}, 0
        self.score(state, 0)
        for child in self._children(state):
            if not self.game.is_terminal(child):
                self.score(child, 1)
        return self.nodes

    def score(self, state: int, ply: int, low: float = -inf, high: float = inf) -> float:
        """The score of an open state, so many plies behind the first one; outside of the window a bound."""
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
        """1 if the first player hurries to an end of this value, -1 if the second does, 0 if nobody does."""
        side = value - self.endless or self.endless
        return (side > 0) - (side < 0)

    def _limits(self, mover: int, plies: int) -> tuple[float, float]:
        """The least and the greatest score of an open state: play does not end before so many plies."""
        worst, best = self.utilities
        low = -inf if self._haste(worst) > 0 else self._score_of(FIRST, worst, plies)
        high = inf if self._haste(best) < 0 else self._score_of(FIRST, best, plies)
        return (low, high) if mover == FIRST else (-high, -low)


def known_of_late(db: Database, game: PackedGame, folding: Folding, played: list[int]) -> dict[str, Any]:
    """The members of `site.json` for games whose rules tell the ply, alike for all starts; none for others.

    `back` has the states in which play begins, one of each class, and by which differences of states moves
    lead back to them; `late` the first ply that is left out, counted from them, and what utilities there are.
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
        played += sample
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
