"""A small merged plan, fast: each position counts once, however many ways lead to it.

It begins with the plan of the smallest tree. Then it changes one choice after the other wherever that makes
the plan smaller, as local search does, until nothing is gained or its work is done: once from the ends up,
once from the root down, and the smaller plan is taken. As the ways that lead to each position are counted, a
change touches only what comes or goes by it.
"""

from dataclasses import dataclass, field

from solver.plans.selection.and_or_graph import AndOrGraph
from solver.plans.selection.smallest_tree import smallest_trees, tree_choice

STEPS_PER_NODE = 200
"""How many steps a search may take for each node of the graph."""


def small_choice(graph: AndOrGraph) -> list[int]:
    """For each node of the owner the number of a way, so that few nodes arise.

    In a graph without cycles every choice makes a plan; where there are some, play may go round.
    """
    start = tree_choice(graph, smallest_trees(graph))
    found = [_improved(_ReferenceCounts(graph, list(start)), step) for step in (-1, 1)]
    return min(found, key=lambda plan: plan.size).choice


def _improved(plan: "_ReferenceCounts", step: int) -> "_ReferenceCounts":
    """The plan, made smaller by changes; `step` is 1 to begin at the root, -1 at the ends."""
    limit = STEPS_PER_NODE * len(plan.graph)
    improved = True
    while improved and plan.work < limit:
        improved = False
        for node in reachable(plan.graph, plan.choice)[::step]:
            if plan.graph.has_choice(node) and plan.references[node] and plan.work < limit:
                improved |= _improve_node(plan, node)
    return plan


def reachable(graph: AndOrGraph, choice: list[int]) -> list[int]:
    """The nodes that arise when the owner keeps to `choice`, breadth first from the root."""
    order, known = [0], {0}
    for node in order:
        for child in successors(graph, choice, node):
            if child not in known:
                known.add(child)
                order.append(child)
    return order


def successors(graph: AndOrGraph, choice: list[int], node: int) -> list[int]:
    """The nodes that can follow `node` when the owner keeps to `choice`."""
    edges = graph.edges[node]
    return [edges[choice[node]].to] if graph.owned[node] else [edge.to for edge in edges]


@dataclass
class _ReferenceCounts:
    """A choice, and how many ways of its plan lead to each node."""

    graph: AndOrGraph
    choice: list[int]
    work: int = 0
    size: int = 0
    references: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.references = [0] * len(self.graph)
        self.add(0)

    def add(self, node: int) -> None:
        """Let one more way lead to `node`."""
        stack = [node]
        while stack:
            node = stack.pop()
            self.work += 1
            self.references[node] += 1
            if self.references[node] == 1:
                self.size += 1
                stack.extend(successors(self.graph, self.choice, node))

    def remove(self, node: int) -> None:
        """Let one way less lead to `node`."""
        stack = [node]
        while stack:
            node = stack.pop()
            self.work += 1
            self.references[node] -= 1
            if self.references[node] == 0:
                self.size -= 1
                stack.extend(successors(self.graph, self.choice, node))

    def change(self, node: int, number: int) -> None:
        """Choose way `number` in `node`, which arises."""
        edges = self.graph.edges[node]
        before, self.choice[node] = self.choice[node], number
        self.add(edges[number].to)
        self.remove(edges[before].to)


def _improve_node(plan: _ReferenceCounts, node: int) -> bool:
    """Choose the way in `node` that makes the plan smallest; whether it became smaller."""
    before, best, size = plan.choice[node], plan.choice[node], plan.size
    for number in range(len(plan.graph.edges[node])):
        if number != plan.choice[node]:
            plan.change(node, number)
        if plan.size < size:
            best, size = number, plan.size
    if plan.choice[node] != best:
        plan.change(node, best)
    return best != before
