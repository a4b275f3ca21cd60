"""AND-OR conditional plans: one chosen move at each OR node (owner to move), every reply at each AND node.

A `Plan` stores only the chosen moves. `unfold` derives replies, terminal states and guaranteed gains by the
rules.

Source: S. Russell and P. Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, section 4.3.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

from solver.errors import BadPlan, UsageError
from solver.game import ENDLESS, AnyGame, sign_for
from solver.rules.asking import actions_of, from_representative, mover_of, representative, utility_of
from solver.rules.failures import rules_asked
from solver.rules.notation import read_position, write_action, write_child, write_position
from solver.system.plugins import Pictured, shown_in_notebook

if TYPE_CHECKING:
    from solver.analysis.certificates.mark import Mark

SCHEMA = "perfectplay/plan/1"
"""The name and version of the JSON form of plans, as described by exporters/plan.schema.json."""

GOALS = {"win": 1, "draw": 0}
"""The least utility for the owner that achieves each goal; `draw` means win or draw."""

Goal: TypeAlias = str | int

PlanGraph: TypeAlias = "nx.DiGraph[str]"


def least_gain(goal: Goal) -> int:
    """The least gain, a utility for the owner, that achieves `goal`; raises `UsageError` if there is none."""
    if isinstance(goal, int):
        return goal
    if goal not in GOALS:
        raise UsageError(f"there is no goal {goal!r}; there are {', '.join(GOALS)} and integers")
    return GOALS[goal]


@dataclass(frozen=True)
class Plan(Pictured):
    """The moves by which the owner achieves a goal from the root, whatever the other player does."""

    game: AnyGame
    owner: int
    """The player who follows the plan: 0 or 1."""
    goal: Goal
    """`win`, `draw` (win or draw), or the least utility for the owner that counts as success."""
    root: str
    """The position where the plan begins."""
    value: int
    """The utility, for the first player, that the plan guarantees."""
    moves: Mapping[str, str | int]
    """The name of the chosen move in each position of the owner, breadth first from the root."""
    start: str
    """The position from which the game was solved."""
    endless: str = "draw"
    """The result of endless play: `draw`, or a win for `first` or `second`."""
    folded: bool = False
    """Whether each position represents its class of symmetric positions."""
    cut: Mapping[str, int] = field(default_factory=dict)
    """The minimax value, for the first player, of each position at which the plan is cut."""
    scored: bool = False
    """Whether the margin of a win matters, according to the database from which the plan was made."""
    marks: "tuple[Mark, ...]" = ()
    """The marks of certificates of the root's value, which every output of the plan shows."""

    @property
    def owner_name(self) -> str:
        """The name of the owner."""
        return self.game.players[self.owner]

    @property
    def margin(self) -> int | None:
        """The least margin of the winner, the absolute `value`; None in a game without margins."""
        return abs(self.value) if self.scored else None

    @property
    def endless_gain(self) -> int:
        """The utility of endless play for the owner."""
        return self.gain(ENDLESS[self.endless])

    def gain(self, value: int) -> int:
        """The utility for the owner, given `value`, a utility for the first player."""
        return sign_for(self.owner) * value

    def _repr_svg_(self) -> str | None:
        return shown_in_notebook("plan", self)


def unfold(plan: Plan) -> PlanGraph:
    """The graph of positions reachable when the owner follows `plan`, breadth first from the root.

    A node is a position with the attributes `state`, `kind` (`or`: owner to move, `and`: other player to
    move, `end`) and `gain`: the least gain of the owner from there on, endless play included. Nodes at which
    the plan is cut have no edges. An edge has the attribute `moves`, the names of all moves between its
    positions. In a folded plan, nodes are canonical positions. Raises `BadPlan` if the plan lacks a move or
    has an illegal one.
    """
    game, graph, root = plan.game, nx.DiGraph(), root_of(plan)
    with rules_asked(game):
        graph.add_node(root, state=game.parse(root))
        queue = [root]
        for position in queue:  # which grows
            node = graph.nodes[position]
            actions = actions_of(game, node["state"])
            if not actions:
                node.update(kind="end", gain=plan.gain(utility_of(game, node["state"])))
                continue
            node["kind"] = "or" if mover_of(game, node["state"]) == plan.owner else "and"
            if (gain := gain_at_cut(plan, node["state"])) is not None:
                node["gain"] = gain
                continue
            for action in [_chosen(plan, position, actions)] if node["kind"] == "or" else actions:
                state = _member(plan, game.result(node["state"], action))
                child = write_child(game, state)
                if child not in graph:
                    graph.add_node(child, state=state)
                    queue.append(child)
                moves = graph.edges[position, child]["moves"] if graph.has_edge(position, child) else ()
                graph.add_edge(position, child, moves=(*moves, write_action(game, action)))
    _add_gains(graph, plan.endless_gain)
    return graph


def longest_line(graph: PlanGraph) -> int | None:
    """The length in plies of the longest line of play; None if play may go on for ever."""
    if not nx.is_directed_acyclic_graph(graph):
        return None
    return int(nx.dag_longest_path_length(graph, weight=None))


def root_of(plan: Plan) -> str:
    """The root's node in the graph of `unfold`: in a folded plan, its canonical position."""
    if not plan.folded:
        return plan.root
    return write_position(plan.game, _member(plan, read_position(plan.game, plan.root)))


def planned_move(plan: Plan, state: Any) -> str | int | None:
    """The name of the planned move in `state`; None if there is none.

    In a folded plan, a symmetry maps the move in the canonical state to `state`. Raises `BadPlan` if that
    move is illegal in the canonical state; the move of a plan that is not folded is not checked.
    """
    game = plan.game
    if not plan.folded:
        return plan.moves.get(write_position(game, state))
    chosen, back = from_representative(game, state)
    position = write_position(game, chosen)
    if position not in plan.moves:
        return None
    return write_action(game, back(_chosen(plan, position, actions_of(game, chosen))))


def gain_at_cut(plan: Plan, state: Any) -> int | None:
    """The owner's gain, by the database, in a state at which the plan is cut; None in any other state."""
    value = plan.cut.get(write_position(plan.game, _member(plan, state))) if plan.cut else None
    return None if value is None else plan.gain(value)


def _member(plan: Plan, state: Any) -> Any:
    return representative(plan.game, state) if plan.folded else state


def _chosen(plan: Plan, position: str, actions: Any) -> Any:
    """The planned action in a position of the owner; raises `BadPlan` if it is missing or illegal."""
    if position not in plan.moves:
        raise BadPlan(f"the plan has no move for the position {position!r}")
    for action in actions:
        if write_action(plan.game, action) == plan.moves[position]:
            return action
    raise BadPlan(f"the plan's move {plan.moves[position]!r} is not legal in the position {position!r}")


def _add_gains(graph: PlanGraph, endless_gain: int) -> None:
    """Set the `gain` of each node to the least of the ends and the endless play that it can reach."""
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
