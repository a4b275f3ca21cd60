"""Plans of solved games: whose, for what goal, from where, and chosen how.

Without further ado a plan keeps to the best moves, so it wins as fast as can be and takes the profit from
errors, and of them it takes those that make it small. The smallest keeps no more than its goal.
"""

from dataclasses import dataclass, replace

from solver.database import Database
from solver.errors import NoSuchPlan, NotLegible, TooLarge
from solver.game import sign_for
from solver.plans.plan import Goal, Plan, least_gain
from solver.plans.selection.and_or_graph import AndOrGraph, best_moves, choices, moves_worth, one_best_move
from solver.plans.selection.cycles import components
from solver.plans.selection.smallest import small_merged, smallest_merged
from solver.plans.selection.smallest_tree import smallest_trees, tree_choice

TIME_LIMIT = 60.0
"""How long to look for the smallest merged plan, in seconds of a usual machine."""

MOST_FAST = 30_000
"""Among more positions than this nothing is chosen without being asked to: it would no longer be fast."""

MOST = 100_000
"""Among more positions than this no smallest plan is looked for: memory and time would not suffice."""


@dataclass(frozen=True)
class Sized:
    """A plan and its size."""

    plan: Plan
    """The plan."""
    size: int
    """How many positions arise, or classes of symmetric ones; in a tree each as often as ways lead to it."""
    at_least: int | None = None
    """No plan for the goal has fewer; None where that was not asked."""


def make_plan(
    db: Database,
    position: str | None = None,
    *,
    owner: str | None = None,
    goal: Goal | None = None,
    smallest: bool = False,
    tree: bool = False,
    fold: bool = False,
    time_limit: float = TIME_LIMIT,
) -> Plan:
    """A plan from `position` (default: the start) of a solved game, by its best moves.

    Where the owner wins, it wins as fast as can be; where the other errs, it takes the profit. `owner` names
    a player (default: the one to move); `goal` is `win`, `draw` or the least utility for the owner (default:
    the better of win and draw that the owner can force). With `fold` the plan has one position for all that
    are symmetric to it. With `smallest` it has as few positions as can be found and keeps its goal, no more:
    each position counts once, or in a `tree` as often as ways lead to it. `time_limit` is in seconds of a
    usual machine, but counted in steps, so that the same call makes the same plan on any machine.

    Raises `NoSuchPlan` when the other can prevent it, `TooLarge` where there are too many positions to
    choose the smallest from, `MissingExtra` where the library is missing that finds it.
    """
    return choose_plan(
        db,
        position,
        owner=owner,
        goal=goal,
        smallest=smallest,
        tree=tree,
        fold=fold,
        time_limit=time_limit,
    ).plan


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
) -> Sized:
    """The plan that `make_plan` makes, its size, and how small one can be at all."""
    root = db[db.start if position is None else position]
    player = db.game.players.index(root.to_move) if owner is None else db.game.player(owner)
    gain = sign_for(player) * root.value
    goal = ("win" if gain > 0 else "draw") if goal is None else goal
    if gain < least_gain(goal):
        raise _prevented(db, root.position, player, goal, gain)
    empty = Plan(db.game, player, goal, root.position, root.value, {}, db.start, db.endless, fold)
    if not smallest:
        found = _fast(db, empty)
        return Sized(_plan(empty, found), len(found))
    graph = choices(db, root.position, player, moves_worth(least_gain(goal), player), most=MOST, fold=fold)
    if tree:
        return _tree(empty, graph)
    ends = empty.endless_gain < least_gain(goal)
    found, at_least = smallest_merged(db.game, graph, ends=ends, work=time_limit)
    return Sized(_plan(empty, found), len(found), at_least)


def _fast(db: Database, empty: Plan) -> AndOrGraph:
    """A plan by best moves, a small one if there are not too many positions to choose from."""
    try:
        graph = choices(db, empty.root, empty.owner, best_moves, most=MOST_FAST, fold=empty.folded)
    except TooLarge:
        return choices(db, empty.root, empty.owner, one_best_move, fold=empty.folded)
    return small_merged(graph, ends=False)


def _tree(empty: Plan, graph: AndOrGraph) -> Sized:
    """The plan of the smallest tree; raises `NotLegible` where no plan has a finite one."""
    sizes = smallest_trees(graph)
    if 0 not in sizes:
        raise NotLegible(
            f"play by any plan from {empty.root!r} can go round in circles, a tree cannot: use --format json"
        )
    return Sized(_plan(empty, graph.chosen(tree_choice(graph, sizes))), sizes[0], sizes[0])


def _plan(empty: Plan, chosen: AndOrGraph) -> Plan:
    """The plan with the moves that were chosen, and the value that it guarantees."""
    nodes = list(zip(chosen.positions, chosen.owned, chosen.ways, chosen.gains, strict=True))
    gains = [gain for _, _, ways, gain in nodes if not ways]
    if any(circle is not None for circle in components(chosen)):
        gains.append(empty.endless_gain)
    moves = {position: ways[0].move for position, owned, ways, _ in nodes if owned}
    return replace(empty, moves=moves, value=empty.gain(min(gains)))


def _prevented(db: Database, root: str, player: int, goal: Goal, gain: int) -> NoSuchPlan:
    """The error for a goal that is more than the owner's best `gain`; it says what is possible instead."""
    wanted = f"a {goal}" if isinstance(goal, str) else f"{goal:+d}"
    other = db.game.players[1 - player]
    if gain > 0:
        possible = f"the most is a win by {gain}; ask for --goal {gain}"
    elif gain == 0:
        possible = "the most is a draw; ask for --goal draw"
    else:
        margin = f", or --goal {gain} to lose by no more" if db.scored else ""
        possible = f"{other} wins there against any play; ask for --for {other}{margin}"
    return NoSuchPlan(f"{db.game.players[player]} cannot force {wanted} from {root!r}: {possible}")
