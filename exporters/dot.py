"""A plan as a directed graph in Graphviz's DOT language, each position once and drawn as its board."""

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any

import graphviz
import networkx as nx

from exporters import boards
from exporters.guarantee import title
from solver.errors import NotLegible
from solver.plan import Plan, PlanGraph, unfold

MOST_POSITIONS = 250
"""More boards than this make a page that is metres wide, and soon one that Graphviz needs minutes for."""

MOST_MOVES = 750
"""More arrows than this are a tangle."""

FEW_POSITIONS = 40
"""Up to this many positions there is room for the name of every move."""

LOOKS = {
    1: {"color": "#00805E", "fillcolor": "#E3F5EF", "style": "filled", "penwidth": "2"},
    0: {"color": "#8A6100", "fillcolor": "#FFF7E0", "style": "filled,dotted", "penwidth": "1.5"},
    -1: {"color": "#9B2C6B", "fillcolor": "#F8E4EF", "style": "filled", "peripheries": "2"},
}
"""How a position looks by the sign of what the owner gets there: colour, border and word say the same."""

WORDS = {1: "win", 0: "draw", -1: "loss"}

PROMISES = {1: "win", 0: "draw or better", -1: "loss"}
BORDERS = {1: "solid border", 0: "dotted border", -1: "double border"}


def render(plan: Plan, depth: int | None = None) -> str:
    """The DOT text of `plan`, cut at `depth` plies below the root if that is given.

    Raises `NotLegible` where the picture would have too many positions or moves.
    """
    graph = unfold(plan)
    _refuse_illegible(graph, plan.root, depth)
    layers = list(islice(nx.bfs_layers(graph, plan.root), None if depth is None else depth + 1))
    ids = {position: f"n{number}" for number, position in enumerate(chain.from_iterable(layers))}
    last = layers[-1] if len(layers) - 1 == depth else ()
    cut = [position for position in last if graph.nodes[position]["kind"] != "end"]
    scored = any(abs(gain) > 1 for _, gain in graph.nodes.data("gain"))
    few = len(ids) <= FEW_POSITIONS
    heading = title(plan, graph)
    page = _page(heading, _legend(plan, graph, ids, cut=bool(cut)), wide=not few)
    drawing = graphviz.Digraph(_escaped(heading), graph_attr=page, node_attr=NODES, edge_attr=EDGES)
    for layer in layers:
        with drawing.subgraph(graph_attr={"rank": "same"}) as rank:
            for position in layer:
                rank.node(ids[position], **_node(plan, graph, position, cut=position in cut, scored=scored))
    for position, child in graph.edges(position for position in ids if position not in cut):
        drawing.edge(ids[position], ids[child], **_edge(plan, graph, position, child, named=few))
    return str(drawing.source)


NODES = {"shape": "box", "margin": "0.03", "width": "0", "height": "0", "fontname": "DejaVu Sans,sans-serif"}
EDGES = {"arrowsize": "0.6", "color": "#404040", "fontname": NODES["fontname"], "fontsize": "10"}
"""What all positions and all moves have in common."""


def _legend(plan: Plan, graph: PlanGraph, drawn: Iterable[str], *, cut: bool) -> str:
    """What the arrows and the borders in the picture mean."""
    owner, other = plan.owner_name, plan.game.players[1 - plan.owner]
    gains = {_sign(graph.nodes[position]["gain"]) for position in drawn}
    meanings = [f"thick: {owner} moves", f"thin: {other} replies"]
    meanings += [
        f"{border}: {PROMISES[gain]} for {owner}" for gain, border in BORDERS.items() if gain in gains
    ]
    meanings += ["dashed border, …: goes on"] if cut else []
    return "  ·  ".join(meanings)


def _page(heading: str, legend: str, *, wide: bool) -> dict[str, str]:
    """The attributes of the whole picture: a wide one has a larger heading and more room for arrows."""
    size = 24 if wide else 14
    lines = (
        f'<TR><TD><FONT POINT-SIZE="{size}">{boards.text(heading)}</FONT></TD></TR>',
        f'<TR><TD><FONT POINT-SIZE="{size * 0.7:.0f}" COLOR="#404040">{boards.text(legend)}</FONT></TD></TR>',
    )
    return {
        "label": f'<<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="4">{"".join(lines)}</TABLE>>',
        "labelloc": "t",
        "fontname": NODES["fontname"],
        "nodesep": "0.12",
        "ranksep": "0.8" if wide else "0.4",
        "ordering": "out",
        "outputorder": "edgesfirst",
        "bgcolor": "white",
    }


