"""The first states of a game as a graph: a node for each state, in rows by their distance from the start."""

from collections.abc import Iterator
from itertools import chain, groupby, pairwise
from typing import Any

from exporters.diagram import board_label, lettering
from exporters.diagram.board_label import Boards, Diagram
from exporters.diagram.dot import CAPTION_SIZE, OTHER_WIDTH
from exporters.diagram.lettering import caption, escaped, label, tip
from exporters.diagram.page_layout import in_rows
from exporters.diagram.rendering import rendered
from exporters.diagram.scene import FEW_POSITIONS
from exporters.palette import OUTCOME_COLOURS, line_colour, plain
from exporters.search_tree.dot import PADDING, UNKNOWN
from exporters.search_tree.scene import FEW_NODES
from solver.database.wording import ending, game_title
from solver.engines.graph_states import Graph
from solver.game import outcome_sign
from solver.rules.notation import write_action, write_position
from solver.system.words import number_of


def render(states: Graph) -> str:
    """The SVG of the first rows, of at most `FEW_NODES` states; raises `NotLegible`, with advice."""
    game, rows, boards = states.graph["game"], list(_first_rows(states)), Boards()
    drawn = {state: f"n{number}" for number, state in enumerate(chain.from_iterable(rows))}
    moves = [(state, child) for state, child in states.edges(drawn) if child in drawn]
    part = "all" if len(drawn) == len(states) else f"the first {len(drawn):,} of {len(states):,}"
    meanings = [f"{part} states"]
    meanings += ["dashed: to no later row"] if any(_is_back(states, *move) for move in moves) else []
    title, key = f"{game_title(game)}: {number_of(len(states), 'state')}", boards.key(game, drawn)
    drawing = lettering.diagram(title, title, meanings, few=True, key=key)
    lines = list(chain.from_iterable(in_rows(rows, board_label.size(game, drawn), few=True)))
    for line in lines:
        with drawing.subgraph(graph_attr={"rank": "same"}) as rank:
            for state in line:
                rank.node(drawn[state], **_node(states, state, boards))
    for above, below in pairwise(lines if len(lines) > len(rows) else []):
        drawing.edge(drawn[above[0]], drawn[below[0]], style="invis", weight="0")
    for state, child in moves:
        look = _edge(states, state, child, named=len(drawn) <= FEW_POSITIONS)
        drawing.edge(drawn[state], drawn[child], **look)
    said = (f"{write_position(game, state)}: {_words(states, state)}." for state in drawn)
    description = "\n".join(map(plain, [*meanings, *said]))
    diagram = Diagram(str(drawing.source), boards)
    return rendered(diagram, "svg", title, description, "explore a game with fewer moves").decode()


def _first_rows(states: Graph) -> Iterator[list[Any]]:
    """The first rows, with at most `FEW_NODES` states in total; at least a part of the first row."""
    depths, room = states.nodes.data("depth"), FEW_NODES
    for depth, row in groupby(states, key=depths.__getitem__):
        row_states = list(row)
        if len(row_states) > room and depth:
            return
        yield row_states[:room]
        room -= len(row_states)


def _is_back(states: Graph, state: Any, child: Any) -> bool:
    depths = states.nodes.data("depth")
    return bool(depths[child] <= depths[state])


def _node(states: Graph, state: Any, boards: Boards) -> dict[str, str]:
    game, node = states.graph["game"], states.nodes[state]
    utility, said = node.get("utility"), _words(states, state)
    colours = UNKNOWN if utility is None else OUTCOME_COLOURS[outcome_sign(utility)]
    words = caption(said, CAPTION_SIZE)
    if utility is not None:
        words = caption(said, CAPTION_SIZE, "white", strip=colours.border)
    look = {"color": colours.border, "fillcolor": colours.ground, "style": "filled"}
    look["style"] += ",rounded" if utility is None else ""
    shown = label(boards.picture(game, state) + words, PADDING)
    return {"label": shown, "tooltip": tip(f"{write_position(game, state)}: {said}"), **look}


def _words(states: Graph, state: Any) -> str:
    game, node = states.graph["game"], states.nodes[state]
    if "utility" not in node:
        return f"{game.players[node['to_move']]} to move"
    scored = any(abs(utility or 0) > 1 for _, utility in states.nodes.data("utility"))
    return ending(game, node["utility"], abs(node["utility"]) if scored else None)


def _edge(states: Graph, state: Any, child: Any, *, named: bool) -> dict[str, str]:
    game, node = states.graph["game"], states.nodes[state]
    names = ", ".join(str(write_action(game, action)) for action, to in node["moves"] if to == child)
    look = {"tooltip": tip(names), "penwidth": OTHER_WIDTH, "color": line_colour(game, node["to_move"])}
    look |= {"label": escaped(f" {names} ")} if named else {}
    return look | ({"constraint": "false", "style": "dashed"} if _is_back(states, state, child) else {})
