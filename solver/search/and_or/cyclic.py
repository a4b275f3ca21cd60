"""Strong cyclic plans: an action that fails may be tried again, as long as the goal stays reachable.

A policy is a strong cyclic plan if the goal is reachable from every state that it can reach. The algorithm
deletes states from which no goal is reachable, and actions that can lead to them, until nothing changes.

Source: A. Cimatti, M. Pistore, M. Roveri, P. Traverso, "Weak, strong, and strong cyclic planning via symbolic
model checking", Artificial Intelligence 147, 2003; Russell and Norvig, *Artificial Intelligence: A Modern
Approach*, 4th edition, section 4.3.3.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from itertools import chain
from typing import Any, TypeAlias

from solver.search.and_or.problem import Problem
from solver.search.recorder import UNRECORDED, SearchRecorder
from solver.search.trace import Visit
from solver.search.tree import Coroutine, NodeBudget, run_trampoline

Options: TypeAlias = dict[Any, dict[Any, tuple[Any, ...]]]
"""For each state, the actions that are not deleted, in order, with their results; a goal has none."""


def cyclic_plan(
    problem: Problem, *, budget: NodeBudget | None = None, recorder: SearchRecorder = UNRECORDED
) -> dict[Any, Any] | None:
    """The action for each state of a strong cyclic plan, in breadth-first order; None if there is no plan.

    It is the first action with a result nearer to the goal. `budget` counts states.
    """
    explored = options = _explore(problem, budget or NodeBudget())
    while True:
        children = {state: [*chain.from_iterable(actions.values())] for state, actions in options.items()}
        distance = distances(children, filter(problem.is_goal, options))
        allowed = {
            state: {
                action: results
                for action, results in actions.items()
                if all(result in distance for result in results)
            }
            for state, actions in options.items()
            if state in distance
        }
        if allowed == options or problem.initial not in allowed:
            break
        options = allowed
    choices = None
    if problem.initial in allowed:
        nearest = {state: _nearest(actions, distance) for state, actions in allowed.items() if actions}
        choices = problem.followed(nearest)
    _record(recorder, problem, explored, allowed, choices or {})
    return choices


def _record(
    recorder: SearchRecorder, problem: Problem, options: Options, allowed: Options, choices: dict[Any, Any]
) -> None:
    """Record every explored state once, with its actions, and which states and actions were not deleted."""
    met: set[Hashable] = set()

    def record(state: Any) -> Coroutine[None]:
        if state in met:
            recorder.treated(Visit.REPEATED)
            return
        met.add(state)
        for action, results in options[state].items():
            recorder.act(problem, state, action)
            for result in results:
                recorder.enter(result)
                yield record(result)
                recorder.judge(result in allowed, choices.get(result))
            recorder.judge(action in allowed.get(state, ()))

    recorder.enter(problem.initial)
    run_trampoline(record(problem.initial))
    recorder.judge(problem.initial in allowed, choices.get(problem.initial))


def _explore(problem: Problem, budget: NodeBudget) -> Options:
    """The states reachable from the initial one, with all actions and results."""
    options, queue = Options(), [problem.initial]
    for state in queue:  # which grows
        if state not in options:
            budget.spend()
            actions = () if problem.is_goal(state) else problem.actions(state)
            options[state] = {action: tuple(problem.results(state, action)) for action in actions}
            queue += chain.from_iterable(options[state].values())
    return options


def distances(children: Mapping[Any, Iterable[Any]], goals: Iterable[Any]) -> dict[Any, int]:
    """The fewest steps to a goal, from each state that can reach one, given the `children` of states."""
    before = defaultdict(list)
    for state, results in children.items():
        for result in results:
            before[result].append(state)
    distance = dict.fromkeys(goals, 0)
    queue = list(distance)
    for state in queue:  # which grows
        for earlier in before[state]:
            if earlier not in distance:
                distance[earlier] = distance[state] + 1
                queue.append(earlier)
    return distance


def _nearest(actions: dict[Any, tuple[Any, ...]], distance: dict[Hashable, int]) -> Any:
    """The first action with a result as near to a goal as any."""
    return min(actions, key=lambda action: min(distance[result] for result in actions[action]))
