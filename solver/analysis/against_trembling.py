"""What a player without chance is expected to get from an opponent whose hand trembles (`players.trembling`).

expected(state)  =  the utility for the player           the game is over
                    expected(child of its choice)        the player is to move
                    the mean of expected(child)          the opponent is to move
"""

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import NamedTuple, TypeAlias

from solver.database import Database
from solver.errors import Unsolved
from solver.game import sign_for
from solver.players.trembling import TREMBLE, chances

MOST_MET = 20_000
"""Positions beyond those that the mean is of whose moves are looked up."""

Choose: TypeAlias = Callable[[str], str | None]
"""The position after the player's choice in a position; None if the player fails, and so loses."""

Branch: TypeAlias = tuple[float, str]
"""A position that may come next, with its chance."""


class Expectation(NamedTuple):
    """What a player gets in the mean of some positions, each for the player who is to move there."""

    expected: float
    """The expected utility against an opponent whose hand trembles."""
    value: float
    """The minimax value."""


def against_trembling(db: Database, positions: Sequence[str], choose: Choose) -> Expectation:
    """The expectation over some positions, at least one, in which play goes on.

    Raises `Unsolved` if too many others can arise, or if play can return to one, and what `choose` raises.
    """
    sides = [_Side(db, side, choose, len(positions) + MOST_MET) for side in (0, 1)]
    expected, values = list[float](), list[int]()
    for text in positions:
        entry = db[text]
        side = db.game.players.index(entry.to_move)
        expected.append(sides[side].expected(text))
        values.append(sign_for(side) * entry.value)
    return Expectation(fmean(expected), fmean(values))


class _Side:
    """Expected utilities of the player as one side."""

    def __init__(self, db: Database, side: int, choose: Choose, most: int) -> None:
        self._db, self._side, self._choose, self._most = db, side, choose, most
        self._found: dict[str, float] = {}

    def expected(self, root: str) -> float:
        """The expected utility from a position; raises `Unsolved`."""
        todo, met = [root], dict[str, list[Branch]]()
        while todo:
            text = todo[-1]
            if text in self._found:
                todo.pop()
            elif text not in met:
                if len(self._found) + len(met) > self._most:
                    raise Unsolved(f"more than {self._most:,} positions can arise")
                met[text] = list(self._branches(text))
                todo += [child for _, child in met[text] if child not in self._found]
            elif all(child in self._found for _, child in met[text]):
                self._found[text] = sum(chance * self._found[child] for chance, child in met[text])
            else:  # the children were met before it came back here
                raise Unsolved(f"play can return to {text!r}")
        return self._found[root]

    def _branches(self, text: str) -> Iterator[Branch]:
        """The positions that may come next; none where the utility is known, which is kept then."""
        entry = self._db[text]
        if not entry.moves:
            self._found[text] = sign_for(self._side) * entry.value
        elif self._db.game.players.index(entry.to_move) != self._side:
            best = [move.best for move in entry.moves_by_action]
            children = [move.position for move in entry.moves_by_action]
            yield from zip(chances(best, TREMBLE), children, strict=True)
        elif (child := self._choose(text)) is not None:
            yield 1.0, child
        else:
            self._found[text] = -1  # as in matches
