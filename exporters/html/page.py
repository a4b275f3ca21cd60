"""The page: one HTML file with style, scripts and data inlined, which loads at most rows of positions.

A content security policy allows this one style and this one script only, by their SHA-256, and connections to
the page's own server only where it fetches rows.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from html import escape
from importlib.resources import files

from exporters.palette import plain

SCRIPTS = (
    *("data", "source", "words", "line", "finder", "elements", "marks", "clicks"),
    *("ground", "board", "focus", "ranking", "moves", "curve", "place", "sides", "waiting", "page"),
)
"""The scripts, in order of their imports."""

MODULE_SYNTAX = re.compile(r"^import .*?;\n|^export (?=function|class|const)", re.MULTILINE | re.DOTALL)
"""The module syntax to remove: a page opened from disk may not import, so the scripts become one."""


def page(heading: str, about: str, answer: str, document: str, *, fetches: bool = False) -> str:
    """The text of the page that shows `document` (JSON) under a heading and a line about it.

    The line ends in an `answer`, which is hidden with all others. A page that `fetches` asks its own server.
    """
    script = scripts("exporters.html", SCRIPTS)
    return assembled(
        _file("page.html"),
        page_style(),
        script,
        heading,
        about,
        answer=escape(plain(answer)),
        document=document,
        fetches=fetches,
    )


def scripts(package: str, names: Iterable[str]) -> str:
    """The scripts of a package, in order of their imports, as one."""
    texts = (files(package).joinpath(f"{name}.js").read_text("utf-8") for name in names)
    return MODULE_SYNTAX.sub("", "\n".join(texts))


def assembled(
    template: str, style: str, script: str, heading: str, about: str, *, fetches: bool = False, **parts: str
) -> str:
    """The text of a page: a template with the style, the script and a policy that allows these alone.

    Of the `parts` those that are texts of a game are escaped already. See `page` for one that `fetches`.
    """
    known = {
        **parts,
        "heading": escape(plain(heading)),
        "about": escape(plain(about)),
        "policy": policy(style, script) + ("; connect-src 'self'" if fetches else ""),
        "style": style,
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: known[found[1]], template)


def page_style() -> str:
    """The style of a page, in CSS."""
    return _file("style.css")


def policy(style: str, script: str) -> str:
    """The content security policy of a page with this style and this script."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _file(name: str) -> str:
    return files("exporters.html").joinpath(name).read_text("utf-8")
