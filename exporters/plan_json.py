"""A plan as flat JSON that a program plays by one dictionary lookup a turn; see plan.schema.json."""

import json
from typing import Any

from solver.plan import SCHEMA, Plan, PlanGraph, unfold
from solver.plugins import game_name, game_parameters


def render(plan: Plan) -> str:
    """The JSON text of `plan`.

    `states` has the chosen move wherever the owner is to move and the position to which it leads, `replies`
    every reply where the other is to move and the position after it, `ends` the utilities of the ends.
    """
    graph = unfold(plan)
    document = {
        "schema": SCHEMA,
        "game": game_name(plan.game),
        "parameters": game_parameters(plan.game),
        "start": plan.start,
        "owner": plan.owner_name,
        "goal": plan.goal,
        "root": plan.root,
        "value": plan.value,
        **({} if plan.endless == "draw" else {"endless": plan.endless}),
        "states": {node: _choice(graph, node) for node in _of_kind(graph, "or")},
        "replies": {node: _replies(graph, node) for node in _of_kind(graph, "and")},
        "ends": {node: plan.game.utility(graph.nodes[node]["state"]) for node in _of_kind(graph, "end")},
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _of_kind(graph: PlanGraph, kind: str) -> list[str]:
    return [node for node, its_kind in graph.nodes.data("kind") if its_kind == kind]


def _choice(graph: PlanGraph, node: str) -> dict[str, Any]:
    ((_, child, moves),) = graph.edges(node, data="moves")
    return {"move": moves[0], "then": child}


def _replies(graph: PlanGraph, node: str) -> dict[str, str]:
    return {str(move): child for _, child, moves in graph.edges(node, data="moves") for move in moves}
