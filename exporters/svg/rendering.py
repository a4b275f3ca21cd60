"""SVG to PNG by resvg, and to PDF by Typst, with only the bundled fonts: the same bytes on every run."""

import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from html import unescape
from importlib import import_module
from importlib.resources import as_file, files
from types import ModuleType

from solver.errors import MissingExtra, NotLegible
from solver.system.plugins import how_to_install

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
"""A Typst document with a page for each picture, of the same size."""

OPENING = re.compile(r'<svg [^>]*?\bwidth="([\d.]+)(\w*)" height="([\d.]+)(\w*)"')
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)

POINTS = {"": 0.75, "px": 0.75, "pt": 1, "mm": 72 / 25.4}
"""The lengths of the units of SVG, in points."""

ZOOM = 2
"""The PNG pixels per SVG pixel; an inch has 96 SVG pixels."""

MAX_PIXELS = 100_000_000
"""The most pixels of a PNG; most programs cannot show larger ones."""

MAX_SIDE = 14_400
"""The greatest side of a page in PDF viewers, in points."""


def rendered(svg: str, picture_format: str, zoom: float = ZOOM) -> bytes:
    """The picture as "svg", "png" or "pdf", with the title of the SVG; a PNG is enlarged by `zoom`.

    Raises `NotLegible` if it is too large for the format, and `MissingExtra` for a PDF without Typst.
    """
    if picture_format == "pdf":
        return bound([svg], _title(svg))
    return _bitmap(svg, zoom) if picture_format == "png" else svg.encode()


def renderer(picture_format: str) -> Callable[[str], bytes]:
    """The function from an SVG to the picture in a format, as by `rendered`; raises `MissingExtra` here."""
    if picture_format == "pdf":
        _typst()
    return partial(rendered, picture_format=picture_format)


def bound(pages: Sequence[str], title: str) -> bytes:
    """A PDF with a title and a page for each SVG, of the same size; raises what `rendered` raises."""
    typst, shown = _typst(), []
    for svg in pages:
        width, height = size_of(svg)
        shown.append({"svg": svg, "title": _title(svg), "width": width, "height": height})
    with as_file(files("exporters") / "fonts") as folder:
        fonts = typst.Fonts(
            include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(folder)]
        )
        drawn: bytes = typst.compile(
            DOCUMENT.encode(),
            format="pdf",
            sys_inputs={"given": json.dumps({"title": title, "pages": shown})},
            font_paths=fonts,
        )
    return drawn


def _bitmap(svg: str, zoom: float) -> bytes:
    import resvg_py  # needed only here

    width, height = size_of(svg)
    if width * height * (zoom / POINTS["px"]) ** 2 > MAX_PIXELS:
        raise NotLegible("the picture would be larger than a bitmap can be: write an SVG or a PDF")
    with as_file(files("exporters") / "fonts") as folder:
        return resvg_py.svg_to_bytes(
            svg, background="white", zoom=zoom, dpi=96, skip_system_fonts=True, font_dirs=[str(folder)]
        )


def _typst() -> ModuleType:
    try:
        return import_module("typst")
    except ImportError as error:
        raise MissingExtra(
            f"a PDF of this picture needs Typst: install it with {how_to_install('pictures')}, "
            "or write an SVG or a PNG"
        ) from error


def size_of(svg: str, advice: str = "write an SVG") -> tuple[float, float]:
    """The width and height of a picture, in points; raises `NotLegible` if it is larger than a page."""
    size = OPENING.search(svg)
    if size is None:
        raise ValueError("the SVG does not tell its size")
    width, height = float(size[1]) * POINTS[size[2]], float(size[3]) * POINTS[size[4]]
    if max(width, height) > MAX_SIDE:
        raise NotLegible(f"the picture would be larger than a page can be: {advice}")
    return width, height


def _title(svg: str) -> str:
    title = TITLE.search(svg)
    return unescape(title[1]) if title else ""
