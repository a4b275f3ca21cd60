"""The smallest tree: a plan in which a position counts once for each line of play that leads to it.

A tree is larger than each of its subtrees, so smallest trees are found in the order of their sizes, as in
Dijkstra's algorithm. The graph may have cycles: a finite tree has none, so the plan comes to an end.

Source: D. E. Knuth, "A generalization of Dijkstra's algorithm", Information Processing Letters 6, 1977.
"""

from heapq import heappop, heappush

from solver.plans.selection.and_or_graph import AndOrGraph


def smallest_trees(graph: AndOrGraph) -> dict[int, int]:
    """Return the size of the smallest tree of each node that has a finite one, in ascending order."""
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
    """Return for each node the number of the edge that its smallest tree takes, the first if several do.

    AND nodes and nodes without a finite tree get 0.
    """
    infinite = len(graph) + sum(sizes.values())
    return [
        min(range(len(edges)), key=lambda number: sizes.get(edges[number].to, infinite)) if owned else 0
        for edges, owned in zip(graph.edges, graph.owned, strict=True)
    ]
