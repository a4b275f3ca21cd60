"""The process that runs Graphviz: DOT text on standard input, SVG on standard output.

Graphviz takes its fonts from the environment and reports errors on standard error, hence the separate
process.

If edges are straight lines (`splines=line`), they begin at the tip of a triangle that points down, their
labels are moved onto them, apart from each other, and a node with the attribute `arc` gets an arc across the
lines to its children, which begin in one point below it. Graphviz can do none of these.
"""

import html
import re
import sys
from math import hypot, sqrt

import pygraphviz

RADIUS = 15
"""The radius of an arc, in points."""

CIRCULAR = 4 / 3 * (sqrt(2) - 1)
"""The length of the handles of a cubic Bézier curve that is a quarter of a circle of radius 1."""

LABEL_PLACE, MANY, FAN_PLACE = 0.6, 6, 0.75
"""The place of the middle of a label on its line, from 0 (start) to 1 (end); below a node with more than
`MANY` lines, which spread slowly, it is `FAN_PLACE`.
"""

OTHER_PLACES = (0.85, 0.42)
"""The places of a label that would cover another there."""

LETTER_WIDTH, LABEL_HEIGHT = 6, 11
"""The approximate size of a label, in points."""

Vector = tuple[float, float]
Label = tuple[float, float, float]
"""The middle of a label, and half its width, in points."""


def main() -> None:
    """Draw the graph on standard input."""
    graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode("utf-8"))
    straight = graph.graph_attr.get("splines") == "line"
    if straight:
        finish_lines(graph)
    sys.stdout.buffer.write(graph.draw(format="svg", prog="nop2" if straight else "dot"))


def finish_lines(graph: pygraphviz.AGraph) -> None:
    """Lay the graph out, begin lines at tips, move labels onto lines and add arcs."""
    graph.layout(prog="dot")
    for node in graph.nodes():
        if node.attr.get("peripheries"):  # which the size includes, and nop2 would add once more
            node.attr.update(width="0", height="0")
        if node.attr.get("shape") == "invtriangle":
            x, y = map(float, node.attr["pos"].split(","))
            tip = f"{x},{y - 36 * float(node.attr['height'])}"  # the height is in inches
            for edge in graph.out_edges(node):
                edge.attr["pos"] = " ".join([tip, tip, *edge.attr["pos"].split()[2:]])
    labels: list[Label] = []
    for edge in [edge for edge in graph.edges() if edge.attr.get("lp")]:
        (x, y), (right, up) = line(edge)
        place = FAN_PLACE if graph.out_degree(edge[0]) > MANY else LABEL_PLACE
        half = LETTER_WIDTH / 2 * len(html.unescape(re.sub("<[^>]*>", "", edge.attr["label"])))
        half = max([half, *(int(width) / 2 for width in re.findall('WIDTH="([0-9]+)"', edge.attr["label"]))])
        places = [(x + at * right, y + at * up, half) for at in (place, *OTHER_PLACES)]
        labels.append(next((label for label in places if is_free(label, labels)), places[0]))
        edge.attr["lp"] = "{:.2f},{:.2f}".format(*labels[-1])
    for node in [node for node in graph.nodes() if node.attr.get("arc")]:
        add_arc(graph, node)


def is_free(label: Label, others: list[Label]) -> bool:
    """Whether a label covers none of the others."""
    x, y, half = label
    return all(abs(y - v) >= LABEL_HEIGHT or abs(x - u) >= half + other for u, v, other in others)


def add_arc(graph: pygraphviz.AGraph, node: pygraphviz.Node) -> None:
    """Add the arc below a node with several children; it meets the outer two lines at right angles."""
    lines = [line(edge) for edge in graph.out_edges(node)]
    rays = sorted((right / hypot(right, up), up / hypot(right, up)) for _, (right, up) in lines)
    if len(rays) < 2:
        return
    (a, b), (c, d), (x, y) = rays[0], rays[-1], lines[0][0]
    handle = CIRCULAR * hypot(a - c, b - d) / sqrt(2)
    curve = [(a, b), (a - handle * b, b + handle * a), (c + handle * d, d - handle * c), (c, d)]
    points = " ".join(f"{x + RADIUS * right:.2f},{y + RADIUS * up:.2f}" for right, up in curve)
    graph.add_edge(node, node, key="arc", pos=points, id=node.attr.get("arc"))


def line(edge: pygraphviz.Edge) -> tuple[Vector, Vector]:
    """The start of the line of an edge, and the vector from there to its end."""
    points = [point.split(",") for point in edge.attr["pos"].split() if point[0] not in "es"]
    (x, y), (u, v) = (map(float, points[end]) for end in (0, -1))
    return (x, y), (u - x, v - y)


if __name__ == "__main__":
    main()
