"""Search problems whose actions may have several results, and their plans as nested lists (the textbook's).

    plan:      leaf  |  [action, branches]  |  [action, leaf]  |  ["goto", state]
    branches:  [["if", state, "then", plan], ...]      one for each result of the action

`[action, leaf]` is an action whose only result is a goal. `["goto", state]` occurs only in cyclic plans; it
refers to the plan for that state, which precedes it.

Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, section 4.3.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from solver.errors import TooLarge
from solver.search.tree import Coroutine, run_trampoline

MAX_BRANCHES = 2_000_000
"""The most branches of a plan that is written out."""

CLOSED = object()
"""The end of a list, which has no value of its own."""


class Problem(ABC):
    """A search problem in which an action may have several possible results (section 4.3.1)."""

    initial: Hashable
    """The initial state."""

    @abstractmethod
    def actions(self, state: Any) -> Sequence[Any]:
        """The actions in `state`, in the order in which they are tried; none in a dead end."""

    @abstractmethod
    def results(self, state: Any, action: Any) -> Sequence[Any]:
        """The distinct states that `action` may lead to, at least one, in a fixed order."""

    @abstractmethod
    def is_goal(self, state: Any) -> bool:
        """Whether `state` is a goal."""

    def after(self, state: Any, action: Any) -> Any:
        """The AND node that pictures show between an action and its results; by default the action."""
        return action

    def ends_at_once(self, state: Any, action: Any) -> bool:
        """Whether a goal is the only result of `action`, so that a plan need not branch on it."""
        results = self.results(state, action)
        return len(results) == 1 and self.is_goal(results[0])

    def leaf(self, state: Any) -> Any:
        """The leaf of a plan at a goal: the empty plan."""
        return []

    def state_name(self, state: Any) -> Any:
        """The name of `state` in a plan."""
        return state

    def action_name(self, action: Any) -> Any:
        """The name of `action` in a plan."""
        return action

    def followed(self, chosen: Mapping[Any, Any]) -> dict[Any, Any]:
        """The chosen action of each state that the choices can reach, in breadth-first order."""
        followed, queue = dict[Any, Any](), [self.initial]
        for state in queue:  # which grows
            if state not in followed and not self.is_goal(state):
                followed[state] = chosen[state]
                queue += self.results(state, chosen[state])
        return followed


def nested_plan(problem: Problem, choices: Mapping[Any, Any], *, cyclic: bool = False) -> Any:
    """The nested list of the plan that makes these `choices`, from the problem's initial state on.

    A state that recurs has the same list object again, or in a `cyclic` plan a "goto".
    """
    spelled: dict[Hashable, Any] = {}

    def spell(state: Any) -> Coroutine[Any]:
        if problem.is_goal(state):
            return problem.leaf(state)
        if state in spelled:
            return ["goto", problem.state_name(state)] if cyclic else spelled[state]
        action, results = choices[state], problem.results(state, choices[state])
        plan = spelled[state] = [problem.action_name(action)]
        if problem.ends_at_once(state, action):
            plan.append(problem.leaf(results[0]))
            return plan
        branches: list[Any] = []
        plan.append(branches)
        for result in results:
            then = yield spell(result)
            branches.append(["if", problem.state_name(result), "then", then])
        return plan

    return run_trampoline(spell(problem.initial))


def plan_text(plan: Any) -> str:
    """The JSON text of a nested plan; raises `TooLarge` if it has more than `MAX_BRANCHES` branches."""
    branches = run_trampoline(_branches(plan, {}))
    if branches > MAX_BRANCHES:
        raise TooLarge(
            f"this plan has {branches:,} branches when it is written out, and at most {MAX_BRANCHES:,} make "
            "sense: begin closer to the end, or solve the game and use `perfectplay plan`"
        )
    return "".join(tokens(plan))


def _branches(plan: Any, totals: dict[int, int]) -> Coroutine[int]:
    """The number of branches of a plan, counting a shared list wherever it occurs; `totals` is a cache."""
    if not isinstance(plan, list):
        return 1
    if id(plan) not in totals:
        total = 1
        for part in plan:
            total += yield _branches(part, totals)
        totals[id(plan)] = total
    return totals[id(plan)]


def tokens(plan: Any) -> Iterator[str]:
    """The JSON text of a nested list, in pieces, without recursion."""
    pending: list[tuple[str, Any]] = [("", plan)]  # the text before a part, and the part
    while pending:
        before, part = pending.pop()
        yield before
        if isinstance(part, list):
            yield "["
            pending.append(("]", CLOSED))
            pending.extend((", " if index else "", part[index]) for index in reversed(range(len(part))))
        elif part is not CLOSED:
            yield json.dumps(part, ensure_ascii=False)