def _node(plan: Plan, graph: PlanGraph, position: str, *, cut: bool, scored: bool) -> dict[str, str]:
    node = graph.nodes[position]
    before = [graph.nodes[each]["state"] for each in graph.predecessors(position)]
    picture = boards.picture(plan.game, node["state"], boards.cell_played(plan.game, before, node["state"]))
    look = dict(LOOKS[_sign(node["gain"])])
    if cut:
        look["style"] = "filled,dashed"
    if node["kind"] != "end":
        look["style"] += ",rounded"
    caption = _caption(plan, node, cut, scored)
    table = f'<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="2">{picture}{caption}</TABLE>'
    return {"label": f"<{table}>", "tooltip": _escaped(position), **look}


def _caption(plan: Plan, node: dict[str, Any], cut: bool, scored: bool) -> str:
    """The row of the table that says what the position means for the owner, or how the game has ended."""
    sign = _sign(node["gain"])
    margin = f" by {abs(node['gain'])}" if scored and sign else ""
    words, strip, colour = WORDS[sign] + margin + (" …" if cut else ""), "", "black"
    if node["kind"] == "end":
        winner = plan.owner if sign > 0 else 1 - plan.owner
        words = f"{plan.game.players[winner]} wins{margin}" if sign else "draw"
        strip, colour = f' BGCOLOR="{LOOKS[sign]["color"]}"', "white"
    return f'<TR><TD{strip}><FONT POINT-SIZE="9" COLOR="{colour}">{boards.text(words)}</FONT></TD></TR>'


def _edge(plan: Plan, graph: PlanGraph, position: str, child: str, *, named: bool) -> dict[str, str]:
    """How a move looks: the owner's are thick; named where there is room or the boards do not show it."""
    look = {"penwidth": "2.2" if graph.nodes[position]["kind"] == "or" else "0.8"}
    before, after = graph.nodes[position]["state"], graph.nodes[child]["state"]
    if named or boards.cell_played(plan.game, [before], after) is None:
        names = ", ".join(map(str, graph.edges[position, child]["moves"]))
        look["label"] = _escaped(f" {names} ")
    return look


def _escaped(of_game: str) -> str:
    """The text of a game fit for an attribute or a name."""
    # Graphviz decodes entities everywhere; what `escape` returns is never taken for an HTML-like label.
    escaped: str = graphviz.escape(boards.plain(of_game).replace("&", "&amp;"))
    return escaped


def _sign(gain: int) -> int:
    return (gain > 0) - (gain < 0)


def _refuse_illegible(graph: PlanGraph, root: str, depth: int | None) -> None:
    """Raise `NotLegible`, with what would be legible instead, where there is too much to draw."""
    sizes = _sizes(graph, root)
    positions, moves = sizes[-1 if depth is None else min(depth, len(sizes) - 1)]
    if positions <= MOST_POSITIONS and moves <= MOST_MOVES:
        return
    refusal = f"a picture of {positions:,} positions and {moves:,} moves cannot be read"
    legible = [ply for ply, (p, m) in enumerate(sizes) if p <= MOST_POSITIONS and m <= MOST_MOVES]
    cut = f"--depth {legible[-1]}, " if legible[-1] else ""
    raise NotLegible(f"{refusal}: use {cut}a later position, or --format json")


def _sizes(graph: PlanGraph, root: str) -> list[tuple[int, int]]:
    """How many positions and moves there are in a picture cut at 0, 1, 2, ... plies."""
    sizes, positions, moves = [], 0, 0
    for layer in nx.bfs_layers(graph, root):
        positions += len(layer)
        sizes.append((positions, moves))
        moves += sum(graph.out_degree(position) for position in layer)
    # Play that returns to an earlier position is in the whole picture only.
    return [*sizes, (positions, moves)]
