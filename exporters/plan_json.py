"""A plan as flat JSON that a program plays by one dictionary lookup a turn; see plan.schema.json."""

import json
from collections.abc import Iterable
from typing import Any

from solver.errors import BrokenRules, PlanTooLarge
from solver.game import AnyGame
from solver.plans.plan import SCHEMA, Plan, PlanGraph, unfold
from solver.rules.asking import actions_of, symmetries_of, utility_of
from solver.rules.loading import game_name, game_parameters
from solver.rules.notation import read_position, write_action, write_position
from solver.rules.symmetry import from_representative
from solver.system.strict_json import excess

MOST_SYMMETRIC_MOVES = 100_000
"""True symmetries take moves to moves of the same board; false ones may go on and on."""


def render(plan: Plan) -> str:
    """The JSON text of `plan`.

    Raises `PlanTooLarge` where it could not be read again, and `BrokenRules` where moves of a folded plan
    cannot be told by name.
    """
    text = json.dumps(document(plan), ensure_ascii=False, indent=1) + "\n"
    if fault := excess(text.encode()):
        raise PlanTooLarge(f"the plan is too large for JSON: {fault}; choose a later position, or --fold")
    return text


def document(plan: Plan) -> dict[str, Any]:
    """The plan as JSON has it.

    `states` has the chosen move wherever the owner is to move and the position to which it leads, `replies`
    every reply where the other is to move and the position after it, `ends` the utilities of the ends. Of a
    folded plan all three have canonical positions; `folded` says which of them stands for another position
    that they lead to, and by which of the `symmetries`. Raises `BrokenRules` as `render` does.
    """
    graph = unfold(plan)
    return {
        "schema": SCHEMA,
        "game": game_name(plan.game),
        "parameters": game_parameters(plan.game),
        "start": plan.start,
        "owner": plan.owner_name,
        "goal": plan.goal,
        "root": plan.root,
        "value": plan.value,
        **({} if plan.endless == "draw" else {"endless": plan.endless}),
        "states": {node: _choice(plan, graph, node) for node in _of_kind(graph, "or")},
        "replies": {node: _replies(plan, graph, node) for node in _of_kind(graph, "and")},
        "ends": {node: utility_of(plan.game, graph.nodes[node]["state"]) for node in _of_kind(graph, "end")},
        **(_folds(plan, graph) if plan.folded else {}),
    }


def _of_kind(graph: PlanGraph, kind: str) -> list[str]:
    return [node for node, its_kind in graph.nodes.data("kind") if its_kind == kind]


def _choice(plan: Plan, graph: PlanGraph, node: str) -> dict[str, Any]:
    ((move, child),) = _moves(plan, graph, node)
    return {"move": move, "then": write_position(plan.game, child)}


def _replies(plan: Plan, graph: PlanGraph, node: str) -> dict[str, str]:
    return {str(move): write_position(plan.game, child) for move, child in _moves(plan, graph, node)}


def _moves(plan: Plan, graph: PlanGraph, node: str) -> list[tuple[str | int, Any]]:
    """The moves that play by the plan can go on with from a node, by name, and the states after them."""
    game, state = plan.game, graph.nodes[node]["state"]
    actions = actions_of(game, state)
    if graph.nodes[node]["kind"] == "or":
        actions = tuple(action for action in actions if write_action(game, action) == plan.moves[node])[:1]
    return [(write_action(game, action), game.result(state, action)) for action in actions]


def _folds(plan: Plan, graph: PlanGraph) -> dict[str, Any]:
    """Which position stands for which, and the symmetries that take moves from the one to the other."""
    game = plan.game
    states = {plan.root: read_position(game, plan.root)}
    for node in graph:
        for _, child in _moves(plan, graph, node):
            states.setdefault(write_position(game, child), child)
    symmetries = Symmetries(game, graph)
    folded = {}
    for raw, state in states.items():
        chosen, _ = from_representative(game, state)
        if chosen != state:
            folded[raw] = {"as": write_position(game, chosen), "by": symmetries.between(chosen, state)}
    return {"folded": folded, "symmetries": symmetries.tables()}


class Symmetries:
    """The symmetries used so far, numbered as they came."""

    def __init__(self, game: AnyGame, graph: PlanGraph) -> None:
        """Begin without any, for the moves that are legal in the nodes of an unfolded plan."""
        self._game, self._graph = game, graph
        self._symmetries = symmetries_of(game)
        self._used: dict[int, int] = {}

    def between(self, chosen: Any, state: Any) -> int:
        """The number of a symmetry that takes the canonical state `chosen` to `state`."""
        found = next(n for n, each in enumerate(self._symmetries) if each.state(chosen) == state)
        return self._used.setdefault(found, len(self._used))

    def tables(self) -> list[dict[str, str]]:
        """For each symmetry which move of the canonical position a move of the other one is.

        Raises `BrokenRules` where two moves that differ have one name, or there is no end of moves.
        """
        states = [state for _, state in self._graph.nodes.data("state")]
        actions = self._closed(action for state in states for action in actions_of(self._game, state))
        return [self._table(self._symmetries[number].action, actions) for number in self._used]

    def _closed(self, actions: Iterable[Any]) -> list[Any]:
        """The actions and all to which the used symmetries take them, one after the other."""
        found = list(dict.fromkeys(actions))
        known = set(found)
        for action in found:  # which grows meanwhile
            for number in self._used:
                image = self._symmetries[number].action(action)
                if image not in known:
                    known.add(image)
                    found.append(image)
            if len(found) > MOST_SYMMETRIC_MOVES:
                raise BrokenRules(
                    f"the symmetries of {type(self._game).__name__} lead to more than "
                    f"{MOST_SYMMETRIC_MOVES:,} moves: write the plan without --fold"
                )
        return found

    def _table(self, image: Any, actions: Iterable[Any]) -> dict[str, str]:
        table: dict[str, str] = {}
        for action in actions:
            name, moved = (str(write_action(self._game, each)) for each in (action, image(action)))
            if table.setdefault(moved, name) != name:
                raise BrokenRules(
                    f"the rules of {type(self._game).__name__} have more than one move {moved!r}, which "
                    "symmetries take to different moves: write the plan without --fold"
                )
        return table
