"""Plug-ins: objects that installed packages register as entry points in the groups `perfectplay.<group>`.

The built-in games, players, commands, pictures and formats are registered in the same groups. The module also
suggests similar names and says how to install the libraries of an extra.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pkgutil import resolve_name
from typing import Any, NamedTuple

from solver.errors import BrokenRules, SolverError, UnknownFormat, shown, summary_of

GROUPS = {
    "games": "game",
    "players": "player",
    "commands": "command",
    "pictures": "picture",
    "exporters": "format",
}
"""The groups of entry points, with the noun for an entry in messages."""

REQUIRED = {
    "commands": ("click.Command", "click:Command"),
    "pictures": ("function", "collections.abc:Callable"),
    "exporters": ("function", "collections.abc:Callable"),
}
"""What an entry of a group has to be: in words, and as a type. Who loads games and players checks these."""


class EntryPoint(NamedTuple):
    """An entry point of an installed package."""

    name: str
    value: str
    """The module and the object: "coins:Coins"."""
    group: str

    def load(self) -> Any:
        """The object; raises what its import raises."""
        return resolve_name(self.value.partition("[")[0].strip())


@cache
def release() -> str:
    """The installed version of perfectplay."""
    from importlib.metadata import version  # slow to import, and rarely needed

    return version("perfectplay")


@cache
def installed_entries() -> dict[str, dict[str, EntryPoint]]:
    """The entry points of all groups: by group, then by name in alphabetical order.

    The result is that of `importlib.metadata`, whose import would take a quarter of the time of a query.
    """
    tables = {f"perfectplay.{group}": dict[str, EntryPoint]() for group in GROUPS}
    for text in _entry_texts():
        group = ""
        for line in map(str.strip, text.splitlines()):
            name, _, value = map(str.strip, line.partition("="))
            if line.startswith("["):
                group = line.strip("[]")
            elif value and group in tables and not line.startswith("#"):
                tables[group].setdefault(name, EntryPoint(name, value, group))
    return {group.partition(".")[2]: dict(sorted(table.items())) for group, table in tables.items()}


def _entry_texts() -> Iterator[str]:
    """The text of `entry_points.txt` of every package on `sys.path`."""
    for folder in dict.fromkeys(sys.path):
        with suppress(OSError):
            for name in sorted(os.listdir(folder or ".")):
                if name.endswith((".dist-info", ".egg-info")):
                    with (
                        suppress(OSError, UnicodeDecodeError),
                        open(os.path.join(folder, name, "entry_points.txt"), encoding="utf-8") as file,
                    ):
                        yield file.read()


def entries(group: str) -> dict[str, EntryPoint]:
    """The entry points of `perfectplay.<group>` by name, in alphabetical order."""
    return installed_entries()[group]


def loaded(entry: EntryPoint) -> Any:
    """The object that an entry point names; raises `BrokenRules` if it cannot be imported or is unfit."""
    group = entry.group.removeprefix("perfectplay.")
    title = f"the {GROUPS[group]} {entry.name}"
    try:
        made = entry.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BrokenRules(f"{title} cannot be loaded: {summary_of(error)}") from error
    words, required = REQUIRED.get(group, ("object", "builtins:object"))
    if not isinstance(made, resolve_name(required)):
        raise BrokenRules(f"{title} should be a {words}, not {shown(made)}")
    return made


def loadable(group: str) -> Iterator[str]:
    """The names of the entries of a group that can be loaded, for messages that list those of some kind."""
    for name, entry in entries(group).items():
        with suppress(BrokenRules):
            loaded(entry)
            yield name


def drawing(kind: str) -> Callable[..., Any]:
    """The function that draws the given kind of object; raises `UnknownFormat` if none is installed.

    position   a game and an entry -> SVG
    plan       a plan -> SVG
    graph      a graph of all states -> SVG
    report     the contents of a report, and `html` or `md` -> text
    plots      a title, what plots mean, and plots of a report -> SVG
    search     a trace of a search, and perhaps a format -> SVG, or the bytes or text of that format
    page       a database, with `progress`, and perhaps `marks` of certificates -> HTML
    site       a database, with `offline` and `progress` -> the name and the bytes of each file
    puzzle     a database and a puzzle -> SVG, without the answer
    puzzle-page   a database and puzzles -> HTML
    puzzle-sheet  a database and puzzles -> PDF
    annotated-page  annotated games -> HTML
    catalogue  games, as `exporters.html.catalogue` says -> HTML
    accuracy   a database and the number of players -> a function from their grades to SVG
    rendering  svg, png or pdf -> a function from an SVG to the bytes of such a file
    """
    entry = entries("pictures").get(kind)
    if entry is None:
        raise UnknownFormat(f"nothing is installed that draws a {kind}")
    function: Callable[..., Any] = loaded(entry)
    return function


def picture(kind: str, *objects: Any, **options: Any) -> str:
    """The text of a picture or page; raises `BrokenRules`, and what `drawing` and its function raise."""
    text = drawing(kind)(*objects, **options)
    if not isinstance(text, str):
        raise BrokenRules(f"the picture {kind} should return text, not {shown(text)}")
    return text


IMAGES = ("svg", "png", "pdf")
"""The formats of pictures, which are also the suffixes of their files."""


def imaging(file: str) -> Callable[[str], bytes]:
    """The function from an SVG to the bytes of a picture in the format of `file`, by its suffix; - is SVG.

    Raises `UnknownFormat` for any other suffix, and what `drawing` raises.
    """
    ending = "svg" if file == "-" else file.lower().rpartition(".")[2]
    if ending not in IMAGES:
        raise UnknownFormat(f"a picture is an SVG, PNG or PDF: {file!r} should end in .svg, .png or .pdf")
    function: Callable[[str], bytes] = str.encode if ending == "svg" else drawing("rendering")(ending)
    return function


def shown_in_notebook(kind: str, *objects: Any) -> str | None:
    """The SVG for a notebook, no wider than the page; None if it cannot be drawn legibly."""
    try:
        return picture(kind, *objects).replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)
    except SolverError:
        return None


COLUMN = 800
"""The width in pixels that every notebook has for a picture."""

SIZE = re.compile(r'\bwidth="[\d.]+\w*" height="[\d.]+\w*"')
TITLE = re.compile("<title>(.*?)</title>", re.DOTALL)


class Pictured:
    """A mixin for objects that notebooks show as a picture: as SVG, or as PNG where they are not trusted."""

    def _repr_svg_(self) -> str | None:
        raise NotImplementedError

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, dict[str, Any]]] | None:
        """The picture in both formats by MIME type, with width and alt text; PNG only if it can be drawn.

        A wide SVG is scaled to the page, as notebooks would cut it off.
        """
        from base64 import b64encode  # these two are needed only in notebooks
        from html import unescape

        svg = self._repr_svg_()
        if svg is None:
            return None
        title, width = unescape(match[1] if (match := TITLE.search(svg)) else ""), COLUMN + 1
        images, about = {"image/svg+xml": svg}, dict[str, dict[str, Any]]()
        with suppress(SolverError):
            drawn = imaging("x.png")(svg)
            width = int.from_bytes(drawn[16:20]) // 2  # two dots for each of the SVG
            images["image/png"] = b64encode(drawn).decode()
            about["image/png"] = {"width": width, "alt": title}
        if width > COLUMN:
            images["image/svg+xml"] = SIZE.sub('width="100%"', svg, count=1)
        return images, about


def names_instead(asked: str, known: Iterable[str], begin: str = "there are", end: str = "") -> str:
    """The known names in words, with "did you mean" for those most similar to `asked`, if any.

    "there are kayles, nim" or, for "nin", "there are kayles, nim; did you mean nim?".
    """
    names = list(known)
    near = alike(asked, names)
    begin = "there is" if begin == "there are" and len(names) == 1 else begin
    return f"{begin} {', '.join(names)}{end}" + (f"; did you mean {' or '.join(near)}?" if near else "")


def alike(asked: str, known: Iterable[str]) -> list[str]:
    """The known names most similar to `asked`, ignoring case: at most two, or none if none is similar."""
    from difflib import get_close_matches  # needed only for mistakes

    lowered = {name.lower(): name for name in known}
    return [lowered[name] for name in get_close_matches(asked.lower(), lowered, n=2, cutoff=0.6)]


@contextmanager
def without(module: str) -> Iterator[None]:
    """Make imports of `module` in the block fail, unless it is imported already."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[module]


def how_to_install(extra: str) -> str:
    """The command that installs the libraries of an extra, wherever perfectplay was installed from."""
    from importlib.metadata import requires  # slow to import

    library = re.compile(rf"([\w.-]+).*extra == ['\"]{extra}['\"]")
    matches = map(library.match, requires("perfectplay") or ())
    return f"`pip install {' '.join(match[1] for match in matches if match)}`"
