"""Solves a board as a networkx DiGraph: breadth first, then values in the reverse of a topological order.

Prints the number of states and the value of the start as JSON.
"""

import json
from collections import deque

import networkx as nx

from tests.benchmarks.contestants.in_dictionaries import CELLS, moves, utility


def main() -> None:
    """Print what was found."""
    start = "." * CELLS
    graph = nx.DiGraph()
    graph.add_node(start)
    queue = deque([start])
    while queue:
        state = queue.popleft()
        value = utility(state)
        if value is not None:
            graph.nodes[state].update(value=value, remoteness=0)
            continue
        for child in moves(state):
            if child not in graph:
                queue.append(child)
            graph.add_edge(state, child)
    for state in reversed(list(nx.topological_sort(graph))):
        if children := [graph.nodes[child] for child in graph[state]]:
            sign = 1 if state.count("x") == state.count("o") else -1
            gain = max(sign * child["value"] for child in children)
            plies = [1 + child["remoteness"] for child in children if sign * child["value"] == gain]
            graph.nodes[state].update(value=sign * gain, remoteness=min(plies) if gain > 0 else max(plies))
    print(json.dumps({"states": len(graph), "value": graph.nodes[start]["value"]}))


if __name__ == "__main__":
    main()
