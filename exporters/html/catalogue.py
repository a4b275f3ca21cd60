"""The page of solved games: each with a picture of its start, its value, and links to its files."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from textwrap import shorten
from urllib.parse import quote

from exporters.html.page import file_text, framed, rules_fold, scripts
from exporters.palette import escape
from exporters.svg.position import framed_board
from solver.database import Database
from solver.database.wording import counted_positions, game_title, standing_of
from solver.errors import SolverError, message_of

Listed = tuple[
    str, Callable[[], AbstractContextManager[Database]], Sequence[tuple[str, str]], Sequence[str], str | None
]
"""A game: name, opener of the database, links (text, relative URL), remarks, and the reason of a failure."""


def render(games: Iterable[Listed]) -> str:
    """The text of the page; for a database that cannot be used, it shows the reason."""
    cards = "".join(map(_card, games))
    body = file_text("html", "catalogue.html").replace("{{cards}}", cards)
    return framed("Solved games", body, file_text("html", "catalogue.css"), scripts("html", ["catalogue"]))


def _card(game: Listed) -> str:
    name, opened, links, remarks, failure = game
    picture, rules, lines = "", "", list[tuple[str, str]]()
    try:
        with opened() as db:
            start, name = db[db.start], game_title(db.game)
            drawn = b64encode(framed_board(db.game, start).encode()).decode()
            alt = escape(f"The start: {start.position}")
            picture = f'<img src="data:image/svg+xml;base64,{drawn}" alt="{alt}">\n'
            rules = rules_fold(db.game)
            lines += [("standing", standing_of(start)), ("states", counted_positions(db))]
    except SolverError as error:
        links, failure = [], failure or message_of(error)
    lines += [("remark", shorten(remark, 200, placeholder=" …")) for remark in remarks]
    lines += [("failure", f"Failed: {failure}")] if failure else []
    urls = " ".join(f'<a href="{escape(quote(url))}">{escape(text)}</a>' for text, url in links)
    paragraphs = (f'<p class="{look}">{escape(text)}</p>\n' for look, text in lines)
    words = f"<h2>{escape(name)}</h2>\n{''.join(paragraphs)}<p>{urls}</p>\n{rules}"
    return f"<li>\n{picture}<div>\n{words}</div>\n</li>\n"
