"""A plan as one HTML file: its owner's move wherever the owner is to move, every reply wherever the other is.

What is said of a position is what the plan guarantees its owner from there on, as far as the plan goes: at
least so much, in at most so many plies.
"""

from collections import deque

from exporters.guarantee import game_title, guarantee
from exporters.html.page import page
from exporters.html.rows import MOST_BYTES, Known, Link, Room, Rows
from solver.plan import Plan, PlanGraph, unfold

INSTEAD = "plan from a later position, or use --format json"
"""What to do about a plan of too many positions."""


def render(plan: Plan, *, most_bytes: int = MOST_BYTES) -> str:
    """The text of the HTML file; raises `PageTooLarge` for a plan of too many positions."""
    graph = unfold(plan)
    longest, rows = longest_lines(graph), Rows(plan.game, Room("the plan", INSTEAD, most_bytes))
    rows.fill([plan.root], lambda text: _known(plan, graph, longest, text), total=len(graph))
    gains = [abs(gain) for _, gain in graph.nodes.data("gain")]
    document = rows.document(
        kind="plan",
        players=plan.game.players,
        owner=plan.owner,
        scored=isinstance(plan.goal, int) or max(gains) > 1,
        roots=1,
    )
    heading = f"{game_title(plan.game)}: a plan for {plan.owner_name}"
    count = f"{len(graph):,} {'position' if len(graph) == 1 else 'positions'}"
    return page(heading, f"From {plan.root}, {guarantee(plan, graph)}. {count}.", document)


def longest_lines(graph: PlanGraph) -> dict[str, int]:
    """The plies of the longest line of play from each position, but for those from which play can go on."""
    waiting = dict(graph.out_degree())
    queue, longest = deque(node for node, count in waiting.items() if not count), dict[str, int]()
    while queue:
        node = queue.popleft()
        longest[node] = max((longest[child] + 1 for child in graph.successors(node)), default=0)
        for parent in graph.predecessors(node):
            waiting[parent] -= 1
            if not waiting[parent]:
                queue.append(parent)
    return longest


def _known(plan: Plan, graph: PlanGraph, longest: dict[str, int], text: str) -> Known:
    """A position of the plan as the page knows it."""
    node = graph.nodes[text]
    order = [(move, child) for _, child, moves in graph.edges(text, data="moves") for move in moves]
    chosen = node["kind"] == "or"
    return Known(
        position=text,
        state=node["state"],
        mover=plan.game.to_move(node["state"]),
        value=plan.gain(node["gain"]),
        plies=longest.get(text),
        ply=None,
        links=[Link(move, child, chosen) for move, child in (order[:1] if chosen else order)],
    )
