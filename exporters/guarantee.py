"""What a plan guarantees, in words for people."""

from solver.database import wording as words
from solver.game import AnyGame
from solver.plans.plan import Plan, PlanGraph, longest_line, root_of
from solver.plans.selection import Sized
from solver.rules.loading import game_name, game_parameters
from solver.rules.parameters import assignments


def guarantee(plan: Plan, graph: PlanGraph) -> str:
    """What the owner gets at least by the plan that `graph` unfolds: "x wins in at most 7 plies"."""
    gain, longest = graph.nodes[root_of(plan)]["gain"], longest_line(graph)
    return words.guarantee(plan.owner_name, gain, longest, scored=isinstance(plan.goal, int))


def size(made: Sized) -> str:
    """How many positions a plan has and how small one can be at all: "122 positions, at least 59"."""
    one, more = ("class", "classes") if made.plan.folded else ("position", "positions")
    counted = f"{made.size:,} {one if made.size == 1 else more}"
    counted += " of symmetric positions" if made.plan.folded else ""
    if made.at_least is None:
        return counted
    proved = "proved smallest" if made.at_least == made.size else f"at least {made.at_least:,}"
    return f"{counted}, {proved}"


def title(plan: Plan, graph: PlanGraph) -> str:
    """Whose plan it is, from where, and what it guarantees, in one line."""
    game = game_title(plan.game)
    return f"Plan for {plan.owner_name} in {game} from {plan.root}: {guarantee(plan, graph)}"


def game_title(game: AnyGame) -> str:
    """The game and its parameters as one types them; a switch that is off goes without saying."""
    chosen = {name: value for name, value in game_parameters(game).items() if value is not False}
    return " ".join([game_name(game).rpartition(":")[2], *assignments(chosen)])
