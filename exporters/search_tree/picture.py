"""A search tree as DOT text, SVG, PNG, PDF or a page that goes through the search step by step."""

from collections.abc import Sequence
from dataclasses import replace

from exporters.diagram.rendering import rendered
from exporters.html.page import file_text, filled, framed, scripts
from exporters.html.rows import as_json
from exporters.palette import plain
from exporters.search_tree.dot import digraph, legend
from exporters.search_tree.scene import SearchScene, make_scene
from exporters.search_tree.steps import steps
from exporters.svg.board import BOARD_CSS
from solver.analysis.certificates.mark import Mark, lines_of
from solver.errors import UnknownFormat
from solver.search.trace import SearchTrace, Visit
from solver.system.words import number_of

FORMATS = ("svg", "png", "pdf", "gv", "dot", "html")
"""The names of the formats, which are also the suffixes of their files."""

ADVICE = "use a smaller --depth or a later position"


def render(
    trace: SearchTrace, picture_format: str = "svg", title: str = "", marks: Sequence[Mark] = ()
) -> str | bytes:
    """The search tree in one of the `FORMATS`: bytes for PNG and PDF, otherwise text.

    The heading is `title` or, if it is "", the search and its result. The `marks` of certificates are listed.
    Raises `UnknownFormat`, and `NotLegible`, with advice, if there is too much to draw.
    """
    if picture_format not in FORMATS:
        raise UnknownFormat(f"a tree is drawn as {', '.join(FORMATS)}, not as {picture_format!r}")
    scene = make_scene(trace, title)
    if picture_format in ("gv", "dot"):
        return digraph(scene, marks).dot
    if picture_format == "html":
        return page(scene, marks)
    words = "\n".join([description(scene), *map(plain, lines_of(marks))])
    drawn = rendered(digraph(scene, marks), picture_format, scene.heading, words, ADVICE)
    return drawn.decode() if picture_format == "svg" else drawn


def description(scene: SearchScene) -> str:
    """The tree as lines of text: its size, its legend, and the finding in each node."""
    trace = scene.trace
    counted = number_of(len(trace.nodes), "node") if trace.algorithm == "plan" else trace.counted
    lines = [f"{counted}.", f"{'; '.join(legend(scene))}."]
    for node in trace.nodes:
        unseen = "cut off" if node.visit is Visit.CUT else "not known"
        words = ", ".join(filter(None, scene.caption(node, node.finding))) or unseen
        lines.append(f"{scene.position(node)}: {words}.")
    return "\n".join(map(plain, lines))


def page(scene: SearchScene, marks: Sequence[Mark]) -> str:
    """The page that goes through a search step by step, forwards and backwards, as one HTML file."""
    diagram = digraph(replace(scene, changing=True))
    drawn = rendered(diagram, "svg", scene.subject, "; ".join(legend(scene)), ADVICE).decode()
    body = filled(file_text("search_tree", "page.html"), scene.trace.game, heading=scene.subject)
    document = as_json(
        {
            "parents": [node.parent for node in scene.trace.nodes],
            "upsideDown": [
                number
                for number, node in enumerate(scene.trace.nodes)
                if scene.upside_down(node) and node.visit is not Visit.CUT
            ],
            "steps": [
                [step.at, step.said, step.window, list(step.captions.items()), list(step.settled)]
                for step in steps(scene)
            ],
        }
    )
    # The content security policy allows only one style.
    drawn = drawn[drawn.index("<svg ") :].replace(f"<style>{BOARD_CSS}</style>", "")
    tree = f"{body}{drawn}\n</main>\n"
    style = file_text("search_tree", "page.css") + BOARD_CSS
    script = scripts("html", ("elements", "stepping")) + scripts("search_tree", ["steps"])
    return framed(scene.subject, tree, style, script, document, marks=marks)
