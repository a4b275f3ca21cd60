"""A plan as a directed graph in the DOT language: a node with a board for each position."""

from collections.abc import Mapping

from graphviz import Digraph

from exporters.diagram import board_label, lettering, page_layout
from exporters.diagram.board_label import Boards, Diagram
from exporters.diagram.excerpt import PlyPosition
from exporters.diagram.lettering import caption, escaped, label, tip
from exporters.diagram.scene import Scene, make_scene
from exporters.palette import OUTCOME_COLOURS, line_colour
from solver.analysis.certificates.mark import lines_of
from solver.database.wording import ending
from solver.game import OUTCOMES
from solver.plans.plan import Plan
from solver.plans.wording import plan_title
from solver.rules.asking import board_of, look_of

NODE_BORDERS = {
    1: {"style": "filled", "penwidth": "2"},
    0: {"style": "filled,dotted", "penwidth": "1.5"},
    -1: {"style": "filled", "peripheries": "2"},
}
"""The border of a position, by the sign of the owner's gain."""

GAIN_WORDS = {1: "win", 0: "draw or better", -1: "loss"}
BORDER_WORDS = {1: "solid border", 0: "dotted border", -1: "double border"}
"""The words for gains and borders, by the sign of the gain."""

OWNER_WIDTH, OTHER_WIDTH = "2.2", "0.8"
"""The pen widths of the owner's and of the other player's arrows."""

CAPTION_SIZE, LARGE_CAPTION_SIZE = 10, 16
"""The font sizes of captions, in points; the large one is for many boards, which are shrunk in print."""

PADDING = 2
"""The padding of the cells of a label, in points."""


def render(plan: Plan, depth: int | None = None, follow: str | None = None) -> str:
    """The DOT text of `plan`; `depth` and `follow` select a part of it, as in `excerpt`.

    Raises `NotLegible` if the picture would have too many positions or moves, and `UsageError` for an illegal
    reply in `follow`.
    """
    return digraph(make_scene(plan, depth, follow)).dot


def digraph(scene: Scene) -> Diagram:
    """The diagram of a scene."""
    heading, boards = plan_title(scene.plan, scene.graph), Boards()
    size = lettering.LEGEND_SIZE if scene.few else lettering.LARGE_LEGEND_SIZE
    key = boards.key(scene.plan.game, map(scene.state, scene.part.positions), size)
    notes = lines_of(scene.plan.marks)
    drawing = lettering.diagram(heading, heading, legend(scene), few=scene.few, key=key, notes=notes)
    ids = {place: f"n{number}" for number, place in enumerate(scene.part.places)}
    _add_rows(drawing, scene, ids, boards)
    for before, after in scene.part.moves:
        look, below = _edge(scene, before, after), ids[after]
        if scene.refers(before, after):
            below = f"{ids[before]}to{ids[after]}"
            words = f"as {scene.numbers[after]}"
            drawing.node(below, words, tooltip=tip(after.position), shape="plaintext", fontsize="12")
            look["style"] = "dashed"
        drawing.edge(ids[before], below, **look)
    for place, number in scene.part.left_out.items():
        words = f"… {number} other {'reply' if number == 1 else 'replies'}"
        drawing.node(f"{ids[place]}others", words, shape="plaintext", fontsize="10")
        drawing.edge(ids[place], f"{ids[place]}others", style="dashed", penwidth=OTHER_WIDTH)
    return Diagram(str(drawing.source), boards)


def _add_rows(drawing: Digraph, scene: Scene, ids: Mapping[PlyPosition, str], boards: Boards) -> None:
    """Add the boards, row by row and ply by ply, with the numbers of the plies beside them."""
    states = map(scene.state, scene.part.positions)
    rows = page_layout.in_rows(scene.part.plies, board_label.size(scene.plan.game, states), few=scene.few)
    size = str(CAPTION_SIZE if scene.few else LARGE_CAPTION_SIZE)
    above = ""
    for ply, ply_rows in enumerate(rows):
        above = "" if ply in scene.columns else above
        for nth, row in enumerate(ply_rows):
            side, words = (f"row{ply}x{nth}", "") if nth else (f"ply{ply}", f"ply {ply}")
            with drawing.subgraph(graph_attr={"rank": "same"}) as rank:
                rank.node(side, words, shape="plaintext", fontsize=size, margin="0.15,0")
                for place in row:
                    rank.node(ids[place], **_node(scene, place, boards))
            if above:
                apart = "1" if nth or scene.few else "3"  # between plies more than between rows of a ply
                drawing.edge(above, side, style="invis", minlen=apart)
            above = side


