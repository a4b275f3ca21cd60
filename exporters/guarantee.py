"""What a plan guarantees, in words for people."""

import json
from typing import Any

from solver.plan import Plan, PlanGraph, longest_line
from solver.plugins import AnyGame, game_name, game_parameters
from solver.words import plies


def guarantee(plan: Plan, graph: PlanGraph) -> str:
    """What the owner gets at least by the plan that `graph` unfolds: "x wins in at most 7 plies"."""
    gain = graph.nodes[plan.root]["gain"]
    if gain < 0:
        return f"{plan.owner_name} may lose"
    if gain == 0:
        return f"{plan.owner_name} never loses"
    longest = longest_line(graph)
    margin = f" by at least {gain}" if gain > 1 else ""
    return f"{plan.owner_name} wins{margin}" + (f" in at most {plies(longest)}" if longest else "")


def title(plan: Plan, graph: PlanGraph) -> str:
    """Whose plan it is, from where, and what it guarantees, in one line."""
    name = game_name(plan.game).rpartition(":")[2]
    parameters = "".join(f" {key}={json.dumps(value)}" for key, value in _chosen(plan.game).items())
    return f"Plan for {plan.owner_name} in {name}{parameters} from {plan.root}: {guarantee(plan, graph)}"


def _chosen(game: AnyGame) -> dict[str, Any]:
    """The parameters of `game` that are not at their defaults."""
    parameters = game_parameters(game)
    defaults = {name: getattr(type(game), name, None) for name in parameters}
    return {name: value for name, value in parameters.items() if getattr(game, name) != defaults[name]}
