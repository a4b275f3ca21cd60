"""The page that lists the games of a service."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from exporters.html.page import framed, page_style

STYLE = """
#games { list-style: none; padding: 0; max-width: 34rem }
#games li { background: var(--card); border: 1px solid var(--rule); border-radius: .5rem; margin: .8rem 0 }
#games li { padding: .8rem 1rem }
#games a { color: var(--focus); font-size: 1.15rem; font-weight: 600 }
#games p { color: var(--quiet); margin: .2rem 0 0 }
"""

BODY = """<header>
<h1>Solved games</h1>
<p>Each can be played against: every move is known.</p>
</header>
<main>
<ul id="games">
{games}
</ul>
</main>
"""


def index_page(games: Iterable[Mapping[str, Any]]) -> str:
    """The HTML of the page, given the games as `/games` lists them."""
    body = BODY.format(games="\n".join(map(_entry, games)))
    return framed("Solved games", body, page_style() + STYLE)


def _entry(game: Mapping[str, Any]) -> str:
    """The entry of a game: a link to its page, or why it cannot be played."""
    if "error" in game:
        return f"<li>{escape(game['id'])}<p>{escape(game['error']['message'])}</p></li>"
    link = f'<a href="games/{quote(game["id"], safe="")}/page">{escape(game["title"])}</a>'
    of = "classes of symmetric positions" if game["folded"] else "positions"
    return f"<li>{link}<p>{game['states']:,} {of}</p></li>"
