"""A player whose choices are fixed leaves its opponent a game for one, which can be solved exactly."""

from dataclasses import dataclass
from random import Random
from typing import Any

from solver.engines.graph.reachable import Graph, explore
from solver.engines.graph.retrograde import best_actions, label
from solver.errors import TooLarge, Unsolved
from solver.game import AnyGame, Game, outcome_of, sign_for
from solver.players import Player
from solver.players.match import Forfeit, Opponent, choose
from solver.players.oracle import limit
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.rules.notation import read_position, write_action

MOST_STATES_PLAYED = 200_000
"""How many positions may arise, about, before an exact result is given up."""


@dataclass(frozen=True)
class WorstCase:
    """The least that a player gets as one of the sides, against an opponent who knows what it will do."""

    side: int
    """The side that the player has: 0 or 1."""
    utility: int
    """What the game ends with, for the first player."""
    ends: bool
    """Whether play comes to an end; otherwise it goes round for ever."""
    line: tuple[str | int, ...]
    """The moves of both, by name, that lead there, up to the first position that recurs."""
    states: int
    """How many states can arise."""
    failure: str | None
    """What the player does wrong at the end of the line, when it loses by that."""

    @property
    def outcome(self) -> str:
        """`win`, `draw` or `loss` for the player whose worst case it is."""
        return outcome_of(self.utility, self.side)


class AgainstFixedPlayer(Game[Any, Any]):
    """A game in which one side has no choice but to do what a player does. A player who fails has lost."""

    def __init__(self, game: AnyGame, fixed: Opponent, side: int) -> None:
        """Let `fixed` decide for `side`."""
        self.game, self.fixed, self.side = game, fixed, side
        self.failures: dict[Any, str] = {}

    @property
    def initial(self) -> Any:
        """The initial state of the game itself."""
        return self.game.initial

    def to_move(self, state: Any) -> int:
        """The side to move."""
        return mover_of(self.game, state)

    def actions(self, state: Any) -> tuple[Any, ...]:
        """The player's one choice, or everything that its opponent can do."""
        actions = tuple(actions_of(self.game, state))
        if not actions or mover_of(self.game, state) != self.side:
            return actions
        try:
            return (choose(self.game, state, self.fixed, Random(0)),)
        except Forfeit as forfeit:
            self.failures[state] = str(forfeit)
            return ()

    def result(self, state: Any, action: Any) -> Any:
        """The state after `action`."""
        return self.game.result(state, action)

    def utility(self, state: Any) -> int:
        """What the end is worth to the first player."""
        if state in self.failures:
            return -sign_for(self.side)
        return utility_of(self.game, state)


def worst_case(
    game: AnyGame, name: str, player: Player, side: int, start: str, endless: str = "draw"
) -> WorstCase:
    """What a deterministic player gets as `side` from the position `start` when its opponent does its best.

    `endless` is who gets play that never ends. Raises `Unsolved` when too many positions can arise, and
    `BrokenRules`.
    """
    reduced, root = AgainstFixedPlayer(game, Opponent(name, player), side), read_position(game, start)
    try:
        graph = explore(reduced, [root], progress=limit(MOST_STATES_PLAYED))
    except TooLarge:
        raise Unsolved(f"more than some {MOST_STATES_PLAYED:,} positions can arise against {name}") from None
    label(graph, endless)
    states, line = _line(graph, root)
    names = tuple(write_action(game, action) for action in line)
    ends = "utility" in graph.nodes[states[-1]]
    failure = reduced.failures.get(states[-1])
    return WorstCase(side, graph.nodes[root]["value"], ends, names, len(graph), failure)


def _line(graph: Graph, root: Any) -> tuple[list[Any], list[Any]]:
    """Best play from `root` on: the states, and the actions between them, until an end or a recurrence."""
    states, line, met = [root], list[Any](), {root}
    while best := best_actions(graph, states[-1]):
        line.append(best[0])
        states.append(dict(graph.nodes[states[-1]]["moves"])[best[0]])
        if states[-1] in met:
            break
        met.add(states[-1])
    return states, line
