"""A small merged plan, fast, by local search: each position counts once, however many edges lead to it.

The search starts from the plan of the smallest tree and changes one choice at a time if that makes the plan
smaller, until no change does or the step limit is reached. It runs twice, from the ends up and from the root
down, and the smaller plan is taken. The plan counts the references to each node, so a change touches only the
nodes that it adds or removes.
"""

from dataclasses import dataclass, field
from functools import partial

from solver.plans.selection.and_or_graph import AndOrGraph, breadth_first
from solver.plans.selection.smallest_tree import smallest_trees, tree_choice

STEPS_PER_NODE = 200
"""Steps of one search per node of the graph."""


def small_choice(graph: AndOrGraph) -> list[int]:
    """For each node the number of an edge such that few nodes are reachable.

    In a graph with cycles the plan may be endless.
    """
    start = tree_choice(graph, smallest_trees(graph))
    plans = [_improved(_ReferenceCounts(graph, list(start)), step) for step in (-1, 1)]
    return min(plans, key=lambda plan: plan.size).choice


def _improved(plan: "_ReferenceCounts", step: int) -> "_ReferenceCounts":
    """The plan, made smaller in place; `step` is 1 to go from the root down, -1 from the ends up."""
    limit = STEPS_PER_NODE * len(plan.graph)
    improved = True
    while improved and plan.work < limit:
        improved = False
        for node in breadth_first(partial(successors, plan.graph, plan.choice))[::step]:
            if plan.graph.has_choice(node) and plan.references[node] and plan.work < limit:
                improved |= _improve_node(plan, node)
    return plan


def successors(graph: AndOrGraph, choice: list[int], node: int) -> list[int]:
    """The children of `node` when the owner follows `choice`."""
    edges = graph.edges[node]
    return [edges[choice[node]].to] if graph.owned[node] else [edge.to for edge in edges]


@dataclass
class _ReferenceCounts:
    """A choice, and the number of edges of its plan that lead to each node."""

    graph: AndOrGraph
    choice: list[int]
    work: int = 0
    size: int = 0
    references: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.references = [0] * len(self.graph)
        self.add(0)

    def add(self, node: int) -> None:
        """Add a reference to `node`, and to its children if it is the first."""
        stack = [node]
        while stack:
            node = stack.pop()
            self.work += 1
            self.references[node] += 1
            if self.references[node] == 1:
                self.size += 1
                stack.extend(successors(self.graph, self.choice, node))

    def remove(self, node: int) -> None:
        """Remove a reference to `node`, and those to its children if it was the last."""
        stack = [node]
        while stack:
            node = stack.pop()
            self.work += 1
            self.references[node] -= 1
            if self.references[node] == 0:
                self.size -= 1
                stack.extend(successors(self.graph, self.choice, node))

    def change(self, node: int, number: int) -> None:
        edges = self.graph.edges[node]
        before, self.choice[node] = self.choice[node], number
        self.add(edges[number].to)
        self.remove(edges[before].to)


def _improve_node(plan: _ReferenceCounts, node: int) -> bool:
    """Choose the edge at `node` that makes the plan smallest; return whether it became smaller."""
    before, best, size = plan.choice[node], plan.choice[node], plan.size
    for number in range(len(plan.graph.edges[node])):
        if number != plan.choice[node]:
            plan.change(node, number)
        if plan.size < size:
            best, size = number, plan.size
    if plan.choice[node] != best:
        plan.change(node, best)
    return best != before
