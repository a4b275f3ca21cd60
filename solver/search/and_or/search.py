"""AND-OR graph search: a plan that reaches the goal whatever the results of its actions turn out to be.

It is the textbook's depth-first search with a cycle check, but what it learns about a state it keeps. To meet
a state again on its own path counts as failure (or, on request, as success: going round for ever is then as
good as the goal). A verdict that rests on such a cycle holds only as long as the states on the path that it
rests on are undecided, and until then it is a doubt:

- when the first of those states gets the same verdict, without resting on a still earlier one, the doubts are
  settled: whatever could be done in any of them leads to another of them;
- when it gets the other verdict, they are dropped and these states are searched again if they turn up.

So each state gets its final verdict after at most polynomially many visits, where the plain search may need
exponentially many. The opposite verdict is certain at once.

Sources: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, figure 4.11; to settle
doubts by the first step they rest on follows R. Tarjan, "Depth-first search and linear graph algorithms",
SIAM Journal on Computing 1(2), 1972.
"""

from bisect import bisect_right
from collections.abc import Hashable
from math import inf
from typing import Any, Literal, TypeAlias

from solver.search.and_or.cyclic import cyclic_plan
from solver.search.and_or.problem import Problem
from solver.search.tree import Coroutine, NodeBudget, run_trampoline

Cycles: TypeAlias = Literal["fail", "retry", "succeed"]
"""What to make of a cycle: it fails; one may go round it, trusting to luck; or it is as good as the goal."""


def and_or_search(
    problem: Problem[Any, Any], *, cycles: Cycles = "fail", budget: NodeBudget | None = None
) -> dict[Any, Any] | None:
    """The action to take in each state of a plan that surely reaches the goal; None if there is no such plan.

    Actions are tried in order, and the first that works is taken. When `cycles` fail, the plan is free of
    them; to `retry` is to do with `cyclic_plan` where no such plan exists. `budget` counts visits to states.
    """
    budget = budget or NodeBudget()
    choices = _search(problem, cycles == "succeed", budget)
    return cyclic_plan(problem, budget=budget) if choices is None and cycles == "retry" else choices


def _search(problem: Problem[Any, Any], cycle_succeeds: bool, budget: NodeBudget) -> dict[Any, Any] | None:
    """The choices of a plan; on a cycle it succeeds or fails as told."""
    settled: dict[Hashable, bool] = {}
    unsettled, path = UnsettledStates(), dict[Hashable, int]()
    chosen: dict[Hashable, Any] = {}
    failed: dict[Hashable, int] = {}

    def search(state: Hashable) -> Coroutine[tuple[bool, float]]:
        """Whether a plan exists for `state`, and the first step of the path on which that verdict rests."""
        if state in settled:
            return settled[state], inf
        if state in path:
            return cycle_succeeds, path[state]
        if state in unsettled:
            return cycle_succeeds, unsettled.depends_on_depth(state)
        budget.spend()
        if problem.is_goal(state):
            settled[state] = True
            return True, inf
        own_depth, stack_height = len(path), len(unsettled)
        path[state] = own_depth
        verdict, depth = False, inf
        for action in problem.actions(state)[failed.get(state, 0) :]:
            verdict, its_depth = yield succeed(problem.results(state, action))
            if verdict is cycle_succeeds:
                depth = min(depth, its_depth)
            else:
                unsettled.drop(stack_height)
                depth = inf
            if verdict:
                chosen[state] = action
                break
            if cycle_succeeds:  # then failures are certain, and not worth a second attempt
                failed[state] = failed.get(state, 0) + 1
        del path[state]
        if verdict is cycle_succeeds and depth < own_depth:
            unsettled.add(state, stack_height, depth)
            return verdict, depth
        settled[state] = verdict
        settled.update(dict.fromkeys(unsettled.drop(stack_height), verdict))
        return verdict, inf

    def succeed(states: Any) -> Coroutine[tuple[bool, float]]:
        """Whether a plan exists for every one of `states`, and the first step on which that rests."""
        depth = inf
        for state in states:
            verdict, its_depth = yield search(state)
            if not verdict:
                return False, its_depth
            depth = min(depth, its_depth)
        return True, depth

    solved, _ = run_trampoline(search(problem.initial))
    return _followed(problem, chosen) if solved else None


class UnsettledStates:
    """The states whose verdict rests on a step of the path, in the order in which they were left.

    Neighbours with a common fate form a stretch, which has one step to rest on.
    """

    def __init__(self) -> None:
        """Begin with no doubt."""
        self._places: dict[Hashable, int] = {}
        self._starts: list[int] = []
        self._rests: list[float] = []

    def __len__(self) -> int:
        """How many doubts there are."""
        return len(self._places)

    def __contains__(self, state: Hashable) -> bool:
        """Whether the verdict on `state` is in doubt."""
        return state in self._places

    def depends_on_depth(self, state: Hashable) -> float:
        """The first step of the path on which the verdict on `state` rests."""
        return self._rests[bisect_right(self._starts, self._places[state]) - 1]

    def add(self, state: Hashable, stack_height: int, depth: float) -> None:
        """Doubt `state`, left last; let it and all doubts from number `stack_height` on rest on that step."""
        self._places[state] = len(self._places)
        self._cut(stack_height)
        self._starts.append(stack_height)
        self._rests.append(depth)

    def drop(self, stack_height: int) -> list[Hashable]:
        """The doubts from number `stack_height` on, which are doubts no longer."""
        self._cut(stack_height)
        return [self._places.popitem()[0] for _ in range(len(self._places) - stack_height)]

    def _cut(self, stack_height: int) -> None:
        while self._starts and self._starts[-1] >= stack_height:
            self._starts.pop()
            self._rests.pop()


def _followed(problem: Problem[Any, Any], chosen: dict[Hashable, Any]) -> dict[Any, Any]:
    """The choices in the states that can be reached by following them, breadth first."""
    reached = dict.fromkeys([problem.initial])
    queue = list(reached)
    for state in queue:
        if not problem.is_goal(state):
            new = [each for each in problem.results(state, chosen[state]) if each not in reached]
            reached.update(dict.fromkeys(new))
            queue.extend(dict.fromkeys(new))
    return {state: chosen[state] for state in reached if not problem.is_goal(state)}
