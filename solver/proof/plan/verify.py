"""Proves a plan for an owner who knows the rules, and its tables for one who does not."""

from typing import Any

from solver.errors import BadPlan, BrokenPlan, UnreadablePosition
from solver.game import AnyGame
from solver.plans.plan import Plan, least_gain
from solver.plans.reader import plan_from_json, tables_from_json
from solver.proof.plan.executors import ByRules, ByTables
from solver.proof.plan.guarantee import Guarantee, measured
from solver.proof.plan.order import backwards, cycle, least_gains
from solver.proof.plan.reachable import Reachable, explore_plan, goal, line
from solver.proof.plan.tables import check_tables
from solver.rules.asking import representative
from solver.rules.notation import write_position


def verify_plan(plan: Plan) -> Guarantee:
    """The guarantee of `plan`; raises `BrokenPlan`, with a line of play, if it breaks its promise."""
    reachable = explore_plan(plan, ByRules(plan))
    _check_promise(plan, reachable)
    used = {position for position, _ in reachable}
    if plan.folded:
        used = {
            write_position(plan.game, representative(plan.game, node.state)) for node in reachable.values()
        }
    return measured(plan, reachable, unused=sum(position not in used for position in plan.moves))


def verify_document(
    found: Any, source: str = "the plan", *, game: AnyGame | None = None, changed: bool = False
) -> tuple[Plan, Guarantee, str | None]:
    """The plan in parsed JSON, its guarantee, and what it lacks for play without rules, if anything.

    Its rules are chosen as by `plan_from_json`. If it lacks nothing, the guarantee also holds for an owner
    who has nothing but its tables. Raises `BrokenPlan`, with a line of play or a wrong entry, and what
    `plan_from_json` raises.
    """
    plan = plan_from_json(found, source, game=game, changed=changed)
    proved = verify_plan(plan)
    tables = tables_from_json(found)
    try:
        check_tables(plan, tables)
    except UnreadablePosition as error:
        raise BadPlan(f"{source} is not a usable plan: {error}") from error
    if tables.lacks:
        return plan, proved, tables.lacks
    reachable = explore_plan(plan, ByTables(tables))
    _check_promise(plan, reachable)
    return plan, measured(plan, reachable, proved.unused), None


def _check_promise(plan: Plan, reachable: Reachable) -> None:
    """Raise `BrokenPlan` if play can be endless but must not, or can end below the promised value."""
    finite = backwards(reachable)
    if len(finite) < len(reachable) and plan.endless_gain < least_gain(plan.goal):
        raise BrokenPlan(f"the plan for {goal(plan)} can go round for ever: {cycle(reachable, finite)}")
    gain = least_gains(reachable, finite, plan.endless_gain)[next(iter(reachable))]
    if gain >= plan.gain(plan.value):
        return
    worst = next((key for key, node in reachable.items() if node.gain == gain), None)
    if worst is None:
        raise BrokenPlan(
            f"the plan promises the value {plan.value}, but play can go round for ever, "
            f"which is {_endless(plan)}: {cycle(reachable, finite)}"
        )
    raise BrokenPlan(
        f"the plan promises the value {plan.value}, but {line(reachable, worst)} the game ends with "
        f"{plan.gain(gain)} in {worst[0]!r}"
    )


def _endless(plan: Plan) -> str:
    """The result of endless play in words."""
    return "a draw" if plan.endless == "draw" else f"won by {plan.game.players[plan.endless == 'second']}"
