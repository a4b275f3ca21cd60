"""Labels from the graph by retrograde analysis: the reference engine, for any game, loops included.

Each node gets `value`, `remoteness` and `best`, the best actions, as `solver.rules.labels` defines them.

Labels are propagated backwards from the terminal states through a queue. A state in which the winner is to
move is labelled with its first labelled child; a state in which the loser is to move when all of its children
are labelled, which a counter tells that starts at the out-degree. Values better than endless play (for the
first player) are propagated first, best first; then those worse than it, worst first; then those equal to it,
if a player gets endless play. States that remain are those from which neither side can force anything better
than endless play: they get its value.

Source: K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9(3), 1986, pages 131-139.
Several utilities are several thresholds, and the states labelled in one pass are an attractor (E. Grädel,
W. Thomas, T. Wilke, *Automata, Logics, and Infinite Games*, 2002, section 2.2).
"""

from collections import defaultdict, deque
from typing import Any

from solver.engines.graph.reachable import Graph
from solver.game import ENDLESS, FIRST, SECOND
from solver.rules.labels import before
from solver.system.progress import Progress, no_progress


def label(graph: Graph, endless: str = "draw", *, progress: Progress = no_progress) -> None:
    """Set `value`, `remoteness` and `best` of every node of `graph`, which `explore` makes.

    `best` has the best actions in action order: they keep the value and the remoteness, or the value alone
    where neither player hurries to end play. `endless` is the player who gets endless play, one of `ENDLESS`,
    and becomes an attribute of the graph.
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
    for _, node in graph.nodes.data():
        node["best"] = [
            action
            for action, child in node.get("moves", ())
            if label_before(graph, graph.nodes[child]) == (node["value"], node["remoteness"])
        ]


def label_before(graph: Graph, child: dict[str, Any]) -> tuple[int, int | None]:
    """Return value and remoteness of a state from which best play leads to `child`."""
    return before((child["value"], child["remoteness"]), ENDLESS[graph.graph["endless"]])


def _spread(
    graph: Graph, value: int, winner: int, ends: list[Any], unlabelled_children: dict[Any, int]
) -> int:
    """Label the states from which `winner` can force `value` but nothing better; return their number."""
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
