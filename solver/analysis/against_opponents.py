"""The result of a deterministic player against the best response, and against a trembling opponent.

With the moves of one side fixed, retrograde analysis finds the best response of the other side. Against an
opponent whose hand trembles (`players.trembling`), the result is an expectation:

expected(state)  =  the utility for the player           if the game is over
                    expected(child of its choice)        if the player is to move
                    the mean of expected(child)          if the opponent is to move
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias

from solver.database import Database
from solver.engines.graph_states import Graph, explore, label
from solver.engines.states import Successors, successors
from solver.errors import TooLarge, Unsolved
from solver.game import FIRST, SECOND, AnyGame, outcome_of, sign_for
from solver.players import Player
from solver.players.match import Forfeit, Opponent, choose
from solver.players.trembling import TREMBLE, chances
from solver.rules.notation import read_position, write_action

MAX_STATES_PLAYED = 200_000
"""The most states that may arise; with more, the exact result is not computed."""


@dataclass(frozen=True)
class WorstCase:
    """The result of a player as one side, against the best response to it."""

    side: int
    """The side of the player: 0 or 1."""
    utility: int
    """The utility, for the first player."""
    ends: bool
    """Whether the line ends in a terminal state; otherwise play is endless."""
    line: tuple[str | int, ...]
    """The moves of both sides, by name, up to the end or the first position that recurs."""
    failure: str | None
    """The player's failure at the end of the line, if that is why it loses."""
    margin: int | None = None
    """The margin of the winner; None in a game without margins."""

    @property
    def outcome(self) -> str:
        """`win`, `draw` or `loss` for the player."""
        return outcome_of(self.utility, self.side)


def worst_case(
    game: AnyGame, name: str, player: Player, side: int, start: str, endless: str = "draw"
) -> WorstCase:
    """The result of a deterministic player as `side` from the position `start`, against the best response.

    `endless` says whom endless play counts for. Raises `Unsolved` if too many positions can arise, and
    `BrokenRules`.
    """
    opponent, root, failures = Opponent(name, player), read_position(game, start), dict[Any, str]()

    def ask(state: Any) -> Successors:
        """The successors of a state, by the player's choice where it is to move; if it fails, it loses."""
        mover, moves, utility = successors(game, state, fold=False)
        if not moves or mover != side:
            return Successors(mover, moves, utility)
        try:
            action = choose(game, state, opponent, Random(0))
        except Forfeit as forfeit:
            failures[state] = str(forfeit)
            return Successors(mover, (), -sign_for(side))
        return Successors(mover, tuple(move for move in moves if move[0] == action), None)

    try:
        graph = explore(game, [root], at_most=MAX_STATES_PLAYED, ask=ask)
    except TooLarge:
        raise Unsolved(f"more than some {MAX_STATES_PLAYED:,} positions can arise against {name}") from None
    label(graph, endless)
    states, line = _line(graph, root)
    names = tuple(write_action(game, action) for action in line)
    ends = "utility" in graph.nodes[states[-1]]
    failure = failures.get(states[-1])
    return WorstCase(side, graph.nodes[root]["value"], ends, names, failure)


def worst_cases(db: Database, name: str, player: Player) -> tuple[WorstCase, WorstCase] | None:
    """The worst cases of the player as first and as second side; None if too many positions can arise."""
    try:
        cases = [worst_case(db.game, name, player, side, db.start, db.endless) for side in (FIRST, SECOND)]
    except Unsolved:
        return None
    first, second = (replace(worst, margin=db.margin(worst.utility)) for worst in cases)
    return first, second


def _line(graph: Graph, root: Any) -> tuple[list[Any], list[Any]]:
    """The states and the actions of best play from `root` to the end or the first state that recurs."""
    states, line, met = [root], list[Any](), {root}
    while best := graph.nodes[states[-1]]["best"]:
        line.append(best[0])
        states.append(dict(graph.nodes[states[-1]]["moves"])[best[0]])
        if states[-1] in met:
            break
        met.add(states[-1])
    return states, line


MAX_MET = 20_000
"""The most positions that are looked up in addition to those averaged over."""

Choose: TypeAlias = Callable[[str], str | None]
"""From a position to the position after the player's choice; None if the player fails, and so loses."""


class Expectation(NamedTuple):
    """Means over positions of utilities for the player to move there."""

    expected: float
    """The mean expected utility against an opponent whose hand trembles."""
    value: float
    """The mean minimax value."""


def against_trembling(db: Database, positions: Sequence[str], choose: Choose) -> Expectation:
    """The expectation over non-terminal positions, of which there is at least one.

    Raises `Unsolved` if too many other positions can arise or play can return to a position, and what
    `choose` raises.
    """
    sides = [_Side(db, side, choose, len(positions) + MAX_MET) for side in (0, 1)]
    expected, values = list[float](), list[int]()
    for text in positions:
        entry = db[text]
        side = db.game.players.index(entry.to_move)
        expected.append(sides[side].expected(text))
        values.append(sign_for(side) * entry.value)
    return Expectation(fmean(expected), fmean(values))


class _Side:
    def __init__(self, db: Database, side: int, choose: Choose, most: int) -> None:
        self._db, self._side, self._choose, self._most = db, side, choose, most
        self._expected: dict[str, float] = {}
        self._looked_up = 0

    def expected(self, root: str) -> float:
        """The expected utility from a position; raises `Unsolved`."""
        stack, met = [root], dict[str, list[tuple[float, str]]]()
        while stack:
            text = stack[-1]
            if text in self._expected:
                stack.pop()
            elif text not in met:
                if self._looked_up == self._most:
                    raise Unsolved(f"more than {self._most:,} positions can arise")
                self._looked_up += 1
                met[text] = list(self._branches(text))
                stack += [child for _, child in met[text] if child not in self._expected]
            elif all(child in self._expected for _, child in met[text]):
                self._expected[text] = sum(chance * self._expected[child] for chance, child in met[text])
            else:  # a child depends on this position
                raise Unsolved(f"play can return to {text!r}")
        return self._expected[root]

    def _branches(self, text: str) -> Iterator[tuple[float, str]]:
        """The chances and the next positions; none where the utility is known, which is stored."""
        entry = self._db[text]
        if not entry.moves:
            self._expected[text] = sign_for(self._side) * entry.value
        elif self._db.game.players.index(entry.to_move) != self._side:
            children = [move.position for move in entry.moves_by_action]
            yield from zip(chances(entry.moves_by_action, TREMBLE), children, strict=True)
        elif (child := self._choose(text)) is not None:
            yield 1.0, child
        else:
            self._expected[text] = -1  # as in matches
