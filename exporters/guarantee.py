"""What a plan guarantees, in words for people."""

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
    game = game_name(plan.game).rpartition(":")[2] + _parameters(plan.game)
    return f"Plan for {plan.owner_name} in {game} from {plan.root}: {guarantee(plan, graph)}"


def _parameters(game: AnyGame) -> str:
    """The parameters of `game` as one types them; a switch that is off goes without saying."""
    chosen = {name: value for name, value in game_parameters(game).items() if value is not False}
    return "".join(f" {name}={_typed(value)}" for name, value in chosen.items())


def _typed(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "true" if value is True else str(value)
