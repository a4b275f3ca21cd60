"""The page: one HTML file with style, scripts and data inlined, which loads at most rows of positions.

A content security policy allows this one style and this one script only, by their SHA-256, and connections to
the page's own server only where it fetches rows. The document of a page says of its game who plays, how play
is valued, and how boards look.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from exporters.palette import NAMED, body, escape, paint, tiles_of
from solver.analysis.certificates.mark import Mark, lines_of
from solver.database import Database
from solver.database.wording import game_title
from solver.game import AnyGame
from solver.rules.asking import cell_names_of, look_of
from solver.rules.loading import game_name, game_parameters, rules_told
from solver.rules.parameters import defaults_of, with_parameters

BOARD = ("data", "words", "elements", "focus", "marks", "clicks", "ground", "board")
"""The scripts of all pages with a board to click, in order of their imports."""

SCRIPTS = (
    *(*BOARD, "source", "line", "finder", "ranking", "moves", "curve", "place", "sides", "waiting"),
    "page",
)
"""The scripts of the page of a game."""

MODULE_SYNTAX = re.compile(r"^import .*?;\n|^export (?=function|class|const)", re.MULTILINE | re.DOTALL)
"""The module syntax to remove: a page opened from disk may not import, so the scripts become one."""

FOOTER = """
footer {
  margin-top: 2.5rem;
  padding-top: 0.75rem;
  border-top: 1px solid var(--faint);
  color: var(--quiet);
  font-size: 0.8rem;
}

footer p {
  margin: 0.15rem 0;
}
"""
"""The style of the lines about certificates."""

TEMPLATE_PART = re.compile(r"\{\{(\w+)\}\}")
"""The place of a part in a template."""


def page(
    game: AnyGame,
    heading: str,
    about: str,
    answer: str,
    document: str,
    *,
    source: str | None = None,
    marks: Sequence[Mark] = (),
) -> str:
    """The text of the page of a game that shows `document` (JSON) under a heading and a line about it.

    The line ends in an `answer`, which is hidden with all others. A page with a `source` asks its own
    server. The page ends with the `marks` of certificates.
    """
    body = filled(file_text("html", "page.html"), game, heading=heading, about=about, answer=answer)
    script = scripts("html", SCRIPTS)
    return framed(heading, body, page_style(), script, document, source=source, marks=marks)


def board_page(db: Database, package: str, names: Sequence[str], about: str, document: str) -> str:
    """The text of a page with a board and a line about it, by the template, style and scripts of a package.

    The last of the scripts has the name of the template and of the style.
    """
    heading, name = game_title(db.game), names[-1]
    body = filled(file_text(package, f"{name}.html"), db.game, heading=heading, about=about)
    style = page_style() + file_text(package, f"{name}.css")
    return framed(heading, body, style, scripts("html", BOARD) + scripts(package, names), document)


def scripts(package: str, names: Iterable[str]) -> str:
    """The scripts of a package, in order of their imports, as one."""
    return MODULE_SYNTAX.sub("", "\n".join(file_text(package, f"{name}.js") for name in names))


def filled(template: str, game: AnyGame, **parts: str) -> str:
    """The template of a body with the rules of the game and with texts in their places, escaped."""
    texts = {name: escape(text) for name, text in parts.items()}
    return _with_parts(template, {**texts, "rules": rules_fold(game)})


def rules_fold(*games: AnyGame) -> str:
    """The rules of each class of these games in HTML, to be folded out.

    What is always seen is its name, with the parameters that are not the default and the same in all of them.
    """
    return "".join(
        _rules_of(rules, [game for game in games if type(game) is rules])
        for rules in dict.fromkeys(map(type, games))
    )


def _rules_of(rules: type[AnyGame], games: Sequence[AnyGame]) -> str:
    chosen = [game_parameters(game) for game in games]
    shared = {
        name: value
        for name, value in chosen[0].items()
        if defaults_of(rules).get(name) != value and all(other[name] == value for other in chosen)
    }
    name = with_parameters(game_name(games[0]).rpartition(":")[2], shared)
    text = re.sub("`+([^`]+)`+", r"<code>\1</code>", "</p>\n<p>".join(map(escape, rules_told(rules))))
    summary = f"<summary>The rules: {escape(name)}</summary>"
    return f'<details class="rules">{summary}\n<p>{text}</p>\n</details>\n'


def framed(
    heading: str,
    body: str,
    style: str,
    script: str = "",
    document: str = "",
    *,
    source: str | None = None,
    marks: Sequence[Mark] = (),
) -> str:
    """The text of a page: a title, a body (HTML), a style, and the script with its `document` (JSON), if any.

    The style goes behind the one that all pages share. The policy allows this style and this script alone; a
    page with a `source` may ask its own server, too, and run scripts from there if the source is one. The
    `marks` of certificates are at the end of the body.
    """
    if marks:
        lines = "".join(f"<p>{escape(line)}</p>\n" for line in lines_of(marks))
        body, style = f"{body}<footer>\n{lines}</footer>\n", style + FOOTER
    style = file_text("html", "base.css") + style
    data = f'<script type="application/json" id="data">{document}</script>\n'
    return _with_parts(
        file_text("html", "frame.html"),
        {
            "heading": escape(heading),
            "policy": policy(style, script, source),
            "style": style,
            "body": body,
            "scripts": f'{data}<script type="module">{script}</script>\n' if script else "",
        },
    )


def page_style() -> str:
    """The style of a page with a game to play, in CSS."""
    paints = "".join(f".{name}{{color:var(--{name})}}" for name in ("ink", "side0", "side1", *sorted(NAMED)))
    return f"{dark_style()}{file_text('html', 'style.css')}{paints}"


def dark_style() -> str:
    """The style of a page that follows the reader's choice of dark ground, in CSS."""
    return file_text("html", "dark.css")


