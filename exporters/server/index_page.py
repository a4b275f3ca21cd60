"""The page that lists the games of a service."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any
from urllib.parse import quote

STYLE = (
    "body{font:1.1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}"
    ":root{color-scheme:light dark}a{font-weight:600}p{margin:.2rem 0 1rem}"
)

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Solved games</title>
<style>{style}</style>
</head>
<body>
<h1>Solved games</h1>
{games}
</body>
</html>
"""


def index_page(games: Iterable[Mapping[str, Any]]) -> str:
    """The HTML of the page, given the games as `/games` lists them."""
    return PAGE.format(style=STYLE, games="\n".join(map(_entry, games)))


def _entry(game: Mapping[str, Any]) -> str:
    """The entry of a game: a link to its page, or why it cannot be played."""
    if "error" in game:
        return f"<h2>{escape(game['id'])}</h2>\n<p>{escape(game['error']['message'])}</p>"
    link = f'<a href="/games/{quote(game["id"], safe="")}/page">{escape(game["title"])}</a>'
    of = "classes of symmetric positions" if game["folded"] else "positions"
    return f"<h2>{link}</h2>\n<p>{game['states']:,} {of}</p>"
