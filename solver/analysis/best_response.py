"""The exact best response to a deterministic player.

With one side's moves fixed, the game is a game for one, and is solved by retrograde analysis.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

from solver.engines.graph_states import Graph, explore, label
from solver.errors import TooLarge, Unsolved
from solver.game import AnyGame, Game, outcome_of, sign_for
from solver.players import Player
from solver.players.match import Forfeit, Opponent, choose
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.rules.notation import read_position, write_action

MOST_STATES_PLAYED = 200_000
"""States that may arise before the exact result is given up."""


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
    states: int
    """The number of states that can arise."""
    failure: str | None
    """The player's failure at the end of the line, if it loses by one."""
    margin: int | None = None
    """By how much the winner wins; None in a game that is not scored."""

    @property
    def outcome(self) -> str:
        """`win`, `draw` or `loss` for the player whose worst case it is."""
        return outcome_of(self.utility, self.side)


class AgainstFixedPlayer(Game[Any, Any]):
    """A game in which one side has a single action: a fixed player's choice. A player who fails has lost."""

    def __init__(self, game: AnyGame, fixed: Opponent, side: int) -> None:
        """Let `fixed` choose for `side`."""
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
        """The fixed player's choice alone, or all actions of its opponent."""
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
        """The utility for the first player."""
        if state in self.failures:
            return -sign_for(self.side)
        return utility_of(self.game, state)


def worst_case(
    game: AnyGame, name: str, player: Player, side: int, start: str, endless: str = "draw"
) -> WorstCase:
    """The result of a deterministic player as `side` from the position `start`, against the best response.

    `endless` is who gets endless play. Raises `Unsolved` if too many positions can arise, and `BrokenRules`.
    """
    reduced, root = AgainstFixedPlayer(game, Opponent(name, player), side), read_position(game, start)
    try:
        graph = explore(reduced, [root], at_most=MOST_STATES_PLAYED)
    except TooLarge:
        raise Unsolved(f"more than some {MOST_STATES_PLAYED:,} positions can arise against {name}") from None
    label(graph, endless)
    states, line = _line(graph, root)
    names = tuple(write_action(game, action) for action in line)
    ends = "utility" in graph.nodes[states[-1]]
    failure = reduced.failures.get(states[-1])
    return WorstCase(side, graph.nodes[root]["value"], ends, names, len(graph), failure)


def _line(graph: Graph, root: Any) -> tuple[list[Any], list[Any]]:
    """Best play from `root` to an end or a recurrence. Returns the states and the actions between them."""
    states, line, met = [root], list[Any](), {root}
    while best := graph.nodes[states[-1]]["best"]:
        line.append(best[0])
        states.append(dict(graph.nodes[states[-1]]["moves"])[best[0]])
        if states[-1] in met:
            break
        met.add(states[-1])
    return states, line
