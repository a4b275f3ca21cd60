"""Ranks moves of equal value by how hard they are to answer for an opponent whose hand trembles.

The opponent trembles: with probability e it plays any of its legal moves, and else one of its best moves
(`solver.rules.labels`), all with equal chances. The player whose moves are ranked always plays a move that
keeps the value, and where that player has to hurry, a best one: so it risks nothing against anybody. A gift
is by how much a move of the opponent betters the value for the player. With n plies to look ahead,

    gifts(n, state)  =  0                                                        n = 0, or the game is over
                        the greatest gifts(n - 1, child) of the moves above      the player is to move
                        the mean of gift + gifts(n - 1, child)                   the opponent is to move

and a move is expected to bring its value and the gifts of the state after it. More plies never bring less,
and never more than the greatest utility. In a game that ends within n plies this is the exact expectation.

Sources: R. Selten, "Reexamination of the perfectness concept for equilibrium points in extensive games",
International Journal of Game Theory 4, 1975 (the trembling hand); R. Bellman, *Dynamic Programming*, 1957
(value iteration).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from solver.database import Database
from solver.database.entry import Entry, Move
from solver.errors import BadParameter
from solver.game import ENDLESS, sign_for
from solver.rules.labels import hurrier

TREMBLE = 0.1
"""The default probability with which the opponent plays any move."""

MAX_PLIES = 30
"""Plies that are looked ahead behind a move, if that many have few enough positions."""

MAX_POSITIONS = 2_000
"""Positions whose moves are looked up to rank the moves of one."""

MAX_CACHED = 100_000
"""Positions that are kept in memory between one ranking and the next."""

DIGITS = 9
"""Digits of an expectation behind the point; the others are errors of rounding, which order nothing."""


class Prospect(NamedTuple):
    """What a move comes to against an opponent whose hand trembles."""

    move: Move
    replies: int
    """The opponent's legal replies; 0 if there are none, or the same player is to move again."""
    errors: int
    """The replies that better the value for who makes the move."""
    expected: float
    """The expected utility for the player who makes the move."""

    @property
    def share(self) -> float:
        """The share of replies that are errors; 0 without replies."""
        return self.errors / self.replies if self.replies else 0.0


@dataclass(frozen=True)
class Ranking:
    """The moves of a position, ranked."""

    prospects: tuple[Prospect, ...]
    """The best value first; of equal ones what is expected to bring most, then what has the greatest share
    of errors; then in the order of `Entry.moves`."""
    tremble: float
    """The probability with which the opponent plays any move."""
    plies: int
    """Plies behind each move whose errors count."""
    whole: bool
    """Whether more plies would change nothing."""


class _Node(NamedTuple):
    mover: int
    value: int
    """For the first player."""
    children: tuple[str, ...]
    """The positions after the moves."""
    values: tuple[int, ...]
    """The values of these, for the first player."""
    best: tuple[bool, ...]
    """Whether each move is one of the best."""
    safe: tuple[str, ...]
    """The positions after the moves among which a player chooses who risks nothing."""


