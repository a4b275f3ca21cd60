"""Ranks moves of equal value by how hard they are to answer for an opponent whose hand trembles.

With probability e the opponent plays a random legal move, and otherwise a random best move, with uniform
chances. The player whose moves are ranked always plays a safe move: one that preserves the value, and a best
move where the player has to hurry (`solver.rules.labels`). So it risks nothing against any opponent. The gift
of an opponent's move is the increase of the value for the player. With n plies of lookahead,

    gifts(n, state)  =  0                                                   if n = 0 or the game is over
                        the maximum of gifts(n - 1, child), safe moves      if the player is to move
                        the expectation of gift + gifts(n - 1, child)       if the opponent is to move

and the expected utility of a move is its value plus the gifts of the state after it. It never decreases with
n nor exceeds the greatest utility. In a game that ends within n plies it is exact.

Sources: R. Selten, "Reexamination of the perfectness concept for equilibrium points in extensive games",
International Journal of Game Theory 4, 1975 (the trembling hand); R. Bellman, *Dynamic Programming*, 1957
(value iteration).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from solver.database import Database
from solver.database.entry import Entry, Move
from solver.database.wording import describe, entry_as_dict, plies as in_plies
from solver.errors import BadParameter
from solver.game import ENDLESS, sign_for
from solver.rules.labels import hurrier

TREMBLE = 0.1
"""The default probability with which the opponent plays a random legal move."""

MAX_PLIES = 30
"""The most plies of lookahead after a move; fewer if they have more than `MAX_POSITIONS` positions."""

MAX_POSITIONS = 2_000
"""The most positions that are looked up to rank the moves of one position."""

MAX_CACHED = 100_000
"""The most positions that are cached from one ranking to the next."""

DIGITS = 9
"""The decimal places of an expectation that count for the order; further ones are rounding errors."""


class Prospect(NamedTuple):
    """The prospects of a move against an opponent whose hand trembles."""

    move: Move
    replies: int
    """The number of the opponent's legal replies; 0 if the game is over or the same player moves again."""
    errors: int
    """The number of replies that increase the value for the player who makes the move."""
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
    """The moves, best first: by value, then by expected utility, then by share of errors, then in the order
    of `Entry.moves`."""
    tremble: float
    """The probability with which the opponent plays a random legal move."""
    plies: int
    """The number of plies of lookahead after each move."""
    whole: bool
    """Whether more plies of lookahead would change nothing."""


class _Node(NamedTuple):
    mover: int
    value: int
    """For the first player."""
    replies: tuple[tuple[float, str, int], ...]
    """For each move: its chance if an opponent who trembles is to move, the position after it, its value."""
    safe: tuple[str, ...]
    """The positions after the safe moves."""


