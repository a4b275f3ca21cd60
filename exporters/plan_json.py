"""Writes a plan as flat JSON, which a program plays by one dictionary lookup per move.

plan.schema.json describes it; solver/plans/reader.py reads it.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from solver.errors import BrokenRules, PlanTooLarge
from solver.game import AnyGame
from solver.plans.plan import SCHEMA, Plan, PlanGraph, unfold
from solver.rules.asking import actions_of, representative, symmetries_of, utility_of
from solver.rules.loading import game_parameters
from solver.rules.named import as_named
from solver.rules.notation import read_position, write_action, write_position
from solver.system.strict_json import excess

MAX_SYMMETRIC_MOVES = 100_000
"""The most moves in the closure under symmetries; only wrong symmetries exceed it."""


def render(plan: Plan) -> str:
    """The JSON text of `plan`.

    Raises `PlanTooLarge` if it exceeds the limits of reading, and `BrokenRules` if moves of a folded plan
    have no unique names.
    """
    text = json.dumps(document(plan), ensure_ascii=False, indent=1) + "\n"
    if fault := excess(text.encode()):
        raise PlanTooLarge(f"the plan is too large for JSON: {fault}; choose a later position, or --fold")
    return text


def document(plan: Plan) -> dict[str, Any]:
    """The plan as a JSON object.

    `states` maps each position in which the owner is to move to the chosen move and the position after it,
    `replies` each position in which the other player is to move to all replies and the positions after them,
    and `ends` each terminal position to its utility. In a folded plan their keys are canonical positions, and
    `folded` maps every other position to its canonical position and to one of the `symmetries`. Raises
    `BrokenRules` as `render` does.
    """
    game, graph = plan.game, unfold(plan)
    states, replies, ends = dict[str, Any](), dict[str, Any](), dict[str, int]()
    for node, kind in graph.nodes.data("kind"):
        if kind == "end":
            ends[node] = utility_of(game, graph.nodes[node]["state"])
            continue
        children = [(move, write_position(game, child)) for move, child in _moves(plan, graph, node)]
        if kind == "or":
            ((move, position),) = children
            states[node] = {"move": move, "then": position}
        else:
            replies[node] = {str(move): position for move, position in children}
    return {
        "schema": SCHEMA,
        **as_named(game),
        "parameters": game_parameters(game),
        "start": plan.start,
        "owner": plan.owner_name,
        "goal": plan.goal,
        "root": plan.root,
        "value": plan.value,
        **({} if plan.endless == "draw" else {"endless": plan.endless}),
        **({"scored": plan.scored} if plan.scored or isinstance(plan.goal, int) else {}),
        "states": states,
        "replies": replies,
        "ends": ends,
        **(_folds(plan, graph) if plan.folded else {}),
        **({"certificates": [mark.as_dict() for mark in plan.marks]} if plan.marks else {}),
    }


def _moves(plan: Plan, graph: PlanGraph, node: str) -> list[tuple[str | int, Any]]:
    game, state = plan.game, graph.nodes[node]["state"]
    actions = actions_of(game, state)
    if graph.nodes[node]["kind"] == "or":
        actions = tuple(action for action in actions if write_action(game, action) == plan.moves[node])[:1]
    return [(write_action(game, action), game.result(state, action)) for action in actions]


def _folds(plan: Plan, graph: PlanGraph) -> dict[str, Any]:
    """The members `folded` and `symmetries`; symmetries are numbered in the order of their first use."""
    game, symmetries = plan.game, symmetries_of(plan.game)
    states = {plan.root: read_position(game, plan.root)}
    for node in graph:
        for _, child in _moves(plan, graph, node):
            states.setdefault(write_position(game, child), child)
    folded, used = {}, dict[int, int]()
    for raw, state in states.items():
        chosen = representative(game, state)
        if chosen != state:
            number = next(n for n, taken in enumerate(symmetries) if taken.state(chosen) == state)
            by = used.setdefault(number, len(used))
            folded[raw] = {"as": write_position(game, chosen), "by": by}
    images = [symmetries[number].action for number in used]
    actions = _closed(game, graph, images)
    return {"folded": folded, "symmetries": [_table(game, image, actions) for image in images]}


def _closed(game: AnyGame, graph: PlanGraph, images: Sequence[Callable[[Any], Any]]) -> list[Any]:
    """The closure, under the mappings `images`, of the actions that are legal in the nodes of `graph`."""
    states = [state for _, state in graph.nodes.data("state")]
    closure = list(dict.fromkeys(action for state in states for action in actions_of(game, state)))
    members = set(closure)
    for action in closure:  # closure grows in the loop
        for symmetric in [image(action) for image in images]:
            if symmetric not in members:
                members.add(symmetric)
                closure.append(symmetric)
        if len(closure) > MAX_SYMMETRIC_MOVES:
            raise BrokenRules(
                f"the symmetries of {type(game).__name__} lead to more than "
                f"{MAX_SYMMETRIC_MOVES:,} moves: write the plan without --fold"
            )
    return closure


def _table(game: AnyGame, image: Callable[[Any], Any], actions: Sequence[Any]) -> dict[str, str]:
    """The table from a position's moves to those of its canonical one; raises `BrokenRules` on a clash."""
    table: dict[str, str] = {}
    for action in actions:
        name, moved = (str(write_action(game, chosen)) for chosen in (action, image(action)))
        if table.setdefault(moved, name) != name:
            raise BrokenRules(
                f"the rules of {type(game).__name__} have more than one move {moved!r}, which "
                "symmetries take to different moves: write the plan without --fold"
            )
    return table
