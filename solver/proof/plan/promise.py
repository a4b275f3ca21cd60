"""What a plan promises, and the ends that fall short of it, in words."""

from solver.errors import BrokenPlan
from solver.plans.plan import Plan

THRESHOLDS = {"win": 1, "draw": 0}
"""The least gain of the owner that reaches each goal in words; a number is itself the least gain."""


def least(plan: Plan) -> int:
    """The least gain that reaches the plan's goal."""
    return plan.goal if isinstance(plan.goal, int) else THRESHOLDS[plan.goal]


def goal(plan: Plan) -> str:
    """The plan's goal, in words."""
    return f"{plan.goal:+d} or better" if isinstance(plan.goal, int) else f"a {plan.goal}"


def worth(plan: Plan) -> str:
    """What endless play is, in words."""
    return "a draw" if plan.endless == "draw" else f"won by {plan.game.players[plan.endless == 'second']}"


def check_end(plan: Plan, gain: int, line: str, position: str) -> None:
    """Raise `BrokenPlan` where the gain at the end of a line of play is below the goal."""
    if gain < least(plan):
        outcome = "won by no more than " + str(gain) if gain > 0 else "lost" if gain < 0 else "a draw"
        raise BrokenPlan(
            f"the plan for {plan.owner_name} promises {goal(plan)}, but {line} the game is {outcome} in "
            f"{position!r}"
        )
