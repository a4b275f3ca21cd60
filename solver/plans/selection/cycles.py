"""Finds the cycles of an AND-OR graph, which a plan that must come to an end has to avoid.

Every cycle lies within one strongly connected component.
"""

from typing import TypeAlias

import networkx as nx

from solver.plans.selection.and_or_graph import AndOrGraph
from solver.plans.selection.smallest_tree import smallest_trees

Components: TypeAlias = tuple[int | None, ...]
"""For each node the number of its strongly connected component; None if no cycle goes through the node."""


def components(graph: AndOrGraph) -> Components:
    """Return the component of each node that lies on a cycle."""
    digraph: nx.DiGraph[int] = nx.DiGraph()
    digraph.add_nodes_from(range(len(graph)))
    digraph.add_edges_from((node, edge.to) for node, edges in enumerate(graph.edges) for edge in edges)
    found: list[int | None] = [None] * len(graph)
    for component in nx.strongly_connected_components(digraph):
        first = min(component)
        if len(component) > 1 or digraph.has_edge(first, first):
            for node in component:
                found[node] = first
    return tuple(found)


def acyclic_subgraph(graph: AndOrGraph) -> AndOrGraph:
    """Return the graph without the owner's moves that could close a cycle.

    Within a component, a move of the owner stays if it leads to a node that comes earlier in the order of
    smallest trees. So there are no cycles, and each node that has a finite tree keeps one. Nodes without a
    finite tree are left out.
    """
    inside, sizes = components(graph), smallest_trees(graph)
    rank = {node: number for number, node in enumerate(sizes)}

    def progresses(node: int, to: int) -> bool:
        return to in rank and (inside[node] is None or inside[node] != inside[to] or rank[to] < rank[node])

    return graph.restricted(
        [
            [edge for edge in edges if progresses(node, edge.to)] if owned else edges
            for node, (edges, owned) in enumerate(zip(graph.edges, graph.owned, strict=True))
        ]
    )
