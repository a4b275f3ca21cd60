"""A search tree in the DOT language, with its legend: a node for each visit, and pruned nodes in grey."""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

import graphviz

from exporters.diagram import board_label, lettering
from exporters.diagram.board_label import Boards, Diagram, text
from exporters.diagram.dot import BORDER_WORDS, NODE_BORDERS
from exporters.diagram.lettering import caption, escaped, label, tip
from exporters.palette import OUTCOME_COLOURS, OutcomeColours, line_colour
from exporters.search_tree.scene import ROOM, SearchScene
from exporters.search_tree.strips import Strip, path_to, strips
from solver.analysis.certificates.mark import Mark, lines_of
from solver.database.wording import ending
from solver.game import FIRST
from solver.search.trace import Interval, Sample, TracedNode, Visit

FAINT = "#A6A6A6"
"""The colour of pruned nodes."""

UNKNOWN = OutcomeColours("#777777", "#FFFFFF")
"""The colours of a node whose outcome is not known."""

VALUE_SIZE, NAME_SIZE = 13, 10
"""The font sizes of values and of names, in points."""

CHOSEN_WIDTH, OTHER_WIDTH = "2.6", "0.8"
"""The pen widths of chosen and of other moves."""

PADDING = 1
"""The padding of the cells of a label, in points."""

LABEL = '<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="0" BGCOLOR="white">'
"""The opening tag of the label of a line, which interrupts it."""


def digraph(scene: SearchScene, marks: Sequence[Mark] = ()) -> Diagram:
    """The diagram of the tree; the `marks` of certificates are listed below the legend."""
    game, boards = scene.trace.game, Boards()
    states = [node.state for node in scene.trace.nodes if scene.board(node)]
    key = boards.key(game, states)
    heading, notes = "" if scene.changing else scene.heading, lines_of(marks)
    drawing = lettering.diagram(scene.heading, heading, legend(scene), few=True, key=key, notes=notes)
    drawing.graph_attr.update(nodesep="0.1", ranksep="0.45", splines="line")
    # Lines go from the middle of a bottom side to the middle of a top side.
    drawing.edge_attr.update(arrowhead="none", tailport="s", headport="n")
    parts = strips(scene.trace.nodes, [*map(scene.width, scene.trace.nodes)], ROOM)
    _add_plies(drawing, scene, parts)
    for number, node in enumerate(scene.trace.nodes):
        arc = {"arc": f"a{number}"} if node.visit is Visit.REPLIES else {}
        drawing.node(f"n{number}", id=f"n{number}", **_node(scene, node, boards), **arc)
    for nth, strip in enumerate(parts):
        below = {number: f"n{number}x{nth}" for number in strip.again}
        for upper, lower in pairwise(strip.again):
            drawing.edge(below[upper], below[lower], style="dotted", color=FAINT)
        for number in strip.nodes:
            parent = scene.trace.nodes[number].parent
            if parent is not None:
                line = _edge(scene, scene.trace.nodes[parent], number)
                drawing.edge(below.get(parent, f"n{parent}"), f"n{number}", id=f"e{number}", **line)
    return Diagram(str(drawing.source), boards)


def _add_plies(drawing: graphviz.Digraph, scene: SearchScene, parts: Sequence[Strip]) -> None:
    names, nodes, last = _ply_names(scene), scene.trace.nodes, ""
    for nth, strip in enumerate(parts):
        plies: dict[int, list[int]] = {}
        for number in (*strip.again, *strip.nodes):
            plies.setdefault(nodes[number].depth, []).append(number)
        for depth, row in sorted(plies.items()):
            ply = f"ply{depth}x{nth}" if nth else f"ply{depth}"
            with drawing.subgraph(graph_attr={"rank": "same"}) as rank:
                rank.node(ply, escaped(names[depth]), id=ply, shape="plaintext", fontsize=str(NAME_SIZE))
                for number in row if nth else row[:1]:
                    again = _goes_on(scene, number, nth) if number in strip.again else {}
                    rank.node(f"n{number}x{nth}" if again else f"n{number}", **again)
            if last:
                drawing.edge(last, ply, style="invis")
            last = ply


