"""The smallest merged plan, in which each position counts once: search, then proof, by an exact solver.

Each move at the root makes a branch; of symmetric moves only the first. All branches are searched for small
plans; then each is proved to have none smaller than the best found. Separate proofs take a small fraction of
the time of a single one. The work is divided in fixed shares.
"""

from dataclasses import dataclass, field

from solver.game import AnyGame
from solver.plans.selection.and_or_graph import AndOrGraph
from solver.plans.selection.cp_sat import PlanProblem, solve_model
from solver.plans.selection.cycles import Components, acyclic_subgraph, components
from solver.plans.selection.local_search import small_choice
from solver.plans.selection.smallest_tree import smallest_trees
from solver.plans.selection.symmetry_breaking import automorphisms, distinct_edges, implications

SEARCH_SHARE = 0.3
"""The share of the work for the search; what it leaves is added to the proof's."""


def small_merged(graph: AndOrGraph, *, must_end: bool) -> AndOrGraph:
    """Return a small plan, found by local search; with `must_end`, one without cycles."""
    subgraph = acyclic_subgraph(graph) if must_end else graph
    return subgraph.chosen(small_choice(subgraph))


def smallest_merged(
    game: AnyGame, graph: AndOrGraph, *, must_end: bool, work: float
) -> tuple[AndOrGraph, int]:
    """Return the smallest plan found within `work`, and a lower bound on the nodes of every plan.

    With `must_end`, plans with cycles are excluded. Raises `MissingExtra` without OR-Tools.
    """
    best, branches = small_merged(graph, must_end=must_end), _branches(game, graph, must_end)
    left = 0.0
    for part, look in ((SEARCH_SHARE, _search), (1 - SEARCH_SHARE, _prove)):
        left += part * work
        still_open = [branch for branch in branches if branch.lower_bound < len(best)]
        for number, branch in enumerate(still_open):
            found, spent = look(game, branch, len(best), left / (len(still_open) - number))
            best = min(best, found or best, key=len)
            left = max(0.0, left - spent)
    return best, min(len(best), *(branch.lower_bound for branch in branches))


@dataclass
class _Branch:
    """The graph below one move at the root, with the best bound proved for it."""

    graph: AndOrGraph
    must_end: bool
    cycles: Components = field(init=False)
    lower_bound: int = 1

    def __post_init__(self) -> None:
        self.cycles = components(self.graph) if self.must_end else (None,) * len(self.graph)


def _branches(game: AnyGame, graph: AndOrGraph, must_end: bool) -> list[_Branch]:
    """Return a branch for each distinct move at the root, or the whole graph if there is no choice."""
    if not graph.has_choice(0):
        return [_Branch(graph, must_end)]
    first = distinct_edges(automorphisms(game, graph), graph, 0)
    parts = [graph.restricted([(graph.edges[0][number],), *graph.edges[1:]]) for number in first]
    return [_Branch(part, must_end) for part in parts if not must_end or 0 in smallest_trees(part)]


def _search(game: AnyGame, branch: _Branch, best: int, work: float) -> tuple[AndOrGraph, float]:
    """Return a small plan in `branch`, and the work spent."""
    start = small_merged(branch.graph, must_end=branch.must_end)
    number = {position: node for node, position in enumerate(branch.graph.positions)}
    nodes = [number[position] for position in start.positions]
    found, spent = _solve(branch, PlanProblem(branch.graph, branch.cycles, work, start=nodes))
    return min(start, found or start, key=len), spent


def _prove(game: AnyGame, branch: _Branch, best: int, work: float) -> tuple[AndOrGraph | None, float]:
    """Return a plan in `branch` with less than `best` nodes, if one is found, and the work spent."""
    pairs = tuple(implications(automorphisms(game, branch.graph), branch.graph))
    return _solve(
        branch, PlanProblem(branch.graph, branch.cycles, work, upper_bound=best - 1, implications=pairs)
    )


def _solve(branch: _Branch, problem: PlanProblem) -> tuple[AndOrGraph | None, float]:
    """Return the plan found, if any, and the work spent; raises the bound of `branch`."""
    solution = solve_model(problem)
    branch.lower_bound = max(branch.lower_bound, solution.lower_bound)
    found = None if solution.choice is None else branch.graph.chosen(solution.choice)
    return found, solution.work
