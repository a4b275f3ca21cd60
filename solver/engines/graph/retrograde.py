"""Labels from the graph by retrograde analysis: the reference engine, for any game, loops included.

Each node gets `value` and `remoteness`, as `solver.rules.labels` defines them.

Labels spread backwards from the terminal states through a queue. A state of the winner's is labelled by its
first labelled child; a state of the loser's only when all its children are, which a counter that starts at
the out-degree tells. What no queue reaches is a state from which neither side can force a better end than
endless play is: the values above that of endless play come first, best first, then those below it, worst
first, and at last those that equal it.

Source: K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9(3), 1986, pages 131-139.
Several utilities are done as several thresholds, best first: T. A. Henzinger et al. call one such pass an
attractor (E. Grädel, W. Thomas, T. Wilke, *Automata, Logics, and Infinite Games*, 2002, section 2.2).
"""

from collections import defaultdict, deque
from typing import Any

from solver.engines.graph.reachable import Graph
from solver.game import ENDLESS, FIRST, SECOND
from solver.rules.labels import before
from solver.system.progress import Progress, no_progress


def label(graph: Graph, endless: str = "draw", *, progress: Progress = no_progress) -> None:
    """Give every node of `graph`, as `explore` makes it, its `value` and `remoteness`.

    `endless` is who gets endless play, one of `ENDLESS`; the graph's own attribute of that name then says so.
    """
    graph.graph["endless"], level = endless, ENDLESS[endless]
    ends = defaultdict(list)
    for state, utility in graph.nodes.data("utility"):
        if utility is not None:
            ends[utility].append(state)
    unlabelled_children: dict[Any, int] = dict(graph.out_degree)
    wins = [(value, FIRST) for value in sorted(ends, reverse=True) if value > level]
    losses = [(value, SECOND) for value in sorted(ends) if value < level]
    evens = [(level, FIRST if level > 0 else SECOND)] if level and level in ends else []
    done = 0
    for value, winner in wins + losses + evens:
        done += _spread(graph, value, winner, ends[value], unlabelled_children)
        progress("labelling", done, len(graph))
    for _, node in graph.nodes.data():
        if "value" not in node:
            node["value"] = level
            node["remoteness"] = 0 if "utility" in node else None


def best_actions(graph: Graph, state: Any) -> list[Any]:
    """The best actions in `state`, in action order.

    They keep the value and the remoteness; where nobody hurries to end play, the value.
    """
    node = graph.nodes[state]
    return [
        action
        for action, child in node.get("moves", ())
        if label_before(graph, graph.nodes[child]) == (node["value"], node["remoteness"])
    ]


def label_before(graph: Graph, child: dict[str, Any]) -> tuple[int, int | None]:
    """The value and the remoteness of a state from which best play leads to `child`."""
    return before((child["value"], child["remoteness"]), ENDLESS[graph.graph["endless"]])


def _spread(
    graph: Graph, value: int, winner: int, ends: list[Any], unlabelled_children: dict[Any, int]
) -> int:
    """Label each state from which `winner` can force `value` and no more; return how many there are."""
    queue = deque(ends)
    for end in ends:
        graph.nodes[end].update(value=value, remoteness=0)
    labelled = 0
    while queue:
        child = queue.popleft()
        labelled += 1
        for state in graph.pred[child]:
            node = graph.nodes[state]
            if node["to_move"] != winner:
                unlabelled_children[state] -= 1
                if unlabelled_children[state]:
                    continue
            elif "value" in node:
                continue
            node.update(value=value, remoteness=graph.nodes[child]["remoteness"] + 1)
            queue.append(state)
    return labelled
