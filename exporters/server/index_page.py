"""The page that lists the games of a service."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from exporters.html.page import page_style, policy

STYLE = """
#games { list-style: none; padding: 0; max-width: 34rem }
#games li { background: var(--card); border: 1px solid var(--rule); border-radius: .5rem; margin: .8rem 0 }
#games li { padding: .8rem 1rem }
#games a { color: var(--focus); font-size: 1.15rem; font-weight: 600 }
#games p { color: var(--quiet); margin: .2rem 0 0 }
"""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Solved games</title>
<style>{style}</style>
</head>
<body>
<header>
<h1>Solved games</h1>
<p>Each can be played against: every move is known.</p>
</header>
<main>
<ul id="games">
{games}
</ul>
</main>
</body>
</html>
"""


def index_page(games: Iterable[Mapping[str, Any]]) -> str:
    """The HTML of the page, given the games as `/games` lists them."""
    style = page_style() + STYLE
    return PAGE.format(policy=policy(style, ""), style=style, games="\n".join(map(_entry, games)))


def _entry(game: Mapping[str, Any]) -> str:
    """The entry of a game: a link to its page, or why it cannot be played."""
    if "error" in game:
        return f"<li>{escape(game['id'])}<p>{escape(game['error']['message'])}</p></li>"
    link = f'<a href="games/{quote(game["id"], safe="")}/page">{escape(game["title"])}</a>'
    of = "classes of symmetric positions" if game["folded"] else "positions"
    return f"<li>{link}<p>{game['states']:,} {of}</p></li>"