def _goes_on(scene: SearchScene, number: int, nth: int) -> dict[str, str]:
    """The attributes of a node that repeats a node of an earlier strip."""
    nodes = scene.trace.nodes
    arc = {"arc": f"a{number}x{nth}"} if nodes[number].visit is Visit.REPLIES else {}
    moves = (scene.move(nodes[below]) for below in path_to(number, nodes)[1:])
    words = f"{', '.join(moves)} …".strip()
    about = {"id": f"again{number}x{nth}", "shape": "plaintext", "fontsize": str(NAME_SIZE)}
    return {"label": escaped(words), **about, **arc}


def _node(scene: SearchScene, node: TracedNode, boards: Boards) -> dict[str, str]:
    if node.visit is Visit.CUT:
        reason = scene.reason(node)
        rows = _picture(scene, node, boards) + (caption(reason, NAME_SIZE, FAINT) if reason else "")
        look = {"color": FAINT, "style": "dashed", "class": "cut", "tooltip": tip(scene.position(node))}
        return {"label": label(rows or '<TR><TD WIDTH="14" HEIGHT="14"></TD></TR>', PADDING), **look}
    lines = scene.caption(node, node.finding)
    said = ": ".join(filter(None, [scene.position(node), *lines[:1]]))
    parts = [_picture(scene, node, boards), _rows(scene, node, lines)]
    rows = "".join(reversed(parts) if scene.upside_down(node) else parts)
    return {"label": label(rows, PADDING), "tooltip": tip(said), **_look(scene, node)}


def _picture(scene: SearchScene, node: TracedNode, boards: Boards) -> str:
    if scene.board(node):
        cut = node.visit is Visit.CUT
        return boards.picture(scene.trace.game, node.state, scene.changed(node), faded=cut)
    name = scene.name(node)
    if scene.lettered and name == scene.move(node):
        return ""
    colour = FAINT if node.visit is Visit.CUT else "black"
    return "".join(caption(line, NAME_SIZE, colour) for line in board_label.lines_of(name))


def _rows(scene: SearchScene, node: TracedNode, lines: list[str]) -> str:
    width = 52 if scene.changing and node.visit is not Visit.TERMINAL else 0  # for a value that changes
    rows, colours = [], _colours(scene, node)
    for nth, line in enumerate(lines):
        size = NAME_SIZE if nth else VALUE_SIZE
        if node.visit is Visit.TERMINAL and colours is not UNKNOWN and not nth:
            rows.append(caption(line, size, "white", strip=colours.border))
        else:
            rows.append(caption(line, size, width=width))
    return "".join(rows)


def _colours(scene: SearchScene, node: TracedNode) -> OutcomeColours:
    """The colours of the outcome, if it is known; triangles have none."""
    sign = scene.sign(node)
    return UNKNOWN if sign is None or scene.lettered else OUTCOME_COLOURS[sign]


def _look(scene: SearchScene, node: TracedNode) -> dict[str, str]:
    mover = scene.mover(node)
    look: dict[str, str] = {}
    if scene.lettered and mover is not None:
        width = scene.triangle_width / 72
        look = {"shape": "triangle" if mover == FIRST else "invtriangle", "fixedsize": "shape"}
        look |= {"width": f"{width:.2f}", "height": f"{width * sqrt(3) / 2:.2f}"}
    sign, colours = scene.sign(node), _colours(scene, node)
    look |= {"color": colours.border, "fillcolor": colours.ground}
    if isinstance(node.finding, Sample) and colours is UNKNOWN:
        look["fillcolor"] = _shade(node.finding.mean / scene.most_utility)
    look |= {"style": "filled"} if colours is UNKNOWN else NODE_BORDERS[sign or 0]
    if "peripheries" in look:
        look["class"] = "double"
    if node.goes_on:
        look["style"] = "filled,dashed"
    if mover is not None and not scene.lettered:
        look["style"] += ",rounded"
    return look


