"""A page that goes through a search step by step, forwards and backwards: one HTML file."""

import re
from collections.abc import Sequence

from exporters.diagram.rendering import rendered
from exporters.html.page import dark_style, file_text, filled, framed, scripts
from exporters.html.rows import as_json
from exporters.search_tree.dot import digraph
from exporters.search_tree.legend import legend
from exporters.search_tree.scene import SearchScene
from exporters.search_tree.steps import steps
from exporters.svg.board import BOARD_CSS
from solver.analysis.certificates.mark import Mark
from solver.search.trace import Visit

ADVICE = "use a smaller --depth or a later position"

SVG_BEGINS = re.compile(r"^.*?(?=<svg )", re.DOTALL)
"""What Graphviz writes before the picture itself."""


def render(scene: SearchScene, marks: Sequence[Mark] = ()) -> str:
    """The text of the page, with the `marks` of certificates; raises `NotLegible` for too large a tree."""
    text = digraph(scene, changing=True)
    drawn = rendered(text, "svg", scene.subject, "; ".join(legend(scene)), ADVICE).decode()
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
                [each.at, each.said, each.window, list(each.captions.items()), list(each.settled)]
                for each in steps(scene)
            ],
        }
    )
    drawn = SVG_BEGINS.sub("", drawn).replace(
        f"<style>{BOARD_CSS}</style>", ""
    )  # the policy allows one alone
    tree = f"{body}{drawn}\n</main>\n"
    style = dark_style() + file_text("search_tree", "page.css") + BOARD_CSS
    script = scripts("html", ("elements", "stepping")) + scripts("search_tree", ["steps"])
    return framed(scene.subject, tree, style, script, document, marks=marks)
