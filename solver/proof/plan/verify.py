"""The proofs: of a plan, for an owner who knows the rules, and of its tables, for one who does not."""

from typing import Any

from solver.errors import BadPlan, BrokenPlan, UnreadablePosition
from solver.plans.plan import Plan
from solver.plans.reader import plan_from_json
from solver.plans.tables import tables_from_json
from solver.proof.plan.executors import ByRules, ByTables
from solver.proof.plan.guarantee import Guarantee, measured
from solver.proof.plan.order import backwards, circle, least_gains
from solver.proof.plan.promise import goal, least, worth
from solver.proof.plan.reachable import Reachable, line, walked
from solver.proof.plan.tables import check_tables
from solver.rules.asking import representative
from solver.rules.notation import write_position


def verify_plan(plan: Plan) -> Guarantee:
    """What `plan` guarantees; raises `BrokenPlan`, with a line of play, where it breaks its promise."""
    met = walked(plan, ByRules(plan))
    _check_promise(plan, met)
    used = {position for position, _ in met}
    if plan.folded:
        used = {write_position(plan.game, representative(plan.game, node.state)) for node in met.values()}
    return measured(plan, met, unused=sum(position not in used for position in plan.moves))


def verify_document(found: Any, source: str = "the plan") -> tuple[Plan, Guarantee, str | None]:
    """The plan in parsed JSON, what it guarantees, and what it lacks for play without rules, if anything.

    Where it lacks nothing, the guarantee is also for those who have nothing but its tables. Raises
    `BrokenPlan`, with a line of play or the wrong entry, and what `plan_from_json` does.
    """
    plan = plan_from_json(found, source)
    proved = verify_plan(plan)
    tables = tables_from_json(found)
    try:
        check_tables(plan, tables)
    except UnreadablePosition as error:
        raise BadPlan(f"{source} is not a usable plan: {error}") from error
    if tables.lacks:
        return plan, proved, tables.lacks
    met = walked(plan, ByTables(tables))
    _check_promise(plan, met)
    return plan, measured(plan, met, proved.unused), None


def _check_promise(plan: Plan, met: Reachable) -> None:
    """Raise `BrokenPlan` where play can go round that must not, or ends below the promised value."""
    surely = backwards(met)
    if len(surely) < len(met) and plan.endless_gain < least(plan):
        raise BrokenPlan(f"the plan for {goal(plan)} can go round for ever: {circle(met, surely)}")
    gain = least_gains(met, surely, plan.endless_gain)[next(iter(met))]
    if gain >= plan.gain(plan.value):
        return
    worst = next((key for key, node in met.items() if node.gain == gain), None)
    if worst is None:
        raise BrokenPlan(
            f"the plan promises the value {plan.value}, but play can go round for ever, "
            f"which is {worth(plan)}: {circle(met, surely)}"
        )
    raise BrokenPlan(
        f"the plan promises the value {plan.value}, but {line(met, worst)} the game ends with "
        f"{plan.gain(gain)} in {worst[0]!r}"
    )