def _shade(share: float) -> str:
    """A shade from white at 0 to three tenths of the colour of the first player's win at 1, or loss at -1."""
    border = OUTCOME_COLOURS[1 if share > 0 else -1].border
    parts = (int(border[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - 0.3 * abs(share) * (255 - part)):02X}" for part in parts)


def _edge(scene: SearchScene, above: TracedNode, number: int) -> dict[str, str]:
    node, name = scene.trace.nodes[number], scene.move(scene.trace.nodes[number])
    look = {"tooltip": tip(name), "penwidth": OTHER_WIDTH}
    labelled = name and (scene.few or not scene.shown_by_board(node))
    colour = FAINT if node.visit is Visit.CUT else "black"
    waits = above.finding is True and node.visit is Visit.REPLIES and node.action is None
    if waits or above.choice == number:
        look |= {"penwidth": CHOSEN_WIDTH, "color": line_colour(scene.trace.game, scene.mover(above))}
    if isinstance(node.finding, Sample):
        width = 4 * node.finding.visits / scene.most_visits
        look["penwidth"] = f"{max(float(OTHER_WIDTH), width):.1f}"
    if node.visit is Visit.CUT:
        look |= {"color": FAINT, "style": "dashed", "class": "cut"}
    if labelled:
        cell = f'<TD{lettering.room(name, NAME_SIZE)}><FONT COLOR="{colour}">{text(name)}</FONT></TD>'
        look["label"] = f"<{LABEL}<TR>{cell}</TR></TABLE>>"
    return look


def legend(scene: SearchScene) -> list[str]:
    """The meanings of numbers, lines and colours."""
    game, nodes = scene.trace.game, scene.trace.nodes
    visits = {node.visit for node in nodes}
    max_name, owner = game.players[FIRST], game.players[scene.owner]
    sampled, nothing = any(isinstance(node.finding, Sample) for node in nodes), Interval(None, None)
    intervals = [node.finding for node in nodes if isinstance(node.finding, Interval)]
    chosen = any(node.choice is not None for node in nodes)
    conditions = {
        f"plan: {owner} reaches the goal": scene.planning,
        "arc: all replies count": scene.planning,
        f"means of playouts for {max_name}": sampled,
        f"green: high for {max_name}": sampled,
        "violet: low": sampled,
        "width of a line: visits": sampled,
        "coloured: chosen": sampled and chosen,
        f"values for {max_name}": not scene.planning and any(known != nothing for known in intervals),
        "≤ and ≥: bounds": any(interval.low != interval.high for interval in intervals),
        "≈: heuristic": Visit.EVALUATED in visits,
        "thick: chosen": chosen and not sampled,
        "yellow: the last move": any(scene.board(node) and scene.changed(node) for node in nodes),
        "grey: cut off, not visited": Visit.CUT in visits,
        "known: not searched again": Visit.KNOWN in visits,
        "again: play returns": Visit.REPEATED in visits,
        "dashed border, …: goes on": any(node.goes_on for node in nodes),
    }
    meanings = [words for words, holds in conditions.items() if holds]
    if not scene.lettered:
        signs = {scene.sign(node) for node in nodes}
        for sign, border in BORDER_WORDS.items():
            planned = "a plan" if sign > 0 else "no plan"
            outcome = planned if scene.planning else ending(game, sign, None)
            meanings += [f"{border}: {outcome}"] if sign in signs else []
    return meanings


def _ply_names(scene: SearchScene) -> list[str]:
    """The player who moves in each ply; "" if it is not the same throughout the ply."""
    plies: dict[int, set[int]] = {}
    for node in scene.trace.nodes:
        plies.setdefault(node.depth, set())
        mover = scene.mover(node)
        if mover is not None:
            plies[node.depth].add(mover)
    waits = scene.planning and scene.trace.root.visit is not Visit.REPLIES and plies[0] == {1 - scene.owner}
    names = [[] if waits and not depth else [*movers] for depth, movers in plies.items()]
    return [_side(scene, movers[0]) if len(movers) == 1 else "" for movers in names]


def _side(scene: SearchScene, player: int) -> str:
    """The player's name with its role in the search, MAX or MIN, OR or AND, unless that is the name."""
    name = scene.trace.game.players[player]
    part = ("MAX", "MIN")[player]
    if scene.planning:
        part = "OR" if player == scene.owner else "AND"
    return name if name.upper() == part else f"{name} ({part})"
