"""The page of solved games: each with the picture of its start, its value, and links to what it has."""

import textwrap
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from html import escape
from importlib.resources import files
from urllib.parse import quote

from exporters.html.page import dark_style, framed, scripts
from exporters.palette import plain
from exporters.svg.position import framed_board
from solver.database import Database
from solver.database.wording import game_title, standing_of
from solver.errors import SolverError, message_of

Listed = tuple[
    str, Callable[[], AbstractContextManager[Database]], Sequence[tuple[str, str]], Sequence[str], str | None
]
"""A game: its name, what opens its database, links as texts with relative URLs, remarks, what failed."""

LONGEST_REMARK = 200
"""Characters of a remark that are shown."""

CARD = """<li>
{picture}<div>
<h2>{title}</h2>
{lines}</div>
</li>
"""


def render(games: Iterable[Listed]) -> str:
    """The text of the page; of a database that cannot be used it says why."""
    cards = "".join(map(_card, games))
    body = _file("catalogue.html").replace("{{cards}}", cards)
    style = dark_style() + _file("catalogue.css")
    return framed("Solved games", body, style, scripts("exporters.html", ["catalogue"]))


def _card(game: Listed) -> str:
    name, opened, links, remarks, failure = game
    try:
        with opened() as db:
            start = db[db.start]
            drawn = b64encode(framed_board(db.game, start).encode()).decode()
            title, alt = game_title(db.game), _escaped(f"The start: {start.position}")
            of = "classes of symmetric positions" if db.folded else "positions"
            says = [standing_of(start), f"{len(db):,} {of}"]
    except SolverError as error:
        return CARD.format(picture="", title=_escaped(name), lines=_paragraph("failure", message_of(error)))
    urls = (f'<a href="{escape(quote(url))}">{_escaped(text)}</a>' for text, url in links)
    lines = [_paragraph("standing", says[0]), _paragraph("states", says[1]), f"<p>{' '.join(urls)}</p>\n"]
    lines += [
        _paragraph("remark", textwrap.shorten(remark, LONGEST_REMARK, placeholder=" …")) for remark in remarks
    ]
    lines += [_paragraph("failure", f"Failed: {failure}")] if failure else []
    picture = f'<img src="data:image/svg+xml;base64,{drawn}" alt="{alt}">\n'
    return CARD.format(picture=picture, title=_escaped(title), lines="".join(lines))


def _paragraph(look: str, text: str) -> str:
    return f'<p class="{look}">{_escaped(text)}</p>\n'


def _escaped(text: str) -> str:
    return escape(plain(text))


def _file(name: str) -> str:
    return files("exporters.html").joinpath(name).read_text("utf-8")
