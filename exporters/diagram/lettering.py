"""The texts of a Graphviz diagram: heading, legend, captions, description, and texts of games."""

import html
import math
import re
from collections.abc import Sequence

import graphviz

from exporters.diagram import page_layout
from exporters.diagram.board_label import text
from exporters.palette import plain
from exporters.svg.text import text_width, wrap

FONT = "DejaVu Sans,sans-serif"

LEGEND_SIZE, LARGE_LEGEND_SIZE = 10, 18
"""The font sizes of the legend, in points; the large one is for many boards, which are shrunk in print."""

FEW_LETTERS = 8
"""The most letters of a caption whose width Graphviz is left to estimate: it rounds small letters down."""

MANY_LETTERS = 60
"""The most letters of a move whose width Graphviz is left to estimate: it cuts the ends off longer ones."""

TITLE = re.compile(
    r"<title>n\d+(?:others|ton\d+|&#45;&gt;n\d+(?:ton\d+)?)?</title>\n"
    r'(<g id="a_\w+"><a xlink:title="([^"]*)">)'
)
"""A node or an edge with a tooltip in the SVG of Graphviz."""


def diagram(
    name: str, heading: str, meanings: Sequence[str], *, few: bool, key: str = "", notes: Sequence[str] = ()
) -> graphviz.Digraph:
    """A diagram with only a heading and a legend; unless boards are `few`, letters are larger.

    A heading that is wider than any picture is wrapped, as the picture would be shrunk to it.
    `key` is the table cell with the key to the marks; `notes` are small lines below the legend.
    """
    size, small = (14, LEGEND_SIZE) if few else (30, LARGE_LEGEND_SIZE)
    lines = _lines(meanings, 70 if few else 90)
    headings = wrap(heading, size, page_layout.WIDEST)
    rows = [f'<FONT POINT-SIZE="{size}">{text(line)}</FONT>' for line in headings]
    rows += [f'<TABLE BORDER="0"><TR>{key}</TR></TABLE>'] if key else []
    rows += [f'<FONT POINT-SIZE="{small}" COLOR="#404040">{text(line)}</FONT>' for line in lines]
    rows += [f'<FONT POINT-SIZE="{small * 0.8:.0f}" COLOR="#404040">{text(line)}</FONT>' for line in notes]
    table = "".join(f"<TR><TD>{row}</TD></TR>" for row in rows)
    # Graphviz rounds the widths of small letters, mostly down, and would cut off the end of a long line.
    room = math.ceil(max(text_width(line, small) for line in lines))
    page = {
        "label": f'<<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="3" WIDTH="{room}">{table}</TABLE>>',
        "labelloc": "t",
        "fontname": FONT,
        "nodesep": "0.12" if few else "0.06",
        "ranksep": "0.4" if few else f"{page_layout.ROW_GAP / 72:.2f}",
        "ordering": "out",
        "outputorder": "edgesfirst",
        "bgcolor": "white",
        "margin": "0",
    }
    nodes = {"shape": "box", "margin": "0.03", "width": "0", "height": "0", "fontname": FONT}
    edges = {"arrowsize": "0.6", "color": "#404040", "fontname": FONT, "fontsize": "10" if few else "16"}
    return graphviz.Digraph(escaped(name), graph_attr=page, node_attr=nodes, edge_attr=edges)


def label(rows: str, padding: int) -> str:
    """The label of a node: a table of `rows`, with cells padded by `padding` points."""
    return f'<<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="{padding}">{rows}</TABLE>>'


def caption(words: str, size: int, colour: str = "black", *, strip: str = "", width: int = 0) -> str:
    """The row of a label with words of a game, optionally on a coloured strip; lengths are in points."""
    if len(words) > FEW_LETTERS:
        width = max(width, math.ceil(text_width(words, size)))
    cell = (f' WIDTH="{width}"' if width else "") + (f' BGCOLOR="{strip}"' if strip else "")
    shown = text(words) or "&#160;"  # as Graphviz accepts no empty text
    return f'<TR><TD{cell}><FONT POINT-SIZE="{size}" COLOR="{colour}">{shown}</FONT></TD></TR>'


def room(move: str, size: int) -> str:
    """The attribute of a table cell that gives a long name of a move its width; "" for a short one."""
    return f' WIDTH="{math.ceil(text_width(move, size))}"' if len(move) > MANY_LETTERS else ""


def add_description(svg: str, title: str, description: str) -> str:
    """Add a title and a description to the SVG of Graphviz, and use tooltips as titles of nodes and edges."""
    svg = TITLE.sub(r"<title>\2</title>\n\1", svg)
    head = "<title>{}</title>\n<desc>{}</desc>\n".format(*map(html.escape, (plain(title), description)))
    return re.sub(r"<svg ([^>]*>\n)", lambda match: f'<svg role="img" {match[1]}{head}', svg, count=1)


def tip(of_game: str) -> str:
    """Escape the text of a game for a tooltip, in which Graphviz resolves escapes twice."""
    return escaped(of_game.replace("\\", "\\\\"))


def escaped(of_game: str) -> str:
    """Escape the text of a game for an attribute or a name."""
    # Graphviz decodes entities everywhere; it never takes the result of `escape` for an HTML-like label.
    text_of_game: str = graphviz.escape(plain(of_game).replace("&", "&amp;"))
    return text_of_game


def _lines(meanings: Sequence[str], longest: int) -> list[str]:
    """The meanings joined into lines of at most `longest` characters, unless a single meaning is longer."""
    lines = [meanings[0]]
    for meaning in meanings[1:]:
        both = f"{lines[-1]}  ·  {meaning}"
        lines[-1:] = [both] if len(both) <= longest else [lines[-1], meaning]
    return lines
