"""A plan as a tree with a node for each line of play: below OR nodes one move, below AND nodes every reply.

It is drawn as the tree of an AND-OR search that tries only the plan's moves.
"""

from collections.abc import Sequence
from typing import Any

from exporters.search_tree import picture
from exporters.search_tree.scene import MAX_NODES
from solver.plans.plan import Plan, gain_at_cut, planned_move, unfold
from solver.plans.wording import goal, plan_title
from solver.rules.asking import actions_of, mover_of
from solver.rules.notation import read_position, write_action
from solver.search.trace import SearchTrace, TracedNode, Visit


def written(plan: Plan, depth: int | None = None, ending: str = "svg") -> str | bytes:
    """The tree for a file with the suffix `ending`, cut at `depth` plies; raises what `render` raises."""
    return picture.render(traced(plan, depth), ending, plan_title(plan, unfold(plan)), plan.marks)


def traced(plan: Plan, depth: int | None = None) -> SearchTrace:
    """The tree, built ply by ply, down to `depth` or to the ply that makes it too large to draw."""
    nodes, sizes = list[TracedNode](), list[int]()
    ply: list[tuple[Any, Any, int | None]] = [(read_position(plan.game, plan.root), None, None)]
    while ply and len(nodes) <= MAX_NODES:
        below: list[tuple[Any, Any, int | None]] = []
        next_ply = len(nodes) + len(ply)
        for state, action, parent in ply:
            visit, moves = _followed(plan, state)
            first, hidden = next_ply + len(below), len(moves) if len(sizes) == depth else 0
            below += [(plan.game.result(state, move), move, len(nodes)) for move in moves[hidden:]]
            children = tuple(range(first, next_ply + len(below)))
            choice = first if visit is Visit.SEARCHED and children else None
            node = (state, action, parent, len(sizes), visit, True, None, children, choice, hidden)
            nodes.append(TracedNode(*node))
        sizes.append(len(ply))
        ply = below
    counts = tuple(nodes), tuple(sizes), len(nodes)
    return SearchTrace(plan.game, "plan", depth, *counts, (goal(plan),), (), owner=plan.owner)


def _followed(plan: Plan, state: Any) -> tuple[Visit, Sequence[Any]]:
    actions = actions_of(plan.game, state)
    if not actions:
        return Visit.TERMINAL, ()
    if gain_at_cut(plan, state) is not None:
        return Visit.HORIZON, ()
    if mover_of(plan.game, state) != plan.owner:
        return Visit.REPLIES, actions
    move = planned_move(plan, state)
    return Visit.SEARCHED, [action for action in actions if write_action(plan.game, action) == move]
