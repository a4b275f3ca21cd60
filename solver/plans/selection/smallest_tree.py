"""The smallest tree: a plan written out for every line of play, a position as often as ways lead to it.

The size of a tree grows with the sizes of its subtrees, so the smallest of all come in order of their sizes,
as in Dijkstra's algorithm. It works with circles too: a tree is finite, so the plan makes progress.

Source: D. E. Knuth, "A generalization of Dijkstra's algorithm", Information Processing Letters 6, 1977.
"""

from heapq import heappop, heappush

from solver.plans.selection.and_or_graph import AndOrGraph


def smallest_trees(graph: AndOrGraph) -> dict[int, int]:
    """The size of the smallest tree from each node that has a finite one, smallest first."""
    parents: list[list[int]] = [[] for _ in range(len(graph))]
    for node, ways in enumerate(graph.ways):
        for way in ways:
            parents[way.to].append(node)
    missing = [1 if graph.owned[node] else len(ways) for node, ways in enumerate(graph.ways)]
    total = [1] * len(graph)
    heap = [(1, node) for node, ways in enumerate(graph.ways) if not ways]
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
        min(range(len(ways)), key=lambda number: sizes.get(ways[number].to, infinite)) if owned else 0
        for ways, owned in zip(graph.ways, graph.owned, strict=True)
    ]
