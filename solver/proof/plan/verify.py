"""Proves a plan for an owner who knows the rules, and its tables for one who does not.

Every entry of the tables is checked against the rules, even for unreachable positions.
"""

from typing import Any

from solver.database.wording import endless_play
from solver.errors import BadPlan, BrokenPlan, UnreadablePosition
from solver.game import AnyGame
from solver.plans.plan import Plan, least_gain
from solver.plans.reader import ChosenMove, Fold, Tables, plan_from_json, tables_from_json
from solver.plans.wording import goal
from solver.proof.answers import actions_by_name
from solver.proof.plan.executors import ByTables, Executor
from solver.proof.plan.guarantee import Guarantee, measured
from solver.proof.plan.reachable import Reachable, backwards, cycle, explore_plan, least_gains, line
from solver.rules.asking import mover_of, representative, utility_of
from solver.rules.notation import read_position, write_position
from solver.system.words import wanted


def check_tables(plan: Plan, tables: Tables) -> None:
    """Raise `BrokenPlan` for the first entry that the rules contradict.

    A folded position and the one that stands for it must have the same player to move, the same utility and,
    by the symmetry's table, the same moves. The exploration shows whether play after these moves is the same.
    """
    for number, table in enumerate(tables.symmetries):
        if {*table} != {*table.values()}:
            raise BrokenPlan(f"the symmetry {number} of the plan does not take its moves to all of them")
    for position, choice in tables.states.items():
        if choice.then is not None:
            _check_choice(plan, position, choice)
    for position, replies in (tables.replies or {}).items():
        _check_replies(plan, position, dict(replies))
    for position, utility in (tables.ends or {}).items():
        _check_end(plan.game, position, utility)
    for position, fold in (tables.folded or {}).items():
        _check_fold(plan.game, position, fold, tables)


def _check_choice(plan: Plan, position: str, choice: ChosenMove) -> None:
    game, successors = plan.game, _successors(plan.game, position)
    if successors and mover_of(game, read_position(game, position)) != plan.owner:
        raise BrokenPlan(f"the plan has a move in {position!r}, but {plan.owner_name} is not to move there")
    if str(choice.move) not in successors:
        raise BrokenPlan(f"the plan's move {choice.move!r} is not legal in {position!r}")
    after = successors[str(choice.move)]
    _check_position(game, after, f"the move {choice.move!r} leads from {position!r}", str(choice.then))


def _check_replies(plan: Plan, position: str, replies: dict[str, str]) -> None:
    game, successors = plan.game, _successors(plan.game, position)
    if successors and mover_of(game, read_position(game, position)) == plan.owner:
        raise BrokenPlan(f"the plan has replies in {position!r}, but {plan.owner_name} is to move there")
    if strange := next((move for move in replies if move not in successors), None):
        raise BrokenPlan(f"the plan has the reply {strange!r} in {position!r}, which is not legal there")
    for move, state in successors.items():
        if move not in replies:
            raise BrokenPlan(f"the plan lacks the reply {move!r} in {position!r}")
        _check_position(game, state, f"the reply {move!r} leads from {position!r}", replies[move])


def _check_end(game: AnyGame, position: str, utility: int) -> None:
    if _successors(game, position):
        raise BrokenPlan(f"the plan has {position!r} among the ends, but the game goes on there")
    right = utility_of(game, read_position(game, position))
    if right != utility:
        raise BrokenPlan(f"by the plan {position!r} is an end with utility {utility}, but it is {right}")


def _check_fold(game: AnyGame, position: str, fold: Fold, tables: Tables) -> None:
    table = tables.symmetries[fold.by]
    mover, utility, moves = _signature(game, position)
    if (mover, utility, {table.get(move, move) for move in moves}) != _signature(game, fold.position):
        raise BrokenPlan(
            f"by the plan {fold.position!r} stands for {position!r} by the symmetry {fold.by}, but the rules "
            "tell them apart"
        )


def _signature(game: AnyGame, position: str) -> tuple[int, int | None, set[str]]:
    """The player to move, the utility, None in an open state, and the names of the moves."""
    state, moves = read_position(game, position), {*_successors(game, position)}
    return mover_of(game, state), None if moves else utility_of(game, state), moves


def _successors(game: AnyGame, position: str) -> dict[str, Any]:
    state = read_position(game, position)
    return {str(name): game.result(state, action) for name, action in actions_by_name(game, state).items()}


def _check_position(game: AnyGame, state: Any, leads: str, text: str) -> None:
    """Raise `BrokenPlan` unless the text, in any accepted spelling, is the position of a state."""
    right = write_position(game, state)
    if text != right and write_position(game, read_position(game, text)) != right:
        raise BrokenPlan(f"by the plan {leads} to {text!r}, but it leads to {right!r}")


def verify_plan(plan: Plan) -> Guarantee:
    """The guarantee of `plan`; raises `BrokenPlan`, with a line of play, if it breaks its promise."""
    wanted(Plan, plan, "read_plan(FILE)")
    reachable = explore_plan(plan, Executor(plan))
    _check_promise(plan, reachable)
    used = {position for position, _ in reachable}
    if plan.folded:
        states = (representative(plan.game, node.state) for node in reachable.values())
        used = {write_position(plan.game, state) for state in states}
    return measured(plan, reachable, unused=sum(position not in used for position in plan.moves))


def verify_document(
    document: Any, source: str = "the plan", *, game: AnyGame | None = None, changed: bool = False
) -> tuple[Plan, Guarantee, str | None]:
    """The plan in parsed JSON, its guarantee, and what it lacks for play without rules, if anything.

    Its rules are chosen as by `plan_from_json`. If it lacks nothing, the guarantee also holds for an owner
    who has only its tables. Raises `BrokenPlan`, with a line of play or a wrong entry, and what
    `plan_from_json` raises.
    """
    plan = plan_from_json(document, source, game=game, changed=changed)
    proved = verify_plan(plan)
    tables = tables_from_json(document)
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
            f"which is {endless_play(plan.game, plan.endless)}: {cycle(reachable, finite)}"
        )
    raise BrokenPlan(
        f"the plan promises the value {plan.value}, but {line(reachable, worst)} the game ends with "
        f"{plan.gain(gain)} in {worst[0]!r}"
    )
