"""The pictures of plans and graphs in notebooks, drawn without Graphviz."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import networkx as nx

from exporters.svg import state_rows
from exporters.svg.plan_map import page as plan_map
from exporters.svg.state_rows import Box
from solver.database.wording import ending, game_title
from solver.engines.graph.reachable import Graph
from solver.errors import NotLegible
from solver.game import OUTCOMES, AnyGame, outcome_sign
from solver.plans.plan import Plan, PlanGraph, unfold
from solver.plans.wording import plan_title

MOST_STATES = 60
"""States in a picture."""


def plan(made: Plan) -> str:
    """The SVG of a plan: its map, cut at a legible depth, or its first positions in rows."""
    try:
        return plan_map.render(made, plan_map.legible_depth(made))
    except NotLegible:
        return _in_rows(made)


def graph(states: Graph) -> str:
    """The SVG of the first states of a game, a row for each ply."""
    game = states.graph["game"]
    depths = states.nodes.data("depth")
    layers = [list(layer) for _, layer in groupby(states, key=depths.__getitem__)]
    drawn = list(_first_layers(layers))
    boxes = [{state: Box(state, _state_caption(game, states.nodes[state])) for state in row} for row in drawn]
    return state_rows.render(
        game, f"{game_title(game)}: {len(states):,} states", _note(layers, drawn), boxes, states.edges
    )


def _in_rows(made: Plan) -> str:
    positions = unfold(made)
    layers = list(_layers(positions))
    drawn = list(_first_layers(layers))
    boxes = [{position: _box(made, positions, position) for position in row} for row in drawn]
    heading = plan_title(made, positions)
    return state_rows.render(made.game, heading, _note(layers, drawn), boxes, positions.edges)


def _layers(positions: PlanGraph) -> Iterator[list[str]]:
    """The positions in layers: in topological order, or breadth-first if the graph has cycles."""
    if nx.is_directed_acyclic_graph(positions):
        return iter(nx.topological_generations(positions))
    return iter(nx.bfs_layers(positions, next(iter(positions))))


def _box(made: Plan, positions: PlanGraph, position: str) -> Box:
    node = positions.nodes[position]
    sign = outcome_sign(node["gain"])
    winner = made.game.players[made.owner if sign > 0 else 1 - made.owner]
    caption = OUTCOMES[sign]
    if node["kind"] == "end":
        caption = f"{winner} wins" if sign else "draw"
    return Box(node["state"], caption, sign, chosen=node["kind"] == "or")


def _first_layers(layers: list[list[Any]]) -> Iterator[list[Any]]:
    """The first layers with `MOST_STATES` states at most; at least a part of the first one."""
    room = MOST_STATES
    for number, layer in enumerate(layers):
        if len(layer) > room and number:
            return
        yield layer[:room]
        room -= len(layer)


def _note(layers: list[list[Any]], drawn: list[list[Any]]) -> str:
    """A line that says how many of the states are shown."""
    shown, states = sum(map(len, drawn)), sum(map(len, layers))
    if shown == states:
        return f"All {states:,} are shown. Dashed lines, if any, lead to one further up."
    return f"The first {shown:,} of {states:,} are shown, row by row."


def _state_caption(game: AnyGame, node: dict[str, Any]) -> str:
    """The player to move, or the result of the game."""
    return ending(game, node["utility"]) if "utility" in node else f"{game.players[node['to_move']]} to move"
