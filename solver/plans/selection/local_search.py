"""A small merged plan by local search: each position counts once, however many edges lead to it.

The search starts from the plan of the smallest tree and makes single changes that make the plan smaller,
until there is none or the step limit is reached. It runs twice, from the leaves up and from the root down,
and the smaller plan is taken. As references to nodes are counted, a change touches only the nodes that it
adds or removes.
"""

from dataclasses import dataclass, field

from solver.plans.selection.and_or_graph import AndOrGraph, breadth_first
from solver.plans.selection.smallest_tree import acyclic_subgraph, smallest_trees, tree_choice

STEPS_PER_NODE = 200
"""The step limit of one search, per node of the graph."""


def small_merged(graph: AndOrGraph, *, must_end: bool) -> AndOrGraph:
    """A small plan; with `must_end`, a plan without cycles."""
    graph = acyclic_subgraph(graph) if must_end else graph
    start = tree_choice(graph, smallest_trees(graph))
    plans = [_improved(_ReferenceCounts(graph, list(start)), step) for step in (-1, 1)]
    return graph.chosen(min(plans, key=lambda plan: plan.size).choice)


def _improved(plan: "_ReferenceCounts", step: int) -> "_ReferenceCounts":
    """The plan, made smaller in place, from the root down (`step` 1) or from the leaves up (-1)."""
    limit = STEPS_PER_NODE * len(plan.graph)
    improved = True
    while improved and plan.work < limit:
        improved = False
        for node in breadth_first(plan.successors)[::step]:
            if plan.graph.has_choice(node) and plan.references[node] and plan.work < limit:
                improved |= _improve_node(plan, node)
    return plan


@dataclass
class _ReferenceCounts:
    """The chosen edge of each node, and the number of edges of the plan that lead to each node."""

    graph: AndOrGraph
    choice: list[int]
    work: int = 0
    size: int = 0
    references: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.references = [0] * len(self.graph)
        self.count(0, 1)

    def successors(self, node: int) -> list[int]:
        """The children of `node` in the plan."""
        edges = self.graph.edges[node]
        return [edges[self.choice[node]].to] if self.graph.owned[node] else [edge.to for edge in edges]

    def count(self, node: int, by: int) -> None:
        """Add (1) or remove (-1) a reference to `node`; the first or last one also affects its children."""
        stack, references, turning = [node], self.references, 1 if by > 0 else 0
        while stack:
            node = stack.pop()
            self.work += 1
            references[node] += by
            if references[node] == turning:
                self.size += by
                stack.extend(self.successors(node))

    def change(self, node: int, number: int) -> None:
        edges = self.graph.edges[node]
        before, self.choice[node] = self.choice[node], number
        self.count(edges[number].to, 1)
        self.count(edges[before].to, -1)


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
