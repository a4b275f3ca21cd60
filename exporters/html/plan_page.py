"""A plan as one HTML page: the plan's move where its owner is to move, every reply where the opponent is.

The value of a position is the least gain that the plan guarantees from there, and its plies are the length of
the longest line.
"""

from contextlib import suppress
from dataclasses import replace

import networkx as nx

from exporters.html.page import about_game, page
from exporters.html.rows import MAX_BYTES, PageMove, PagePosition, PositionRows, SizeLimit
from solver.database.wording import game_title
from solver.plans.plan import Plan, PlanGraph, planned_move, unfold
from solver.plans.wording import plan_guarantee
from solver.rules.asking import actions_of, mover_of
from solver.rules.notation import read_position, write_action, write_position
from solver.system.words import number_of


def render(plan: Plan, *, most_bytes: int = MAX_BYTES) -> str:
    """The text of the HTML file; raises `PageTooLarge` for a plan of too many positions.

    A folded plan is unfolded: the page has every position that can arise.
    """
    plan = unfolded_plan(plan)
    graph = unfold(plan)
    longest, rows = longest_lines(graph), PositionRows(plan.game)
    room = SizeLimit("the plan", "plan from a later position, or use --format json", most_bytes)
    rows.fill([plan.root], lambda text: _page_position(plan, graph, longest, text), room, total=len(graph))
    about = about_game("plan", plan.game, plan.owner, scored=plan.scored, roots=1, source=None)
    document = rows.document(**about)
    heading = f"{game_title(plan.game)}: a plan for {plan.owner_name}"
    count = f"{number_of(len(graph), 'position')}."
    answer = f"From {plan.root}, {plan_guarantee(plan, graph)}."
    return page(plan.game, heading, count, answer, document, marks=plan.marks)


def unfolded_plan(plan: Plan) -> Plan:
    """The plan with a move for each position that can arise, in place of one for each class."""
    if not plan.folded:
        return plan
    game, moves = plan.game, dict[str, str | int]()
    queue = [read_position(game, plan.root)]
    met = set(queue)
    for state in queue:  # which grows
        actions = actions_of(game, state)
        if actions and mover_of(game, state) == plan.owner:
            move = planned_move(plan, state)
            actions = tuple(action for action in actions if write_action(game, action) == move)
            moves |= {write_position(game, state): move} if move is not None else {}
        for child in (game.result(state, action) for action in actions):
            if child not in met:
                met.add(child)
                queue.append(child)
    return replace(plan, moves=moves, folded=False)


def longest_lines(graph: PlanGraph) -> dict[str, int]:
    """The length in plies of the longest line from each position; positions with endless play are missing."""
    longest = dict[str, int]()
    with suppress(nx.NetworkXUnfeasible):  # raised at the end if play can go on for ever
        for plies, nodes in enumerate(nx.topological_generations(graph.reverse(copy=False))):
            longest |= dict.fromkeys(nodes, plies)
    return longest


def _page_position(plan: Plan, graph: PlanGraph, longest: dict[str, int], text: str) -> PagePosition:
    node = graph.nodes[text]
    order = [(move, child) for _, child, moves in graph.edges(text, data="moves") for move in moves]
    chosen = node["kind"] == "or"
    return PagePosition(
        position=text,
        state=node["state"],
        mover=mover_of(plan.game, node["state"]),
        value=plan.gain(node["gain"]),
        plies=longest.get(text),
        ply=None,
        links=[PageMove(move, child, chosen) for move, child in (order[:1] if chosen else order)],
    )
