"""A plan as the textbook's nested list: `[move, [["if", POSITION, "then", ...], ...]]` with "win" and "draw".

A position that can be reached in several ways is written out each time, so the list can be far longer than
the plan has positions.
"""

import json
from collections.abc import Iterator

import networkx as nx

from solver.errors import NotLegible
from solver.plan import Plan, PlanGraph, unfold

MOST_NODES = 1_000_000
"""A list of more positions than this is of no use to anybody."""


def render(plan: Plan) -> str:
    """The nested list of `plan` as one line of JSON.

    Raises `NotLegible` for a plan in which play can return to an earlier position, for one that is too
    long when written out and for a folded one.
    """
    if plan.folded:
        raise NotLegible("a nested list cannot say what is symmetric: leave --fold out, or use --format json")
    graph = unfold(plan)
    if not nx.is_directed_acyclic_graph(graph):
        raise NotLegible("play by this plan can go round in circles, a nested list cannot: use --format json")
    size = _written_out(graph, plan.root)
    if size > MOST_NODES:
        raise NotLegible(
            f"the nested list would have {size:,} positions, {MOST_NODES:,} at most are written: "
            "use --format json, which has each position once, or a later position"
        )
    return "".join(_texts(graph, plan.root)) + "\n"


def _written_out(graph: PlanGraph, root: str) -> int:
    """The number of positions in the tree into which `graph` unrolls from `root`."""
    sizes: dict[str, int] = {}
    for node in reversed(list(nx.topological_sort(graph))):
        sizes[node] = 1 + sum(sizes[child] for child in graph.successors(node))
    return sizes[root]


def _texts(graph: PlanGraph, root: str) -> Iterator[str]:
    """The JSON text piece by piece; with a stack of its own, because a line of play can be of any length."""
    stack = [(True, root)]
    while stack:
        is_position, text = stack.pop()
        if is_position:
            stack.extend(reversed(list(_parts(graph, text))))
        else:
            yield text


def _parts(graph: PlanGraph, position: str) -> Iterator[tuple[bool, str]]:
    """The pieces of JSON for `position`, each with whether it is a position yet to be written out."""
    node = graph.nodes[position]
    if node["kind"] == "end":
        yield False, json.dumps("win" if node["gain"] > 0 else "loss" if node["gain"] < 0 else "draw")
        return
    yield False, "["
    for number, (_, child, moves) in enumerate(graph.edges(position, data="moves")):
        if node["kind"] == "or":
            yield False, f"{_json(moves[0])}, "
            yield True, child
        else:
            yield False, f'{", " if number else ""}["if", {_json(child)}, "then", '
            yield True, child
            yield False, "]"
    yield False, "]"


def _json(value: str | int) -> str:
    return json.dumps(value, ensure_ascii=False)
