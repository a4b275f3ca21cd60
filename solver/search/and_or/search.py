"""AND-OR graph search of a nondeterministic problem: a plan that reaches the goal whatever the results.

It is the textbook's depth-first search with a cycle check, but it remembers the verdict on each state. A
state that recurs on its own path fails (or succeeds, if an endless cycle is as good as the goal). A verdict
that depends on such a cycle assumes the verdict on an open state of the path, so it is unsettled:

- if the shallowest state that it depends on gets the same verdict, and does not depend on a shallower one,
  all unsettled states below it are settled by that verdict, as their actions lead to one another;
- if that state gets the opposite verdict, they are forgotten, and searched again if they recur.

So each state is settled after polynomially many visits, where the plain search may need exponentially many. A
verdict that depends on no cycle is settled at once.

Sources: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, figure 4.11; settling
states by the least depth that they depend on follows R. Tarjan, "Depth-first search and linear graph
algorithms", SIAM Journal on Computing 1(2), 1972.
"""

from bisect import bisect_right
from collections.abc import Hashable
from math import inf
from typing import Any

from solver.search.and_or.problem import Problem
from solver.search.recorder import UNRECORDED, SearchRecorder
from solver.search.trace import Visit
from solver.search.tree import Coroutine, NodeBudget, run_trampoline


def and_or_search(
    problem: Problem,
    *,
    cycle_succeeds: bool = False,
    budget: NodeBudget | None = None,
    recorder: SearchRecorder = UNRECORDED,
) -> dict[Any, Any] | None:
    """The action for each state of a plan that reaches the goal; None if there is no such plan.

    It is the first action in order that succeeds. The plan is acyclic unless `cycle_succeeds`, which makes an
    endless cycle as good as the goal. `budget` counts visits to states.
    """
    budget = budget or NodeBudget()
    settled: dict[Hashable, bool] = {}
    unsettled, path = UnsettledStates(), dict[Hashable, int]()
    chosen: dict[Hashable, Any] = {}
    failed: dict[Hashable, int] = {}

    def search(state: Hashable) -> Coroutine[tuple[bool, float]]:
        """Whether `state` has a plan, and the least depth of the path that the verdict depends on."""
        if state in settled:
            recorder.known()
            return settled[state], inf
        if state in path or state in unsettled:
            recorder.treated(Visit.REPEATED)
            return cycle_succeeds, path[state] if state in path else unsettled.depends_on_depth(state)
        budget.spend()
        if problem.is_goal(state):
            settled[state] = True
            return True, inf
        own_depth, stack_height = len(path), len(unsettled)
        path[state] = own_depth
        verdict, depth = False, inf
        actions = problem.actions(state)[failed.get(state, 0) :]
        for action in actions:
            recorder.act(problem, state, action)
            verdict, its_depth = yield succeed(problem.results(state, action))
            recorder.judge(verdict)
            if verdict is cycle_succeeds:
                depth = min(depth, its_depth)
            else:
                unsettled.drop(stack_height)
                depth = inf
            if verdict:
                chosen[state] = action
                recorder.cut((unseen, problem.after(state, unseen)) for unseen in actions)
                break
            if cycle_succeeds:  # then failures are settled, and the action need not be tried again
                failed[state] = failed.get(state, 0) + 1
        del path[state]
        if verdict is cycle_succeeds and depth < own_depth:
            unsettled.add(state, stack_height, depth)
            return verdict, depth
        settled[state] = verdict
        settled.update(dict.fromkeys(unsettled.drop(stack_height), verdict))
        return verdict, inf

    def succeed(states: Any) -> Coroutine[tuple[bool, float]]:
        """Whether all `states` have plans, and the least depth that the verdict depends on."""
        depth = inf
        for state in states:
            recorder.enter(state)
            verdict, its_depth = yield search(state)
            recorder.judge(verdict, chosen.get(state) if verdict else None)
            if not verdict:
                recorder.cut((None, unseen) for unseen in states)
                return False, its_depth
            depth = min(depth, its_depth)
        return True, depth

    recorder.enter(problem.initial)
    solved, _ = run_trampoline(search(problem.initial))
    recorder.judge(solved, chosen.get(problem.initial) if solved else None)
    return problem.followed(chosen) if solved else None


class UnsettledStates:
    """A stack of the states whose verdicts depend on an open state of the path, in the order of leaving them.

    Adjacent states that will be settled together form a segment, which depends on one depth.
    """

    def __init__(self) -> None:
        self._indices: dict[Hashable, int] = {}
        self._starts: list[int] = []
        self._depths: list[float] = []

    def __len__(self) -> int:
        """The height of the stack."""
        return len(self._indices)

    def __contains__(self, state: Hashable) -> bool:
        """Whether the verdict on `state` is unsettled."""
        return state in self._indices

    def depends_on_depth(self, state: Hashable) -> float:
        """The least depth of the path that the verdict on `state` depends on."""
        return self._depths[bisect_right(self._starts, self._indices[state]) - 1]

    def add(self, state: Hashable, stack_height: int, depth: float) -> None:
        """Push `state`, and merge the states from `stack_height` on into a segment depending on `depth`."""
        self._indices[state] = len(self._indices)
        self._cut(stack_height)
        self._starts.append(stack_height)
        self._depths.append(depth)

    def drop(self, stack_height: int) -> list[Hashable]:
        """Pop and return the states from `stack_height` on."""
        self._cut(stack_height)
        return [self._indices.popitem()[0] for _ in range(len(self._indices) - stack_height)]

    def _cut(self, stack_height: int) -> None:
        """Pop the segments that begin at or above `stack_height`."""
        while self._starts and self._starts[-1] >= stack_height:
            self._starts.pop()
            self._depths.pop()
