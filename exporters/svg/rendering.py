"""SVG as PNG and PDF, by Typst: without a browser, with the bundled fonts, the same bytes on every run."""

import json
import re
from collections.abc import Callable, Sequence
from html import unescape
from importlib import import_module
from importlib.resources import as_file, files
from types import ModuleType

from solver.errors import MissingExtra, NotLegible
from solver.system.imports import how_to_install

DOCUMENT = """
#let given = json(bytes(sys.inputs.given))
#set document(title: given.title, date: none)
#set page(margin: 0pt)
#for each in given.pages {
  page(
    width: each.width * 1pt,
    height: each.height * 1pt,
    image(bytes(each.svg), format: "svg", width: 100%, height: 100%, alt: each.title),
  )
}
"""
"""A page for each picture, as large as the picture."""

OPENING = re.compile(r'<svg [^>]*?\bwidth="([\d.]+)(\w*)" height="([\d.]+)(\w*)"')
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)

POINTS = {"": 0.75, "px": 0.75, "pt": 1, "mm": 72 / 25.4}
"""The length of a unit of SVG, in points."""

RESOLUTION = 192
"""The dots per inch of a PNG: two for each pixel of an SVG."""

MOST_PIXELS = 100_000_000
"""The pixels of a PNG; most programs show no larger ones."""

LONGEST_SIDE = 14_400
"""The longest side of a page in PDF viewers, in points."""


def rendered(svg: str, picture_format: str) -> bytes:
    """The picture as "svg", "png" or "pdf", with the title of the SVG.

    Raises `NotLegible` if it is too large for the format, and `MissingExtra` without Typst.
    """
    return renderer(picture_format)(svg)


def renderer(picture_format: str) -> Callable[[str], bytes]:
    """The function that turns an SVG into a format, as `rendered` does; raises `MissingExtra` at once."""
    if picture_format == "svg":
        return str.encode
    compiler = _typst(picture_format)
    return lambda svg: _compiled(compiler, [svg], _title(svg), picture_format)


def bound(pages: Sequence[str], title: str) -> bytes:
    """A PDF with a title and a page for each SVG, as large as that; raises as `rendered`."""
    return _compiled(_typst("pdf"), pages, title, "pdf")


def _typst(picture_format: str) -> ModuleType:
    """The library."""
    try:
        return import_module("typst")
    except ImportError as error:
        raise MissingExtra(
            f"a {picture_format.upper()} of this picture takes Typst, which is not installed: "
            f"{how_to_install('pictures')} brings it; or write an SVG"
        ) from error


def _compiled(typst: ModuleType, pages: Sequence[str], title: str, picture_format: str) -> bytes:
    shown = []
    for svg in pages:
        width, height = _size(svg, picture_format)
        shown.append({"svg": svg, "title": _title(svg), "width": width, "height": height})
    with as_file(files("exporters") / "fonts") as folder:
        fonts = typst.Fonts(
            include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(folder)]
        )
        drawn: bytes = typst.compile(
            DOCUMENT.encode(),
            format=picture_format,
            ppi=RESOLUTION,
            sys_inputs={"given": json.dumps({"title": title, "pages": shown})},
            font_paths=fonts,
        )
    return drawn


def _size(svg: str, picture_format: str) -> tuple[float, float]:
    """The width and height of an SVG of ours, in points."""
    found = OPENING.search(svg)
    if found is None:
        raise ValueError("the SVG does not tell its size")
    width, height = float(found[1]) * POINTS[found[2]], float(found[3]) * POINTS[found[4]]
    if picture_format == "png" and width * height * (RESOLUTION / 72) ** 2 > MOST_PIXELS:
        raise NotLegible("the picture would be larger than a bitmap can be: write an SVG or a PDF")
    if max(width, height) > LONGEST_SIDE:
        raise NotLegible("the picture would be larger than a page can be: write an SVG")
    return width, height


def _title(svg: str) -> str:
    """The title of an SVG; "" without one."""
    found = TITLE.search(svg)
    return unescape(found[1]) if found else ""