def policy(style: str, script: str, source: str | None = None) -> str:
    """The content security policy of a page with this style, this script and this source, if any."""
    more = " 'self'" if source is not None and source.endswith(".js") else ""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'{more}; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
        + ("" if source is None else "; connect-src 'self'")
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _with_parts(template: str, parts: Mapping[str, str]) -> str:
    return TEMPLATE_PART.sub(lambda match: parts[match[1]], template)


def file_text(package: str, name: str) -> str:
    """The text of a file that comes along in a package of `exporters`."""
    return files(f"exporters.{package}").joinpath(name).read_text("utf-8")


def about_database(db: Database, *, roots: int, source: str | None = None, **more: Any) -> dict[str, Any]:
    """What a page says of a database, of whose positions the first `roots` begin play."""
    about = about_game("database", db.game, None, scored=db.scored, roots=roots, source=source, **more)
    return about if db.endless == "draw" else {**about, "endless": db.endless}


def about_game(kind: str, game: AnyGame, owner: int | None, **more: Any) -> dict[str, Any]:
    """What a page of a `kind`, `plan` or `database`, says of its game, with `more` members.

    Among these are the owner and the glyph of each mark that has one, the paints of the players, the ground,
    the names of cells, and the steps of each piece that is a tile; `more` are `scored`, `roots`, `source` and
    what a page of this kind has besides.
    """
    look, tiles = look_of(game), tiles_of(game)
    return {
        "kind": kind,
        "players": game.players,
        "owner": owner,
        **more,
        "sides": {**{name: side for side, name in enumerate(game.players)}, **look.owners},
        "paints": [paint(game, side) for side in (0, 1)],
        "glyphs": {mark: body(game, mark) for mark in look.glyphs},
        "ground": look.ground,
        "ways": [list(map(list, way)) for way in look.ways],
        "names": cell_names_of(game),
        **({"tiles": tiles} if tiles else {}),
    }