class Trembling:
    """Ranks moves in a solved game; what was looked up is kept for the next time."""

    def __init__(self, db: Database, tremble: float = TREMBLE) -> None:
        """Rank against an opponent who plays any move with the probability `tremble`.

        Raises `BadParameter` for a probability below 0 or above 1.
        """
        if not 0 <= tremble <= 1:
            raise BadParameter(f"tremble is a probability: it should be from 0 to 1, not {tremble:g}")
        self.db, self.tremble = db, tremble
        self._nodes: dict[str, _Node] = {}
        self._chosen: dict[str, Move] = {}

    def ranking(self, entry: Entry) -> Ranking:
        """The moves of a position of the database, ranked; raises as a lookup."""
        if len(self._nodes) > MAX_CACHED:
            self._nodes.clear()
            self._chosen.clear()
        side = self.db.game.players.index(entry.to_move)
        gifts, plies, whole = self._gifts(side, [(move.position, move.value) for move in entry.moves])
        prospects = [self._prospect(side, move, gifts.get(move.position, 0.0)) for move in entry.moves]
        sign = sign_for(side)
        prospects.sort(
            key=lambda one: (-sign * one.move.value, -round(one.expected, DIGITS), -one.share)
        )  # which keeps the order of what is equal
        return Ranking(tuple(prospects), self.tremble, plies, whole)

    def choice(self, entry: Entry) -> Move:
        """The first move of the ranking that risks nothing in a position in which the game is not over."""
        chosen = self._chosen.get(entry.position)
        if chosen is None:
            prospects, safe = self.ranking(entry).prospects, self._node(entry.position).safe
            chosen = next(prospect.move for prospect in prospects if prospect.move.position in safe)
            self._chosen[entry.position] = chosen
        return chosen

    def _prospect(self, side: int, move: Move, gifts: float) -> Prospect:
        sign, after = sign_for(side), self._node(move.position)
        replies = 0 if after.mover == side else len(after.values)
        errors = sum(sign * value > sign * after.value for value in after.values) if replies else 0
        return Prospect(move, replies, errors, sign * move.value + gifts)

    def _gifts(self, side: int, roots: Iterable[tuple[str, int]]) -> tuple[dict[str, float], int, bool]:
        """Expected gifts of the opponent of `side` from each root, by value iteration, `plies`, `whole`."""
        depths, plies, exhausted = self._reachable(side, roots)
        gifts = dict.fromkeys(depths, 0.0)
        for rounds in range(1, plies + 1):
            within = (text for text, depth in depths.items() if depth <= plies - rounds)
            more = {text: self._backed_up(side, self._nodes[text], gifts) for text in within}
            if exhausted and more == gifts:
                return gifts, rounds - 1, True
            gifts |= more
        return gifts, plies, False

    def _reachable(self, side: int, roots: Iterable[tuple[str, int]]) -> tuple[dict[str, int], int, bool]:
        """The positions from which gifts can come, with the plies to each from the roots.

        And the plies for which these are all of them, and whether for more plies they would be, too.
        """
        most = max(sign_for(side) * value for value in self.db.folding.values(self.db.value_range))
        depths, frontier = dict[str, int](), self._open(side, most, roots)
        for plies in range(MAX_PLIES):
            if not frontier:
                return depths, MAX_PLIES, True
            if len(depths) + len(frontier) > MAX_POSITIONS:
                return depths, plies, False
            depths |= dict.fromkeys(frontier, plies)
            nodes = map(self._node, frontier)
            after = self._open(side, most, (pair for node in nodes for pair in _followed(side, node)))
            frontier = [text for text in after if text not in depths]
        return depths, MAX_PLIES, not frontier

    def _open(self, side: int, most: int, children: Iterable[tuple[str, int]]) -> list[str]:
        """The positions, given with their values, in which `side` has less than the most that there is."""
        return list(dict.fromkeys(text for text, value in children if sign_for(side) * value < most))

    def _backed_up(self, side: int, node: _Node, gifts: dict[str, float]) -> float:
        """The gifts from a position, given those from its children; those that are not there bring none."""
        if node.mover == side:
            return max((gifts.get(child, 0.0) for child in node.safe), default=0.0)
        sign = sign_for(side)
        replies = zip(chances(node.best, self.tremble), node.children, node.values, strict=True)
        return sum(
            chance * (sign * (value - node.value) + gifts.get(child, 0.0)) for chance, child, value in replies
        )

    def _node(self, text: str) -> _Node:
        if (node := self._nodes.get(text)) is not None:
            return node
        entry = self.db[text]
        mover, moves = self.db.game.players.index(entry.to_move), entry.moves_by_action
        hurries = hurrier(entry.value, ENDLESS[self.db.endless]) == mover
        safe = [move for move in moves if move.best or (move.value == entry.value and not hurries)]
        node = self._nodes[text] = _Node(
            mover,
            entry.value,
            tuple(move.position for move in moves),
            tuple(move.value for move in moves),
            tuple(move.best for move in moves),
            tuple(move.position for move in safe),
        )
        return node


def chances(best: Sequence[bool], tremble: float) -> list[float]:
    """The chance of each move of a hand that trembles, given which moves are `best`."""
    any_move, best_move = tremble / max(1, len(best)), (1 - tremble) / max(1, sum(best))
    return [any_move + is_best * best_move for is_best in best]


def _followed(side: int, node: _Node) -> Iterator[tuple[str, int]]:
    if node.mover == side:
        return ((child, node.value) for child in node.safe)
    return zip(node.children, node.values, strict=True)
