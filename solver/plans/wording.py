"""Plans in words: their guarantees, sizes and titles."""

from solver.database.wording import game_title, plies
from solver.plans.plan import Plan, PlanGraph, longest_line, root_of
from solver.plans.selection import Sized
from solver.system.words import number_of


def guarantee(owner: str, gain: int, longest: int | None, *, scored: bool) -> str:
    """The guarantee in words, from the owner's least gain and the longest line in plies, None if unknown."""
    if gain > 0:
        margin = f" by at least {gain}" if scored else ""
        return f"{owner} wins{margin}" + (f" in at most {plies(longest)}" if longest else "")
    if gain < 0 and scored:
        return f"{owner} loses by at most {-gain}"
    return f"{owner} never loses" if gain == 0 else f"{owner} may lose"


def goal(plan: Plan) -> str:
    """The plan's goal in words: "a win", "+2 or better"."""
    return f"{plan.goal:+d} or better" if isinstance(plan.goal, int) else f"a {plan.goal}"


def plan_guarantee(plan: Plan, graph: PlanGraph) -> str:
    """The guarantee of the plan that `graph` unfolds: "x wins in at most 7 plies"."""
    gain, longest = graph.nodes[root_of(plan)]["gain"], None if plan.cut else longest_line(graph)
    text = guarantee(plan.owner_name, gain, longest, scored=plan.scored)
    return text + (", by the database below the cut" if plan.cut else "")


def plan_size(made: Sized) -> str:
    """The size of a plan and the lower bound on the size of every plan: "122 positions, at least 59"."""
    folded = made.plan.folded
    counted = number_of(made.size, "class", "classes") if folded else number_of(made.size, "position")
    counted += " of symmetric positions" if folded else ""
    if made.at_least is None:
        return f"at least {counted}" if made.plan.cut else counted
    proved = "proved smallest" if made.at_least == made.size else f"at least {made.at_least:,}"
    return f"{counted}, {proved}"


def plan_title(plan: Plan, graph: PlanGraph) -> str:
    """The owner, the game and the guarantee of a plan in one line, with its root unless it is the start."""
    game = game_title(plan.game) + ("" if plan.root == plan.start else f" from {plan.root}")
    return f"Plan for {plan.owner_name} in {game}: {plan_guarantee(plan, graph)}"
