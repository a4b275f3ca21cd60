"""Finite plans: the smallest tree, and a subgraph without cycles.

In a tree a position counts once for each line of play that leads to it. A tree is larger than each of its
subtrees, so smallest trees are found in the order of their sizes, as in Dijkstra's algorithm. The graph may
have cycles, each within one strongly connected component; a finite tree has none.

Source: D. E. Knuth, "A generalization of Dijkstra's algorithm", Information Processing Letters 6, 1977.
"""

from heapq import heappop, heappush
from typing import TypeAlias

import networkx as nx

from solver.plans.selection.and_or_graph import AndOrGraph


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
