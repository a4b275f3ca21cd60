"""Where play can go round, which a plan that must come to an end has to get out of.

Nodes from which each can be reached from the other are one component; a plan can go round inside of one only.
"""

from typing import TypeAlias

import networkx as nx

from solver.plans.selection.and_or_graph import AndOrGraph
from solver.plans.selection.smallest_tree import smallest_trees

Components: TypeAlias = tuple[int | None, ...]
"""For each node the number of the component inside of which play can go round; None where it cannot."""


def components(graph: AndOrGraph) -> Components:
    """Where play can go round."""
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
    """The graph with, inside of components, only moves to a node whose smallest tree is smaller.

    So play in it cannot go round, and everything that has a finite tree still has one. Nodes without one are
    left out.
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
