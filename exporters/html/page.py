"""Pages as single HTML files with inlined style, scripts and data, which load at most rows of positions.

A content security policy allows only this style and this script, by their SHA-256, and connections only to
the page's own server, if it fetches rows. The JSON document of a page describes its game: the players, the
values and the looks of boards.
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
from solver.rules.loading import description_of, game_name, game_parameters
from solver.rules.parameters import defaults_of, with_parameters

BOARD = ("data", "words", "elements", "focus", "marks", "clicks", "ground", "board")
"""The scripts of all pages with a board to click, in the order of their imports."""

SCRIPTS = (
    *(*BOARD, "source", "line", "finder", "ranking", "moves", "curve", "place", "sides", "waiting"),
    "page",
)
"""The scripts of the page of a game."""

MODULE_SYNTAX = re.compile(r"^import .*?;\n|^export (?=function|class|const)", re.MULTILINE | re.DOTALL)
"""The module syntax to remove, as scripts are joined: a page opened from disk cannot import."""


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

    The line ends with an `answer`, which is hidden together with all other answers. A page with a `source`
    fetches rows from its own server. The page ends with the `marks` of certificates.
    """
    body = filled(file_text("html", "page.html"), game, heading=heading, about=about, answer=answer)
    script = scripts("html", SCRIPTS)
    return framed(heading, body, page_style(), script, document, source=source, marks=marks)


def board_page(db: Database, package: str, names: Sequence[str], about: str, document: str) -> str:
    """The text of a page with a board and a line about it, from the template, style and scripts of a package.

    The last of the script `names` is also the name of the template and of the style.
    """
    heading, name = game_title(db.game), names[-1]
    body = filled(file_text(package, f"{name}.html"), db.game, heading=heading, about=about)
    style = page_style() + file_text(package, f"{name}.css")
    return framed(heading, body, style, scripts("html", BOARD) + scripts(package, names), document)


def scripts(package: str, names: Iterable[str]) -> str:
    """The scripts of a package, given in the order of their imports, joined into one."""
    return MODULE_SYNTAX.sub("", "\n".join(file_text(package, f"{name}.js") for name in names))


def filled(template: str, game: AnyGame, **parts: str) -> str:
    """The template of a body, filled with the rules of the game and with escaped texts."""
    texts = {name: escape(text) for name, text in parts.items()}
    return _with_parts(template, {**texts, "rules": rules_fold(game)})


def rules_fold(*games: AnyGame) -> str:
    """The rules of each class of the games in HTML, collapsed under its name.

    The name has the non-default parameters that all games of the class share.
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
    missing = "They have no description: the docstring of the class would be shown here."
    paragraphs = (description_of(rules) or missing).split("\n\n")
    text = re.sub("`+([^`]+)`+", r"<code>\1</code>", "</p>\n<p>".join(map(escape, paragraphs)))
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
    """The text of a page: a title, a body (HTML), a style, and a script with its `document` (JSON), if any.

    The style follows the one shared by all pages, which are dark if the reader prefers that. The policy
    allows only these styles and this script; a page with a `source` may also connect to its own server, and
    run scripts from there if the source is a script.
    The `marks` of certificates are at the end of the body.
    """
    if marks:
        lines = "".join(f"<p>{escape(line)}</p>\n" for line in lines_of(marks))
        body, style = f"{body}<footer>\n{lines}</footer>\n", style + file_text("html", "footer.css")
    style = file_text("html", "base.css") + file_text("html", "dark.css") + style
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
    """The CSS of a page with a game to play."""
    paints = "".join(f".{name}{{color:var(--{name})}}" for name in ("ink", "side0", "side1", *sorted(NAMED)))
    return f"{file_text('html', 'style.css')}{paints}"


def policy(style: str, script: str, source: str | None = None) -> str:
    """The content security policy of a page with this style, script and source, if any."""
    more = " 'self'" if source is not None and source.endswith(".js") else ""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'{more}; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
        + ("" if source is None else "; connect-src 'self'")
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _with_parts(template: str, parts: Mapping[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], template)


def file_text(package: str, name: str) -> str:
    """The text of a data file of the package `exporters.<package>`."""
    return files(f"exporters.{package}").joinpath(name).read_text("utf-8")


def about_database(db: Database, *, roots: int, source: str | None = None, **more: Any) -> dict[str, Any]:
    """The description of a database in the document of a page; the first `roots` positions begin play."""
    about = about_game("database", db.game, None, scored=db.scored, roots=roots, source=source, **more)
    return about if db.endless == "draw" else {**about, "endless": db.endless}


def about_game(kind: str, game: AnyGame, owner: int | None, **more: Any) -> dict[str, Any]:
    """The description of a game in the document of a page of a `kind`, `plan` or `database`.

    It has the owners and glyphs of marks, the paints of the players, the ground, the names of cells, the
    steps of pieces that are tiles, and `more` members: `scored`, `roots`, `source` and those of the kind.
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
