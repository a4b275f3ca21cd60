"""The reference engine: the graph of all states, labelled; for any game, loops included.

Labels are propagated backwards from the terminal states through a queue. A state in which the winner is to
move is labelled as soon as one child is; a state in which the loser is to move, as soon as all children are,
by a counter that starts at the out-degree. Values better than endless play (for the first player) are
propagated first, best first; then values worse than endless play, worst first; then values equal to it, if a
player wins endless play. The remaining states are those from which neither side can force anything better
than endless play: they get its value.

Source: K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9(3), 1986, pages 131-139.
Several utilities are several thresholds, and the states labelled in one pass are an attractor (E. Grädel,
W. Thomas, T. Wilke, *Automata, Logics, and Infinite Games*, 2002, section 2.2).
"""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

import networkx as nx

from solver.engines.forecast import GRAPH
from solver.engines.memory import MemoryWatch, refuse_by_bound
from solver.engines.states import (
    SECONDS_PER_CHECK,
    STATES_PER_REPORT,
    Successors,
    canonical_of,
    starts_of,
    successors,
)
from solver.errors import TooLarge, UsageError
from solver.game import ENDLESS, FIRST, SECOND, AnyGame, Game
from solver.rules.failures import reporting_to, rules_asked
from solver.rules.labels import before, endless_utility
from solver.system import resources
from solver.system.plugins import Pictured, shown_in_notebook
from solver.system.progress import Progress, no_progress
from solver.system.words import wanted


class Graph(Pictured, nx.DiGraph):  # type: ignore[misc]
    """A `DiGraph` with a picture for notebooks."""

    def _repr_svg_(self) -> str | None:
        with suppress(KeyError):  # of a graph that networkx has made from one, without its attributes
            return shown_in_notebook("graph", self)
        return None


BYTES_PER_EDGE = 250
"""Bytes of memory for each edge: an entry in two dicts, and a dict of its own."""


def explore(
    game: AnyGame,
    starts: Iterable[Hashable] | None = None,
    *,
    fold: bool = False,
    at_most: int | None = None,
    budget: int | None = None,
    ask: Callable[[Any], Successors] | None = None,
    progress: Progress = no_progress,
) -> Graph:
    """The graph of all states that play from `starts` (default: the initial states) can reach.

    A node is a state. Its attributes are `to_move` (0 or 1), `depth` (the fewest plies from a start), and
    either `moves`, the pairs (action, child) in action order, or for a terminal state `utility`. An edge
    leads from a state to each child; two actions with the same child share it. The attributes of the graph
    are `start`, the first of the starts, `starts`, their number, `folded`, and `game`, the rules.

    Nodes are in the order of depth. With `fold` they are the canonical states of the symmetry classes, and so
    are all children. The rules are asked about one state at a time, by `ask` if given. Raises `TooLarge` as
    soon as there are more than `at_most` states, or it is clear that they need more than `budget` bytes
    (default: half of the available memory; labelling and writing take the rest), `UsageError` without a
    start, and `BrokenRules` if the rules raise or return what cannot be a state or an action.
    """
    wanted(Game, game, "load_game(NAME)")
    budget = resources.available() // 2 if budget is None else budget
    if starts is None:
        refuse_by_bound(game, 2 * budget, GRAPH.memory_bytes, "graph", fold=fold)
    watch, graph = MemoryWatch("graph", budget), Graph(game=game)
    ask = ask or partial(successors, game, fold=fold)
    with reporting_to(progress) as progress, rules_asked(game), resources.uncollected():
        firsts = list(starts_of(game, watch, progress) if starts is None else starts)
        if not firsts:
            raise UsageError("there is no state to start from: give one or more, or None for the rules' own")
        level = list(dict.fromkeys(canonical_of(game, state) if fold else state for state in firsts))
        graph.graph.update(start=firsts[0], starts=len(level), folded=fold)
        _grow(graph, level, ask, at_most, watch, progress)
        moves = graph.nodes.data("moves", default=())
        graph.add_edges_from((state, child) for state, children in moves for _, child in children)
    return graph


def _grow(
    graph: Graph,
    level: list[Any],
    ask: Callable[[Any], Successors],
    at_most: int | None,
    watch: MemoryWatch,
    progress: Progress,
) -> None:
    """Add the nodes of all states that are reachable from the first level; edges are added later."""
    known, depth, moves, checked = set(level), 0, 0, monotonic()
    while level:
        following = list[Any]()
        for state in level:
            mover, played, utility = ask(state)
            outcome = {"moves": played} if played else {"utility": utility}
            graph.add_node(state, to_move=mover, depth=depth, **outcome)
            moves += len(played)
            for _, child in played:
                if child not in known:
                    known.add(child)
                    following.append(child)
            if at_most is not None and len(known) > at_most:
                raise TooLarge(f"this game has more than {at_most:,} states")
            if len(graph) % STATES_PER_REPORT == 0 or monotonic() > checked + SECONDS_PER_CHECK:
                progress("finding states", len(graph), None)
                watch.check(len(known), state, ahead=BYTES_PER_EDGE * moves)
                checked = monotonic()
        level, depth = following, depth + 1


def is_layered(graph: Graph) -> bool:
    """Whether every state has a single ply: all paths to it from the starts are equally long."""
    depth = graph.nodes.data("depth")
    return all(depth[child] == depth[state] + 1 for state, child in graph.edges)


def label(graph: Graph, endless: str = "draw", *, progress: Progress = no_progress) -> None:
    """Set `value`, `remoteness` and `best` of every node of `graph`, which `explore` makes.

    `best` has the best actions in action order: they keep the value and the remoteness, or the value alone if
    neither player hurries to end play. `endless` says that endless play is a `draw`, or who wins it, `first`
    or `second`, and becomes an attribute of the graph; anything else raises `UsageError`.
    """
    wanted(nx.DiGraph, graph, "explore(GAME)")
    graph.graph["endless"], endless_value = endless, endless_utility(endless)
    for _, node in graph.nodes.data():
        for name in ("value", "remoteness", "best"):
            node.pop(name, None)  # of an earlier call, perhaps with another winner of endless play
    ends = defaultdict[int, list[Any]](list)
    for state, utility in graph.nodes.data("utility"):
        if utility is not None:
            ends[utility].append(state)
    unlabelled_children: dict[Any, int] = dict(graph.out_degree)
    wins = [(value, FIRST) for value in sorted(ends, reverse=True) if value > endless_value]
    losses = [(value, SECOND) for value in sorted(ends) if value < endless_value]
    evens = [(value, FIRST if value > 0 else SECOND) for value in ends if value == endless_value != 0]
    done = 0
    for value, winner in wins + losses + evens:
        done += _spread(graph, value, winner, ends[value], unlabelled_children)
        progress("labelling", done, len(graph))
    for _, node in graph.nodes.data():
        if "value" not in node:
            node["value"] = endless_value
            node["remoteness"] = 0 if "utility" in node else None
    for _, node in graph.nodes.data():
        node["best"] = [
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
