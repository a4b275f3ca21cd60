"""AND-OR conditional plans: one chosen move wherever the owner is to move, every reply wherever the other is.

A `Plan` is no more than its choices; what follows from them (replies, ends, guarantee) is unfolded from the
rules. Source of the idea: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition,
section 4.3.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import networkx as nx

from solver.errors import BadPlan
from solver.game import ENDLESS, FIRST, AnyGame
from solver.rules.asking import actions_of, from_representative, mover_of, representative, utility_of
from solver.rules.failures import rules_asked
from solver.rules.notation import read_position, write_action, write_position
from solver.system.plugins import shown_in_notebook

SCHEMA = "perfectplay/plan/1"
"""Names the form of a plan's JSON; exporters/plan.schema.json describes it."""

GOALS = {"win": 1, "draw": 0}
"""The least gain of the owner, in the sense of its sign, that reaches each goal; `draw` is: never lose."""

Goal: TypeAlias = str | int

PlanGraph: TypeAlias = "nx.DiGraph[str]"


def least_gain(goal: Goal) -> int:
    """The least utility for the owner that reaches `goal`."""
    return goal if isinstance(goal, int) else GOALS[goal]


@dataclass(frozen=True)
class Plan:
    """What its owner does, whatever the other player does, to reach a goal from a root."""

    game: AnyGame
    """The rules."""
    owner: int
    """The player whose plan it is: 0 or 1."""
    goal: Goal
    """`win`, or `draw` (win or draw), or the least utility for the owner that is to be reached."""
    root: str
    """The position from which it begins."""
    value: int
    """The utility that it guarantees, for the first player."""
    moves: Mapping[str, str | int]
    """The chosen move, by name, in each position where the owner is to move, breadth first from the root."""
    start: str
    """The position from which the game was solved."""
    endless: str = "draw"
    """Who gets play that never ends: `draw`, `first` or `second`."""
    folded: bool = False
    """Whether each position stands for all that are symmetric to it."""

    @property
    def owner_name(self) -> str:
        """The name of the player whose plan it is."""
        return self.game.players[self.owner]

    @property
    def endless_gain(self) -> int:
        """What play that never ends is worth to the owner."""
        return self.gain(ENDLESS[self.endless])

    def gain(self, value: int) -> int:
        """What `value`, which is for the first player, is for the owner."""
        return value if self.owner == FIRST else -value

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return shown_in_notebook("plan", self)


def unfold(plan: Plan) -> PlanGraph:
    """Every position that can arise when the owner follows `plan`, each once, breadth first from the root.

    A node is a position, with `state`, `kind` (`or`: the owner is to move, `and`: the other, `end`) and
    `gain`: the least that the owner gets from there on, be it by endless play. An edge has `moves`: the names
    of the moves that it stands for. Of a folded plan a node is the canonical position of a class, and an edge
    leads to the class of the position after the move. Raises `BadPlan` where the plan lacks a move or has an
    illegal one.
    """
    with rules_asked(plan.game):
        return _unfolded(plan)


def _unfolded(plan: Plan) -> PlanGraph:
    game, graph, root = plan.game, nx.DiGraph(), root_of(plan)
    graph.add_node(root, state=game.parse(root))
    queue = deque([root])
    while queue:
        position = queue.popleft()
        node = graph.nodes[position]
        actions = actions_of(game, node["state"])
        if not actions:
            node.update(kind="end", gain=plan.gain(utility_of(game, node["state"])))
            continue
        node["kind"] = "or" if mover_of(game, node["state"]) == plan.owner else "and"
        for action in [_chosen(plan, position, actions)] if node["kind"] == "or" else actions:
            state = _member(plan, game.result(node["state"], action))
            child = game.position(state)
            if child not in graph:
                graph.add_node(child, state=state)
                queue.append(child)
            name = game.action_name(action)
            known = graph.edges[position, child]["moves"] if graph.has_edge(position, child) else ()
            graph.add_edge(position, child, moves=(*known, name))
    _add_gains(graph, plan.endless_gain)
    return graph


def longest_line(graph: PlanGraph) -> int | None:
    """The plies of the longest line of play in an unfolded plan; None when play may go on for ever."""
    if not nx.is_directed_acyclic_graph(graph):
        return None
    return int(nx.dag_longest_path_length(graph, weight=None))


def root_of(plan: Plan) -> str:
    """The node of the root in the unfolded plan: of a folded plan the canonical position of its class."""
    if not plan.folded:
        return plan.root
    return write_position(plan.game, _member(plan, read_position(plan.game, plan.root)))


def planned_move(plan: Plan, state: Any) -> str | int | None:
    """The name in `state` of the move that the plan has for it; None where it has none.

    Of a folded plan it is the move for the class of `state`, taken back to `state` by a symmetry. Raises
    `BadPlan` where the class has no such move; whether an unfolded plan's move is legal is not asked.
    """
    game = plan.game
    if not plan.folded:
        return plan.moves.get(write_position(game, state))
    chosen, back = from_representative(game, state)
    position = write_position(game, chosen)
    if position not in plan.moves:
        return None
    return write_action(game, back(_chosen(plan, position, actions_of(game, chosen))))


def _member(plan: Plan, state: Any) -> Any:
    """The state that stands for `state` in the plan."""
    return representative(plan.game, state) if plan.folded else state


def _chosen(plan: Plan, position: str, actions: Any) -> Any:
    """The action that the plan has for a position of its owner."""
    if position not in plan.moves:
        raise BadPlan(f"the plan has no move for the position {position!r}")
    for action in actions:
        if plan.game.action_name(action) == plan.moves[position]:
            return action
    raise BadPlan(f"the plan's move {plan.moves[position]!r} is not legal in the position {position!r}")


def _add_gains(graph: PlanGraph, endless_gain: int) -> None:
    """Give each node the least gain among the ends, and the endless lines, that it can lead to."""
    gains = {node: gain for node, gain in graph.nodes.data("gain") if gain is not None}
    for component in nx.strongly_connected_components(graph):
        if len(component) > 1 or any(graph.has_edge(node, node) for node in component):
            gains |= dict.fromkeys(component, endless_gain)
    settled: set[str] = set()
    for source in sorted(gains, key=lambda node: gains[node]):
        stack = [source]
        while stack:
            node = stack.pop()
            if node not in settled:
                settled.add(node)
                graph.nodes[node]["gain"] = gains[source]
                stack.extend(graph.predecessors(node))
