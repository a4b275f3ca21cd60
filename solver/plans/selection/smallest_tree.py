"""The smallest tree: a plan written out for every line of play, a position as often as ways lead to it.

The size of a tree grows with the sizes of its subtrees, so the smallest of all come in order of their sizes,
as in Dijkstra's algorithm. It works with cycles too: a tree is finite, so the plan makes progress.

Source: D. E. Knuth, "A generalization of Dijkstra's algorithm", Information Processing Letters 6, 1977.
"""

from heapq import heappop, heappush

from solver.plans.selection.and_or_graph import AndOrGraph


def smallest_trees(graph: AndOrGraph) -> dict[int, int]:
    """The size of the smallest tree from each node that has a finite one, smallest first."""
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
    """The number of the way that the smallest tree takes in each node of the owner, the first of several.

    It is 0 where there is nothing to choose and where no tree is finite.
    """
    infinite = len(graph) + sum(sizes.values())
    return [
        min(range(len(edges)), key=lambda number: sizes.get(edges[number].to, infinite)) if owned else 0
        for edges, owned in zip(graph.edges, graph.owned, strict=True)
    ]
