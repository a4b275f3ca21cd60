"""The tree of a search as DOT text, SVG, PNG, PDF or a page that goes through it step by step."""

from collections.abc import Sequence

from exporters.diagram.rendering import rendered
from exporters.palette import plain
from exporters.search_tree import page
from exporters.search_tree.dot import digraph
from exporters.search_tree.legend import legend
from exporters.search_tree.page import ADVICE
from exporters.search_tree.scene import SearchScene, make_scene
from solver.analysis.certificates.mark import Mark, lines_of
from solver.errors import UnknownFormat
from solver.search.trace import SearchTrace, Visit

FORMATS = ("svg", "png", "pdf", "gv", "dot", "html")
"""The names of formats, which are the endings of files."""


def render(
    trace: SearchTrace, picture_format: str = "svg", title: str = "", marks: Sequence[Mark] = ()
) -> str | bytes:
    """The tree of a search in one of the `FORMATS`, as a text unless it is PNG or PDF.

    The `title` is its heading; "" for the search and its result. It tells the `marks` of certificates. Raises
    `UnknownFormat`, and `NotLegible`, with advice, if there is too much to draw.
    """
    if picture_format not in FORMATS:
        raise UnknownFormat(f"there is no format {picture_format!r}; there are {', '.join(FORMATS)}")
    scene = make_scene(trace, title)
    if picture_format in ("gv", "dot"):
        return digraph(scene, marks).dot
    if picture_format == "html":
        return page.render(scene, marks)
    words = "\n".join([description(scene), *map(plain, lines_of(marks))])
    drawn = rendered(digraph(scene, marks), picture_format, scene.heading, words, ADVICE)
    return drawn.decode() if picture_format == "svg" else drawn


def description(scene: SearchScene) -> str:
    """The tree in lines of text: its size, its legend, and what was found in each node."""
    trace = scene.trace
    lines = [f"{trace.counted}.", f"{'; '.join(legend(scene))}."]
    for node in trace.nodes:
        unseen = "cut off" if node.visit is Visit.CUT else "not known"
        found = ", ".join(filter(None, scene.caption(node, node.found))) or unseen
        lines.append(f"{scene.position(node)}: {found}.")
    return "\n".join(map(plain, lines))
