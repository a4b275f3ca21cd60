"""What a plan guarantees, in words for people."""

from solver import words
from solver.plan import Plan, PlanGraph, longest_line, root_of
from solver.plugins import AnyGame, game_name, game_parameters


def guarantee(plan: Plan, graph: PlanGraph) -> str:
    """What the owner gets at least by the plan that `graph` unfolds: "x wins in at most 7 plies"."""
    gain, longest = graph.nodes[root_of(plan)]["gain"], longest_line(graph)
    return words.guarantee(plan.owner_name, gain, longest, scored=isinstance(plan.goal, int))


def title(plan: Plan, graph: PlanGraph) -> str:
    """Whose plan it is, from where, and what it guarantees, in one line."""
    game = game_title(plan.game)
    return f"Plan for {plan.owner_name} in {game} from {plan.root}: {guarantee(plan, graph)}"


def game_title(game: AnyGame) -> str:
    """The game and its parameters as one types them; a switch that is off goes without saying."""
    chosen = {name: value for name, value in game_parameters(game).items() if value is not False}
    return " ".join([game_name(game).rpartition(":")[2], *words.assignments(chosen)])