class Trembling:
    """Ranks moves in a solved game, with a cache of the positions looked up."""

    def __init__(self, db: Database, tremble: float = TREMBLE) -> None:
        """Rank against an opponent who plays a random legal move with probability `tremble`.

        Raises `BadParameter` for a probability below 0 or above 1.
        """
        if not 0 <= tremble <= 1:
            raise BadParameter(f"tremble is a probability: it should be from 0 to 1, not {tremble:g}")
        self.db, self.tremble = db, tremble
        self._nodes: dict[str, _Node] = {}
        self._chosen: dict[str, Move] = {}

    def ranking(self, entry: Entry) -> Ranking:
        """The moves of a position of the database, ranked; raises what a lookup raises."""
        if len(self._nodes) > MAX_CACHED:
            self._nodes.clear()
            self._chosen.clear()
        side = self.db.game.players.index(entry.to_move)
        gifts, plies, whole = self._gifts(side, [(move.position, move.value) for move in entry.moves])
        prospects = [self._prospect(side, move, gifts.get(move.position, 0.0)) for move in entry.moves]
        sign = sign_for(side)
        prospects.sort(
            key=lambda one: (-sign * one.move.value, -round(one.expected, DIGITS), -one.share)
        )  # a stable sort
        return Ranking(tuple(prospects), self.tremble, plies, whole)

    def choice(self, entry: Entry) -> Move:
        """The first safe move of the ranking of a position; the game must not be over."""
        chosen = self._chosen.get(entry.position)
        if chosen is None:
            prospects, safe = self.ranking(entry).prospects, self._node(entry.position).safe
            chosen = next(prospect.move for prospect in prospects if prospect.move.position in safe)
            self._chosen[entry.position] = chosen
        return chosen

    def _prospect(self, side: int, move: Move, gifts: float) -> Prospect:
        sign, after = sign_for(side), self._node(move.position)
        replies = () if after.mover == side else after.replies
        errors = sum(sign * value > sign * after.value for _, _, value in replies)
        return Prospect(move, len(replies), errors, sign * move.value + gifts)

    def _gifts(self, side: int, roots: Iterable[tuple[str, int]]) -> tuple[dict[str, float], int, bool]:
        """The expected gifts to `side` by position, by value iteration, then `plies` and `whole`."""
        depths, plies, exhausted = self._reachable(side, roots)
        gifts = dict.fromkeys(depths, 0.0)
        for rounds in range(1, plies + 1):
            within = (text for text, depth in depths.items() if exhausted or depth <= plies - rounds)
            more = {text: self._backed_up(side, self._nodes[text], gifts) for text in within}
            if exhausted and more == gifts:
                return gifts, rounds - 1, True
            gifts |= more
        return gifts, plies, False

    def _reachable(self, side: int, roots: Iterable[tuple[str, int]]) -> tuple[dict[str, int], int, bool]:
        """The positions from which gifts can come, with their distances in plies from the roots.

        Also the plies of lookahead for which they are complete, and whether they are for any number of plies.
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
        """The positions among `children`, pairs of position and value, in which `side` can still gain."""
        return list(dict.fromkeys(text for text, value in children if sign_for(side) * value < most))

    def _backed_up(self, side: int, node: _Node, gifts: dict[str, float]) -> float:
        """The gifts from a position, given the `gifts` of its children (0 for those not in it)."""
        if node.mover == side:
            return max((gifts.get(child, 0.0) for child in node.safe), default=0.0)
        sign = sign_for(side)
        return sum(
            chance * (sign * (value - node.value) + gifts.get(child, 0.0))
            for chance, child, value in node.replies
        )

    def _node(self, text: str) -> _Node:
        if (node := self._nodes.get(text)) is not None:
            return node
        entry = self.db[text]
        mover, moves = self.db.game.players.index(entry.to_move), entry.moves_by_action
        hurries = hurrier(entry.value, ENDLESS[self.db.endless]) == mover
        safe = (move for move in moves if move.best or (move.value == entry.value and not hurries))
        shares = zip(chances(moves, self.tremble), moves, strict=True)
        replies = tuple((chance, move.position, move.value) for chance, move in shares)
        node = self._nodes[text] = _Node(mover, entry.value, replies, tuple(move.position for move in safe))
        return node


def chances(moves: Sequence[Move], tremble: float) -> list[float]:
    """The probability of each of all `moves` in a position, for the trembling opponent."""
    count, best = len(moves), sum(move.best for move in moves)
    any_move, best_move = tremble / max(1, count), (1 - tremble) / max(1, best)
    return [any_move + move.best * best_move for move in moves]


def _followed(side: int, node: _Node) -> Iterator[tuple[str, int]]:
    if node.mover == side:
        return ((child, node.value) for child in node.safe)
    return ((child, value) for _, child, value in node.replies)


def ranking_as_dict(db: Database, entry: Entry, ranking: Ranking) -> dict[str, Any]:
    """The entry as printed by `query --json --rank`: the moves, with their statistics, in ranking order."""
    answer = entry_as_dict(db, entry)
    moves = {move["move"]: move for move in answer["moves"]}
    answer["moves"] = [
        {
            **moves[prospect.move.move],
            "replies": prospect.replies,
            "errors": prospect.errors,
            "expected": round(prospect.expected, 6) + 0.0,  # not -0.0
        }
        for prospect in ranking.prospects
    ]
    answer["ranking"] = {"tremble": ranking.tremble, "plies": ranking.plies, "whole": ranking.whole}
    return answer


def ranking_in_words(db: Database, entry: Entry, ranking: Ranking) -> str:
    """The entry as printed by `query --rank`: the moves in ranking order, and the method of the ranking."""
    errors, expected = dict[str | int, str](), dict[str | int, str]()
    for move, replies, number, mean in ranking.prospects:
        errors[move.move] = f"{number} of {replies}" if replies else "-"
        expected[move.move] = f"{mean + 0.0:.4f}"
    moves = (prospect.move for prospect in ranking.prospects)
    shown = describe(db, entry, moves, errors=errors, expected=expected)
    return f"{shown}\n\n{_how(ranking)}" if errors else shown


def _how(ranking: Ranking) -> str:
    method = f"expected: against an opponent who plays any move with probability {ranking.tremble:g}"
    if ranking.whole:
        return method
    return (
        f"{method} in the {in_plies(ranking.plies)} after a move, then best moves\n"
        f"(looking further takes more than {MAX_POSITIONS:,} positions or {MAX_PLIES} plies)"
    )
