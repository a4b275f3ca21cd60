"""A game as a nondeterministic problem for one player: an action's results are the states after replies."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from graphlib import CycleError, TopologicalSorter
from typing import Any

from solver.game import AnyGame, outcome_sign, sign_for
from solver.rules.asking import actions_of, is_over, mover_of, utility_of
from solver.rules.notation import write_action, write_position
from solver.search.and_or.cyclic import cyclic_plan, distances
from solver.search.and_or.problem import Problem, nested_plan
from solver.search.and_or.search import and_or_search
from solver.search.interface import DEFAULTS, SearchResult, Settings
from solver.search.tree import NodeBudget


class Endless(Enum):
    """The result of an action after which the other player can move for ever without the owner's turn."""

    ENDLESS = "endless"


@dataclass(frozen=True)
class GameProblem(Problem):
    """The problem of reaching a goal from a state of a game, whatever the other player replies.

    Its states are those in which the owner is to move or the game is over. If the other player moves first,
    the owner's first action is None, which means to wait.
    """

    game: AnyGame
    initial: Hashable
    """The state in which play begins."""
    owner: int
    """The player who pursues the goal: 0 or 1."""
    goal: str
    """`win` or `draw`; a win also achieves the goal `draw`."""
    endless_value: int = 0
    """The utility of endless play, for the first player."""
    fair: bool = False
    """Whether the other player, in a state that recurs for ever, makes each legal move for ever.

    Such a player can keep moving without the owner's turn only where no line of play leads out.
    """

    def actions(self, state: Any) -> Sequence[Any]:
        """The owner's actions; only None where the other player moves first."""
        if state is Endless.ENDLESS:
            return ()
        actions = actions_of(self.game, state)
        return actions if not actions or mover_of(self.game, state) == self.owner else (None,)

    def results(self, state: Any, action: Any) -> Sequence[Any]:
        """The states after `action` and the other's replies, in the order of the game's actions."""
        results: dict[Any, None] = {}
        waiting: dict[Any, list[Any]] = {}
        queue = [state if action is None else self.game.result(state, action)]
        for after in queue:
            if mover_of(self.game, after) == self.owner or is_over(self.game, after):
                results[after] = None
            elif after not in waiting:
                waiting[after] = [self.game.result(after, reply) for reply in actions_of(self.game, after)]
                queue.extend(waiting[after])
        stays = _has_cycle(waiting)
        if stays and self.fair:
            stays = not waiting.keys() <= distances(waiting, results).keys()
        return [*results, Endless.ENDLESS] if stays else list(results)

    def is_goal(self, state: Any) -> bool:
        """Whether `state` is terminal, or endless play, and its outcome reaches the goal."""
        is_end = state is Endless.ENDLESS or is_over(self.game, state)
        return is_end and self._gain(state) >= (1 if self.goal == "win" else 0)

    def after(self, state: Any, action: Any) -> Any:
        """The state after the owner's `action`, before the other player replies."""
        return state if action is None else self.game.result(state, action)

    def ends_at_once(self, state: Any, action: Any) -> bool:
        """Whether the owner's `action` ends the game."""
        return action is not None and is_over(self.game, self.game.result(state, action))

    def leaf(self, state: Any) -> str:
        """The outcome for the owner: `win` or `draw`."""
        return "win" if self._gain(state) else "draw"

    def state_name(self, state: Any) -> str:
        """The position, or `endless`."""
        return "endless" if state is Endless.ENDLESS else write_position(self.game, state)

    def action_name(self, action: Any) -> str | int:
        """The name of the action; `wait` for None."""
        return "wait" if action is None else write_action(self.game, action)

    def _gain(self, state: Any) -> int:
        """The sign of the utility of a terminal state, or of endless play, for the owner."""
        utility = self.endless_value if state is Endless.ENDLESS else utility_of(self.game, state)
        return outcome_sign(sign_for(self.owner) * utility)


def and_or(
    game: AnyGame, state: Hashable, settings: Settings = DEFAULTS, *, retry: bool = False
) -> SearchResult:
    """The first action of a plan for the owner, and the plan as a nested list.

    Where the other player moves first, the plan consists of its branches only. If there is no plan, `action`
    and `plan` are None. With `retry`, if no plan succeeds against every reply, one is sought that succeeds if
    the other player is fair (`GameProblem.fair`), and so with probability 1 if the other player moves at
    random. Raises `TooLarge` after `most_nodes` nodes.
    """
    player = mover_of(game, state) if settings.owner is None else settings.owner
    budget, recorder = NodeBudget(settings.most_nodes), settings.recorder
    for wanted in [settings.goal] if settings.goal else ["win", "draw"]:
        problem = GameProblem(game, state, player, wanted, settings.endless_value)
        recorder.begin(f"a {wanted}", player)
        cycle_succeeds = problem.is_goal(Endless.ENDLESS)
        choices = and_or_search(problem, cycle_succeeds=cycle_succeeds, budget=budget, recorder=recorder)
        if choices is None and retry and not cycle_succeeds:
            problem = replace(problem, fair=True)
            choices = cyclic_plan(problem, budget=budget, recorder=recorder)
        if choices is not None:
            cyclic = (cycle_succeeds or problem.fair) and _has_cycle(
                {node: problem.results(node, action) for node, action in choices.items()}
            )
            plan = nested_plan(problem, choices, cyclic=cyclic)
            waits = bool(choices) and choices[state] is None
            action = None if waits or not choices else choices[state]
            return SearchResult(action, None, nodes=budget.nodes, plan=plan[1] if waits else plan)
    return SearchResult(None, None, nodes=budget.nodes)


def _has_cycle(graph: dict[Any, list[Any]] | dict[Any, Sequence[Any]]) -> bool:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False
