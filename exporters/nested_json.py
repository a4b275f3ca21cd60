"""A plan as the textbook's nested list: `[move, [["if", POSITION, "then", ...], ...]]` with "win" and "draw".

A position that is reached by several lines of play is written out once for each (the graph is unrolled to a
tree), so the list can be far longer than the plan.
"""

from collections.abc import Mapping
from typing import Any

import networkx as nx

from solver.errors import NotLegible
from solver.game import outcome_of
from solver.plans.plan import Plan, PlanGraph, unfold
from solver.search.and_or.nested_plan import tokens

MAX_LIST = 1_000_000
"""Positions that a list may have."""


def render(plan: Plan) -> str:
    """The nested list of `plan` as one line of JSON.

    Raises `NotLegible` for a plan with cycles, for one that is too long as a tree, for a folded one and for
    one with certificates.
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
    known = graph.nodes[node]
    if known["kind"] == "end":
        return outcome_of(known["gain"])
    if known["kind"] == "and":
        return [["if", child, "then", nested[child]] for child in graph.successors(node)]
    ((_, child, moves),) = graph.edges(node, data="moves")
    return [moves[0], nested[child]]
