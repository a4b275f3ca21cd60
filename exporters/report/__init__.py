"""A report, such as the one on a solved game, as an HTML page or as Markdown."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from exporters.html.page import file_text, framed, rules_fold
from exporters.palette import escape, plain
from exporters.report.plots import drawn
from exporters.svg.board import BOARD_CSS, UNIT, board_drawn, key_drawn
from exporters.svg.plot import line_css
from exporters.svg.text import moved, number
from solver.analysis.certificates.mark import lines_of
from solver.analysis.report.contents import Contents, Grid, Paragraph, Piece, Plot, Quoted, Words
from solver.rules.asking import board_of, is_over, mover_of
from solver.rules.notation import read_position

SPECIAL = re.compile(r"([\\`*_\[\]<>|~#&$])")
"""The characters with a meaning in Markdown."""

LINES = ("side0", "side1", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""The names of the line colours in the style of the page."""

CELL, WIDEST = 26, 210
"""The side of a cell, and the greatest width of a board, in pixels."""

EDGE = 6
"""The margin around a board, in pixels."""


def render(contents: Contents, ending: str) -> str:
    """The report as `html` or `md`."""
    return as_page(contents) if ending == "html" else as_markdown(contents)


def as_markdown(contents: Contents) -> str:
    """The report as Markdown, with grids as tables and without plots, whose numbers are in the grids."""
    return "\n\n".join(_blocks(contents)) + "\n"


def _blocks(contents: Contents) -> Iterator[str]:
    yield f"# {_escaped(contents.title)}"
    yield from map(_escaped, contents.answers)
    yield _marked_down(contents.about)
    for chapter in contents.chapters:
        yield f"## {_escaped(chapter.heading)}"
        for piece in chapter.pieces:
            if isinstance(piece, Paragraph):
                yield _marked_down(piece.words)
            elif isinstance(piece, Grid):
                ruler = ["---" if column in piece.wordy else "---:" for column in range(len(piece.head))]
                body = ([_marked_down(cell, in_table=True) for cell in row] for row in piece.rows)
                rows = [[*map(_marked_down, piece.head)], ruler, *body]
                yield "\n".join(f"| {' | '.join(row)} |" for row in rows)
    yield from map(_escaped, lines_of(contents.marks))


def _marked_down(words: Words, *, in_table: bool = False) -> str:
    if isinstance(words, str):
        return _escaped(words)
    if isinstance(words, Quoted):
        code = _code(plain(words.text))
        return code.replace("|", "\\|") if in_table else code
    return "".join(_marked_down(word, in_table=in_table) for word in words)


def _escaped(text: str) -> str:
    return SPECIAL.sub(r"\\\1", plain(text))


def _code(text: str) -> str:
    """The text as Markdown code, between more backticks than it has in a row."""
    if not text.strip():
        return "(blank)"
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if "`" in (text[0], text[-1]) or text[0] == text[-1] == " " else ""
    return f"{fence}{space}{text}{space}{fence}"


def as_page(contents: Contents) -> str:
    """The text of a self-contained HTML file with a light and a dark background, fit for print."""
    lines = line_css(f"var(--{name})" for name in LINES)
    style = BOARD_CSS + file_text("report", "style.css") + lines
    answers = "".join(f'<p class="answer">{escape(answer)}</p>\n' for answer in contents.answers)
    about = f"{answers}<p>{_html(contents.about)}</p>\n{rules_fold(*contents.games)}"
    chapters = "\n".join(
        f"<section>\n<h2>{escape(chapter.heading)}</h2>\n{''.join(_pieces(chapter.pieces))}</section>"
        for chapter in contents.chapters
    )
    header = f"<header>\n<h1>{escape(contents.title)}</h1>\n{about}</header>\n"
    body = f"{header}<main>\n{chapters}\n</main>\n"
    return framed(contents.title, body, style, marks=contents.marks)


def _pieces(pieces: Sequence[Piece]) -> Iterator[str]:
    """The pieces in HTML; consecutive plots are side by side where there is room."""
    for are_plots, group in groupby(pieces, lambda piece: isinstance(piece, Plot)):
        shown = "".join(map(_piece, group))
        yield f'<div class="plots">\n{shown}</div>\n' if are_plots else shown


def _piece(piece: Piece) -> str:
    if isinstance(piece, Paragraph):
        return f"<p>{_html(piece.words)}</p>\n"
    if isinstance(piece, Grid):
        return _grid(piece)
    return f"<figure>\n<figcaption>{escape(piece.title)}</figcaption>\n{drawn(piece)}\n</figure>\n"


def _grid(grid: Grid) -> str:
    def row(cells: Sequence[Words], tag: str) -> str:
        looks = ("" if at in grid.wordy else ' class="number"' for at in range(len(cells)))
        parts = (f"<{tag}{look}>{_html(cell)}</{tag}>" for cell, look in zip(cells, looks, strict=True))
        return f"<tr>{''.join(parts)}</tr>\n"

    body = "".join(row(cells, "td") for cells in grid.rows)
    table = f"<thead>\n{row(grid.head, 'th')}</thead>\n<tbody>\n{body}</tbody>"
    whole = f'<div class="grid"><table>\n{table}\n</table></div>\n'
    return f"<details><summary>{escape(grid.hidden)}</summary>\n{whole}</details>\n" if grid.hidden else whole


def _html(words: Words) -> str:
    if isinstance(words, str):
        return escape(words)
    if isinstance(words, Quoted):
        return _shown(words)
    return "".join(map(_html, words))


def _shown(quoted: Quoted) -> str:
    """A text of a game in HTML; a position has its board, if there is one, and the player to move."""
    text, game = quoted
    code = f"<code>{escape(text)}</code>"
    if game is None:
        return code
    state = read_position(game, text)
    board = board_of(game, state)
    if not board or not all(board):
        return code
    standing = (
        "the game is over" if is_over(game, state) else f"{game.players[mover_of(game, state)]} to move"
    )
    part = board_drawn(game, board, {}, named=True)
    key = key_drawn(game, [board], 12)
    scale = min(CELL / UNIT, WIDEST / part.width)
    across, down = part.width * scale + 2 * EDGE, part.height * scale + 2 * EDGE
    wide, tall = max(across, key.width + 2 * EDGE), down + (key.height + 4) * (key.width > 0)
    size = f'width="{number(wide)}" height="{number(tall)}" viewBox="0 0 {number(wide)} {number(tall)}"'
    return (
        f'<span class="position"><svg {size} role="img" aria-label="{escape(f"{text}: {standing}")}">'
        f'<rect width="100%" height="100%" rx="4" fill="#fff"/>'
        f"{moved(part.drawn, EDGE, EDGE, scale)}{moved(key.drawn, EDGE, down)}</svg>"
        f"<small>{escape(standing)}</small>{code}</span>"
    )
