"""A report as Markdown, with its grids as tables. Plots are left out: their numbers are in the grids."""

import re
from collections.abc import Iterator

from exporters.palette import plain
from solver.analysis.report.contents import Contents, Grid, Paragraph, Quoted, Words

SPECIAL = re.compile(r"([\\`*_\[\]<>|~#&$])")
"""Characters that mean something in Markdown."""


def render(contents: Contents) -> str:
    """The text of the Markdown."""
    return "\n\n".join(_blocks(contents)) + "\n"


def _blocks(contents: Contents) -> Iterator[str]:
    yield f"# {_escaped(contents.title)}"
    yield _inline(contents.about)
    for chapter in contents.chapters:
        yield f"## {_escaped(chapter.heading)}"
        for piece in chapter.pieces:
            if isinstance(piece, Paragraph):
                yield _inline(piece.words)
            elif isinstance(piece, Grid):
                yield "\n".join(_table(piece))


def _table(grid: Grid) -> Iterator[str]:
    yield _row([_inline(cell) for cell in grid.head])
    yield _row(["---" if column in grid.wordy else "---:" for column in range(len(grid.head))])
    for row in grid.rows:
        yield _row([_inline(cell, in_table=True) for cell in row])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _inline(words: Words, *, in_table: bool = False) -> str:
    if isinstance(words, str):
        return _escaped(words)
    if isinstance(words, Quoted):
        code = _code(plain(words.text))
        return code.replace("|", "\\|") if in_table else code
    return "".join(_inline(each, in_table=in_table) for each in words)


def _escaped(text: str) -> str:
    return SPECIAL.sub(r"\\\1", plain(text))


def _code(text: str) -> str:
    """The text as code, between more backticks than it has in a row."""
    if not text.strip():
        return "(blank)"
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if "`" in (text[0], text[-1]) or text[0] == text[-1] == " " else ""
    return f"{fence}{space}{text}{space}{fence}"
