"""A plan as the textbook's nested list: `[move, [["if", POSITION, "then", ...], ...]]` with "win" and "draw".

The graph is unrolled to a tree: a position is written once for each line of play that leads to it. So the
list can be far longer than the plan.
"""

from collections.abc import Mapping
from typing import Any

import networkx as nx

from solver.errors import NotLegible
from solver.game import outcome_of
from solver.plans.plan import Plan, PlanGraph, unfold
from solver.search.and_or.problem import tokens

MAX_LIST = 1_000_000
"""The most positions of a list."""


def render(plan: Plan) -> str:
    """The nested list of `plan` as one line of JSON.

    Raises `NotLegible` for a plan that has cycles, is too large as a tree, is folded or has certificates.
    """
    if plan.marks:
        raise NotLegible("a nested list has no room for certificates: omit them, or use --format json")
    if plan.folded:
        raise NotLegible("a nested list cannot say what is symmetric: omit --fold, or use --format json")
    graph = unfold(plan)
    if not nx.is_directed_acyclic_graph(graph):
        raise NotLegible("play by this plan can go round in circles, a nested list cannot: use --format json")
    sizes, nested = dict[str, int](), dict[str, Any]()
    for node in reversed(list(nx.topological_sort(graph))):
        sizes[node] = 1 + sum(sizes[child] for child in graph.successors(node))
        nested[node] = _nested(graph, node, nested)
    if (size := sizes[plan.root]) > MAX_LIST:
        raise NotLegible(
            f"the nested list would have {size:,} positions, {MAX_LIST:,} at most are written: "
            "use --format json, which has each position once, or a later position"
        )
    return "".join(tokens(nested[plan.root])) + "\n"


def _nested(graph: PlanGraph, node: str, nested: Mapping[str, Any]) -> Any:
    attributes = graph.nodes[node]
    if attributes["kind"] == "end":
        return outcome_of(attributes["gain"])
    if attributes["kind"] == "and":
        return [["if", child, "then", nested[child]] for child in graph.successors(node)]
    ((_, child, moves),) = graph.edges(node, data="moves")
    return [moves[0], nested[child]]
