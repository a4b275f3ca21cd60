"""Small plans without an exact solver: the smallest tree, a subgraph without cycles, and a small merged plan.

In a tree a position counts once for each line of play that leads to it. A tree is larger than each of its
subtrees, so smallest trees are found in the order of their sizes, as in Dijkstra's algorithm. The graph may
have cycles, each within one strongly connected component; a finite tree has none.

In a merged plan each position counts once, however many edges lead to it. A local search starts from the plan
of the smallest tree and makes single changes that make the plan smaller, until there is none or the step
limit is reached. It runs twice, from the leaves up and from the root down, and the smaller plan is taken. As
references to nodes are counted, a change touches only the nodes that it adds or removes.

Source: D. E. Knuth, "A generalization of Dijkstra's algorithm", Information Processing Letters 6, 1977.
"""

from heapq import heappop, heappush
from typing import TypeAlias

import networkx as nx

from solver.plans.selection.and_or_graph import AndOrGraph, breadth_first


def smallest_trees(graph: AndOrGraph) -> dict[int, int]:
    """The size of the smallest tree of each node with a finite tree, in ascending order of the sizes."""
    parents: list[list[int]] = [[] for _ in range(len(graph))]
    for node, edges in enumerate(graph.edges):
        for edge in edges:
            parents[edge.to].append(node)
    missing = [1 if graph.owned[node] else len(edges) for node, edges in enumerate(graph.edges)]
    total = [1] * len(graph)
    heap = [(1, node) for node, edges in enumerate(graph.edges) if not edges]
    sizes: dict[int, int] = {}
    while heap:
        size, node = heappop(heap)
        sizes[node] = size
        for parent in parents[node]:
            missing[parent] -= 1
            total[parent] += size
            if missing[parent] == 0:
                heappush(heap, (total[parent], parent))
    return sizes


def tree_choice(graph: AndOrGraph, sizes: dict[int, int]) -> list[int]:
    """The number of the (first) edge that the smallest tree of each node takes.

    It is 0 for AND nodes and nodes without a finite tree.
    """
    infinite = len(graph) + sum(sizes.values())
    return [
        min(range(len(edges)), key=lambda number: sizes.get(edges[number].to, infinite)) if owned else 0
        for edges, owned in zip(graph.edges, graph.owned, strict=True)
    ]


Components: TypeAlias = tuple[int | None, ...]
"""For each node the number of its strongly connected component; None if the node is on no cycle."""


def components(graph: AndOrGraph) -> Components:
    """The component of each node that lies on a cycle."""
    digraph: nx.DiGraph[int] = nx.DiGraph()
    digraph.add_nodes_from(range(len(graph)))
    digraph.add_edges_from((node, edge.to) for node, edges in enumerate(graph.edges) for edge in edges)
    numbers: list[int | None] = [None] * len(graph)
    for component in nx.strongly_connected_components(digraph):
        first = min(component)
        if len(component) > 1 or digraph.has_edge(first, first):
            for node in component:
                numbers[node] = first
    return tuple(numbers)


def acyclic_subgraph(graph: AndOrGraph) -> AndOrGraph:
    """The graph without the owner's moves that could close a cycle.

    Within a component, a move of the owner is kept if it leads to a node that is earlier in the order of
    smallest trees. So there are no cycles, and each node with a finite tree still has one. Moves to nodes
    without a finite tree are left out.
    """
    component, sizes = components(graph), smallest_trees(graph)
    rank = {node: number for number, node in enumerate(sizes)}

    def progresses(node: int, to: int) -> bool:
        exits = component[node] is None or component[node] != component[to]
        return to in rank and (exits or rank[to] < rank[node])

    return graph.restricted(
        [
            [edge for edge in edges if progresses(node, edge.to)] if owned else edges
            for node, (edges, owned) in enumerate(zip(graph.edges, graph.owned, strict=True))
        ]
    )


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


class _ReferenceCounts:
    """The chosen edge of each node, and the number of edges of the plan that lead to each node."""

    def __init__(self, graph: AndOrGraph, choice: list[int]) -> None:
        self.graph, self.choice, self.references = graph, choice, [0] * len(graph)
        self.work = self.size = 0
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
