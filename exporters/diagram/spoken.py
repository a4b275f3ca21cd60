"""A picture for those who do not see it: an SVG says in words what it shows."""

import html
import re

from exporters.diagram.legend import legend
from exporters.diagram.scene import Scene
from exporters.palette import plain
from solver.plans.wording import plan_title

NODE = re.compile(r'<title>n\d+(?:others)?</title>\n(<g id="a_node\d+"><a xlink:title="([^"]*)">)')
EDGE = re.compile(r'<title>n\d+&#45;&gt;n\d+</title>\n(<g id="a_edge\d+"><a xlink:title="([^"]*)">)')
"""How Graphviz writes a node and an edge that have tooltips."""


def spoken(svg: str, scene: Scene) -> str:
    """The SVG of a picture by Graphviz with a title and a description, its parts called what they are."""
    for part in (NODE, EDGE):
        svg = part.sub(r"<title>\2</title>\n\1", svg)
    words = (plain(plan_title(scene.plan, scene.graph)), description(scene))
    said = "<title>{}</title>\n<desc>{}</desc>\n".format(*map(html.escape, words))
    opening = re.search(r"<svg [^>]*>\n", svg)
    if not opening:
        raise ValueError("Graphviz has written no SVG")
    tag = opening[0].replace("<svg ", '<svg role="img" ', 1)
    return f"{svg[: opening.start()]}{tag}{said}{svg[opening.end() :]}"


def description(scene: Scene) -> str:
    """What the picture shows, in lines: its size, how to read it, what the owner plays in each position."""
    part, owner = scene.part, scene.plan.owner_name
    lines = [
        f"{len(part.positions)} positions and {len(part.moves)} moves in {len(part.plies) - 1} plies.",
        f"{'; '.join(legend(scene))}.",
    ]
    for position, child in part.moves:
        if scene.kind(position) == "or":
            names = ", ".join(map(str, scene.graph.edges[position, child]["moves"]))
            lines.append(f"In {position} {owner} plays {names}.")
    return "\n".join(map(plain, lines))