def _node(scene: Scene, place: PlyPosition, boards: Boards) -> dict[str, str]:
    position = place.position
    sign = scene.sign(position)
    colours = OUTCOME_COLOURS[sign]
    look = {"color": colours.border, "fillcolor": colours.ground} | NODE_BORDERS[sign]
    if place in scene.part.cut:
        look["style"] = "filled,dashed"
    if scene.kind(position) != "end":
        look["style"] += ",rounded"
    number, move, difference = scene.numbers.get(place), scene.move_above(place), scene.difference(position)
    rows = caption(str(number), CAPTION_SIZE, "white", strip="#595959") if number else ""
    rows += caption(move, CAPTION_SIZE, "#404040") if move else ""
    rows += _picture(scene, place, boards)
    rows += caption(difference, CAPTION_SIZE) if difference else ""
    return {"label": label(rows + _caption(scene, place), PADDING), "tooltip": tip(position), **look}


def _picture(scene: Scene, place: PlyPosition, boards: Boards) -> str:
    """The board of a position; if there are many boards, only the first has names of cells, and is large."""
    game, state, backgrounds = scene.plan.game, scene.state(place.position), scene.backgrounds(place)
    first = not place.ply and look_of(game).ground != "lattice"
    return boards.picture(game, state, backgrounds, named=scene.few or first, large=first and not scene.few)


def _caption(scene: Scene, place: PlyPosition) -> str:
    """The caption of a position: the result of the game or, where there is room, the owner's outcome."""
    position = place.position
    sign, ended = scene.sign(position), scene.kind(position) == "end"
    gain = abs(scene.graph.nodes[position]["gain"])
    margin = f" by {gain}" if scene.plan.scored and sign else ""
    goes_on = " …" if place in scene.part.cut else ""
    if not (ended or scene.few or margin or goes_on):
        return ""
    size = CAPTION_SIZE if scene.few else LARGE_CAPTION_SIZE
    if not ended:
        return caption(f"{OUTCOMES[sign]}{margin}{goes_on}", size)
    words = ending(scene.plan.game, scene.plan.gain(sign), gain if scene.plan.scored else None)
    return caption(words, size, "white", strip=OUTCOME_COLOURS[sign].border)


def _edge(scene: Scene, before: PlyPosition, after: PlyPosition) -> dict[str, str]:
    """The attributes of a move's arrow, with a label if there is room or the boards do not show the move."""
    owned = scene.kind(before.position) == "or"
    tooltip = tip(scene.names(before.position, after.position))
    look = {"tooltip": tooltip, "penwidth": OWNER_WIDTH if owned else OTHER_WIDTH}
    if owned:
        look["color"] = line_colour(scene.plan.game, scene.plan.owner)
    words = scene.words(before.position, after.position)
    if words and not scene.move_above(after):
        look["label"] = escaped(f" {words} ")
        if room := lettering.room(words, 10 if scene.few else 16):
            look["label"] = label(f"<TR><TD{room}>{board_label.text(words)}</TD></TR>", PADDING)
    if scene.turned(before.position, after.position):
        look["arrowhead"] = "normalodot"  # with a ring
    return look


def legend(scene: Scene) -> list[str]:
    """The meanings of arrows, colours and borders."""
    plan, part = scene.plan, scene.part
    owner, other = plan.owner_name, plan.game.players[1 - plan.owner]
    boards = [board_of(plan.game, scene.state(position)) for position in part.positions]
    meanings = [f"thick arrow: {owner} moves (OR)", f"thin: {other} replies (AND)"]
    if any(boards):
        meanings += [f"yellow: {owner}'s move", f"grey: {other}'s last"]
    meanings += ["above a board: the move to it"] if any(map(scene.move_above, part.places)) else []
    gains = set(map(scene.sign, part.positions))
    meanings += [
        f"{border}: {GAIN_WORDS[gain]} for {owner}" for gain, border in BORDER_WORDS.items() if gain in gains
    ]
    meanings += ["dashed border, …: goes on"] if part.cut else []
    meanings += ["dashed arrow, as 1: goes on as at number 1"] if scene.numbers else []
    meanings += ["each board stands for its turned and mirrored ones, too"] if plan.folded else []
    meanings += ["ring at an arrow: the board after it is turned or mirrored"] if scene.turns else []
    return meanings
