"""A report as one page of HTML that loads nothing, on light or dark ground, and to be printed."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from exporters.html.page import dark_style, file_text, framed
from exporters.palette import escape
from exporters.report.plots import drawn
from solver.analysis.report.contents import Contents, Grid, Paragraph, Piece, Plot, Quoted, Words

BODY = """<header>
<h1>{title}</h1>
<p>{about}</p>
</header>
<main>
{chapters}
</main>
"""


def render(contents: Contents) -> str:
    """The text of the HTML file."""
    style = dark_style() + file_text("report", "style.css")
    chapters = (
        f"<section>\n<h2>{escape(chapter.heading)}</h2>\n{''.join(_pieces(chapter.pieces))}</section>"
        for chapter in contents.chapters
    )
    body = BODY.format(
        title=escape(contents.title), about=_inline(contents.about), chapters="\n".join(chapters)
    )
    return framed(contents.title, body, style)


def _pieces(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield each piece; plots that follow each other are side by side where there is room."""
    for are_plots, some in groupby(pieces, lambda piece: isinstance(piece, Plot)):
        if are_plots:
            yield f'<div class="plots">\n{"".join(map(_figure, some))}</div>\n'
            continue
        for piece in some:
            if isinstance(piece, Paragraph):
                yield f"<p>{_inline(piece.words)}</p>\n"
            elif isinstance(piece, Grid):
                yield _grid(piece)


def _figure(plot: Piece) -> str:
    assert isinstance(plot, Plot)
    return f"<figure>\n<figcaption>{escape(plot.title)}</figcaption>\n{drawn(plot)}\n</figure>\n"


def _grid(grid: Grid) -> str:
    def row(cells: Sequence[Words], tag: str) -> str:
        looks = ("" if at in grid.wordy else ' class="number"' for at in range(len(cells)))
        parts = (f"<{tag}{look}>{_inline(cell)}</{tag}>" for cell, look in zip(cells, looks, strict=True))
        return f"<tr>{''.join(parts)}</tr>\n"

    body = "".join(row(each, "td") for each in grid.rows)
    table = f"<thead>\n{row(grid.head, 'th')}</thead>\n<tbody>\n{body}</tbody>"
    shown = f'<div class="grid"><table>\n{table}\n</table></div>\n'
    return f"<details><summary>{escape(grid.hidden)}</summary>\n{shown}</details>\n" if grid.hidden else shown


def _inline(words: Words) -> str:
    if isinstance(words, str):
        return escape(words)
    if isinstance(words, Quoted):
        return f"<code>{escape(words.text)}</code>"
    return "".join(map(_inline, words))
