"""Makes a plan from a solved game for an owner, a goal and a root.

By default a plan consists of best moves, chosen to keep it small: it wins as fast as possible and profits
from errors. A smallest plan may choose any move that preserves the goal.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from shlex import quote
from typing import ParamSpec

from solver.database import Database
from solver.database.wording import plies
from solver.errors import NoSuchPlan, NotLegible, PlanTooLarge, TooLarge
from solver.game import sign_for
from solver.plans.plan import Goal, Plan, least_gain
from solver.plans.selection.and_or_graph import (
    AndOrGraph,
    best_moves,
    build_graph,
    moves_worth,
    one_best_move,
)
from solver.plans.selection.small import components, small_merged, smallest_trees, tree_choice
from solver.plans.selection.smallest import smallest_merged
from solver.system.progress import Progress, no_progress, waiting
from solver.system.words import wanted

Options = ParamSpec("Options")

TIME_LIMIT = 60.0
"""The work spent on the smallest merged plan: about as many seconds on a usual machine."""

FAST_LIMIT = 30_000
"""The most positions from which a small plan by best moves is chosen; more would take too long."""

WHOLE_LIMIT = 200_000
"""The most positions of a plan; more could not be read back from JSON."""

MIN_LIMIT = 100_000
"""The most positions from which a smallest plan is chosen; more would take too much memory and time."""


@dataclass(frozen=True)
class Sized:
    """A plan and its size."""

    plan: Plan
    size: int
    """The number of reachable positions or classes; in a tree, each counts once per line of play to it."""
    at_least: int | None = None
    """A lower bound on the size of every plan for the goal; None if it was not computed."""


def choose_plan(
    db: Database,
    position: str | None = None,
    *,
    owner: str | None = None,
    goal: Goal | None = None,
    smallest: bool = False,
    tree: bool = False,
    fold: bool = False,
    time_limit: float = TIME_LIMIT,
    depth: int | None = None,
    limit: int = WHOLE_LIMIT,
    progress: Progress = no_progress,
) -> Sized:
    """A plan from `position` (default: the start) of a solved game, and its size.

    `owner` is the name of a player (default: the player to move). `goal` is `win`, `draw` or the least
    utility for the owner (default: `win` if the owner can force it, else `draw`). With `fold`, a position of
    the plan represents its class of symmetric positions.

    By default the plan has best moves only. A plan too large to be made small is cut `depth` plies below the
    root. With `smallest`, the plan has as few positions as can be found, and its moves need only preserve
    the goal. Each position counts once or, with `tree`, once for each line of play that leads to it.
    `time_limit` is in seconds of a usual machine, but counted in steps: all machines make the same plan.

    Raises `NoSuchPlan` if the other player can prevent the goal, `PlanTooLarge` if the plan has more than
    `limit` positions, `TooLarge` if there are too many positions to find the smallest plan, `NotLegible` if
    no plan has a finite `tree`, `MissingExtra` if OR-Tools, which finds the smallest merged plan, is not
    installed, `UnknownPlayer`, `UsageError` for another goal, and what a lookup raises.
    """
    wanted(Database, db, "open_database(FILE)")
    root = db[db.start if position is None else position]
    player = db.game.players.index(root.to_move) if owner is None else db.game.player(owner)
    gain = sign_for(player) * root.value
    goal = ("win" if gain > 0 else "draw") if goal is None else goal
    if gain < least_gain(goal):
        raise _prevented(db, root.position, player, goal, gain)
    empty = Plan(
        db.game, player, goal, root.position, root.value, {}, db.start, db.endless, fold, scored=db.scored
    )
    if not smallest:
        chosen = _fast(db, empty, depth, limit, progress)
        return Sized(_plan(empty, chosen, limit), len(chosen))
    allowed = moves_worth(least_gain(goal), player)
    graph = build_graph(db, root.position, player, allowed, limit=MIN_LIMIT, fold=fold, progress=progress)
    if tree:
        return _tree(empty, graph, limit)
    must_end = empty.endless_gain < least_gain(goal)
    with waiting(progress, "looking for the smallest plan"):
        chosen, at_least = smallest_merged(db.game, graph, must_end=must_end, work=time_limit)
    return Sized(_plan(empty, chosen, limit), len(chosen), at_least)


def _without_size(choose: Callable[Options, Sized]) -> Callable[Options, Plan]:
    def make_plan(*arguments: Options.args, **options: Options.kwargs) -> Plan:
        """The plan that `choose_plan` returns for the same arguments, without its size."""
        return choose(*arguments, **options).plan

    make_plan.__signature__ = signature(choose).replace(return_annotation=Plan)  # type: ignore[attr-defined]
    return make_plan


make_plan = _without_size(choose_plan)


def _fast(db: Database, empty: Plan, depth: int | None, limit: int, progress: Progress) -> AndOrGraph:
    """A plan by best moves, made small if there are at most `FAST_LIMIT` positions to choose from.

    Otherwise it is cut at `depth`. Raises `PlanTooLarge` for more than `limit` positions.
    """
    graph = partial(build_graph, db, empty.root, empty.owner, fold=empty.folded, progress=progress)
    with suppress(TooLarge):
        choices = graph(best_moves, limit=FAST_LIMIT)
        with waiting(progress, "making the plan small"):
            return small_merged(choices, must_end=False)
    try:
        return graph(one_best_move, limit=limit, depth=depth)
    except TooLarge:
        down, fewer = f" down to {plies(depth)}" if depth else "", (depth or 7) // 2
        draw = f", or draw {'fewer' if depth else 'some'} plies of it, as by --depth {fewer}" if fewer else ""
        raise PlanTooLarge(
            f"the plan from {empty.root!r} has more than {limit:,} positions{down}: plan from a later "
            f"position{draw}"
        ) from None


def _tree(empty: Plan, graph: AndOrGraph, limit: int) -> Sized:
    """The plan with the smallest tree; raises `NotLegible` if no plan has a finite tree."""
    sizes = smallest_trees(graph)
    if 0 not in sizes:
        raise NotLegible(
            f"play by any plan from {empty.root!r} can go round in circles, a tree cannot: use --format json"
        )
    return Sized(_plan(empty, graph.chosen(tree_choice(graph, sizes)), limit), sizes[0], sizes[0])


def _plan(empty: Plan, chosen: AndOrGraph, limit: int) -> Plan:
    if len(chosen) > limit:
        words = f"the plan from {empty.root!r} has {len(chosen):,} positions, more than {limit:,}"
        raise PlanTooLarge(f"{words}: plan from a later position")
    nodes = list(zip(chosen.positions, chosen.owned, chosen.edges, chosen.values, strict=True))
    gains = [gain for _, _, edges, gain in nodes if not edges]
    if any(cycle is not None for cycle in components(chosen)):
        gains.append(empty.endless_gain)
    moves = {position: edges[0].move for position, owned, edges, _ in nodes if owned}
    cut = {chosen.positions[node]: empty.gain(chosen.values[node]) for node in sorted(chosen.cut)}
    return replace(empty, moves=moves, value=empty.gain(min(gains)), cut=cut)


def _prevented(db: Database, root: str, player: int, goal: Goal, gain: int) -> NoSuchPlan:
    requested = f"a {goal}" if isinstance(goal, str) else f"{goal:+d}"
    other = db.game.players[1 - player]
    if gain > 0:
        possible = f"the most is a win by {gain}; ask for --goal {gain}"
    elif gain == 0:
        possible = "the most is a draw; ask for --goal draw"
    else:
        margin = f", or --goal {gain} to lose by no more" if db.scored else ""
        possible = f"{other} wins there against any play; ask for --for {quote(other)}{margin}"
    return NoSuchPlan(f"{db.game.players[player]} cannot force {requested} from {root!r}: {possible}")
