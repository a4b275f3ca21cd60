"""The sizes of pictures, and the texts of an SVG in a browser that overlap, stick out or are cut off.

It brings the program's own font along, so that the machine's fonts do not matter.
"""

import base64
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import pypdf
from playwright.sync_api import Browser, Page

SVG = "{http://www.w3.org/2000/svg}"
"""The name space of the elements of a picture."""

VIEWPORTS = {"phone": (390, 844), "laptop": (1366, 768), "A3": (1123, 1587)}
"""Width and height in CSS pixels; a sheet of A3 is 297 by 420 mm, at 96 pixels an inch."""

BEGINS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "gv": b"digraph", "html": b"<!doctype html>"}
"""What a tree begins with in each format."""

FAULTS = """
() => {
  const svg = document.querySelector("svg"), frame = svg.getBoundingClientRect();
  const scale = frame.width / (svg.viewBox.baseVal.width || frame.width), slack = 0.75 * Math.max(scale, 0.2);
  const texts = [...svg.querySelectorAll("text")].filter(text => text.textContent.trim());
  const seen = element => {  // of the height of a line, letters fill no more than this
    const { left, right, top, bottom } = element.getBoundingClientRect(), height = bottom - top;
    return { left, right, top: top + 0.17 * height, bottom: bottom - 0.08 * height };
  };
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
  const within = (a, b) => a.left >= b.left - slack && a.right <= b.right + slack &&
    a.top >= b.top - slack && a.bottom <= b.bottom + slack;
  const said = text => JSON.stringify(text.textContent.slice(0, 60));
  const faults = [];
  const boxes = texts.map(seen);
  if (frame.left < -1 || frame.right > Math.max(innerWidth, document.documentElement.scrollWidth) + 1)
    faults.push("the picture is cut off by the page");
  texts.forEach((text, at) => {
    if (!(boxes[at].right > boxes[at].left)) faults.push(`${said(text)} takes no room`);
    if (!within(boxes[at], frame)) faults.push(`${said(text)} is cut off`);
    for (let other = at + 1; other < texts.length; other++)
      if (overlap(boxes[at], boxes[other])) faults.push(`${said(text)} overlaps ${said(texts[other])}`);
  });
  for (const shape of svg.querySelectorAll("path, rect, polygon, ellipse, line, use"))
    if (!shape.closest("defs") && !within(shape.getBoundingClientRect(), frame))
      faults.push(`a ${shape.tagName} is cut off`);
  for (const group of svg.querySelectorAll("g")) {
    const first = [...group.children].find(child => child.tagName !== "title");
    const box = group.classList.contains("node") ? group.querySelector("polygon, path")
      : first?.tagName === "rect" ? first : null;
    if (!box) continue;
    const room = box.getBoundingClientRect();
    texts.forEach((text, at) => {
      if (group.contains(text)) {
        if (!within(boxes[at], room)) faults.push(`${said(text)} sticks out of its box`);
      } else if (group.classList.contains("node") && overlap(boxes[at], room))
        faults.push(`${said(text)} lies on a box that is not its own`);
    });
  }
  return faults;
}
"""


def faults(browser: Browser, svg: str, viewport: str) -> list[str]:
    """What is wrong with the picture as it is seen in this viewport, in words."""
    page = _page(browser, viewport)
    page.evaluate("svg => { document.body.innerHTML = svg; }", svg[svg.index("<svg") :])
    actual: list[str] = page.evaluate(FAULTS)
    return actual


def widths(browser: Browser, words: Sequence[str], size: float) -> list[float]:
    """The widths of texts in the font at this size, in pixels."""
    actual: list[float] = _page(browser, "laptop").evaluate(
        """([words, size]) => {
            const drawing = document.createElement("canvas").getContext("2d");
            drawing.font = `${size}px "DejaVu Sans"`;
            return words.map(word => drawing.measureText(word).width);
        }""",
        [[*words], size],
    )
    return actual


@cache
def _page(browser: Browser, viewport: str) -> Page:
    """A page of this size with the font, for one picture after the other."""
    width, height = VIEWPORTS[viewport]
    page = browser.new_page(viewport={"width": width, "height": height})
    page.emulate_media(media="print" if viewport == "A3" else "screen")
    font = base64.b64encode((files("exporters") / "fonts" / "DejaVuSans.ttf").read_bytes()).decode()
    page.set_content(
        "<!DOCTYPE html><meta charset=utf-8><style>@font-face{font-family:'DejaVu Sans';"
        f"src:url(data:font/ttf;base64,{font})}}body{{margin:0}}"
        "svg{display:block;max-width:100%;height:auto}</style><body></body>"
    )
    page.evaluate("document.fonts.load('12px \"DejaVu Sans\"').then(() => document.fonts.ready)")
    return page


@cache
def _blank_page(browser: Browser) -> Page:
    """A page for whatever is to be read: a new one takes longer than reading."""
    return browser.new_page()


def pages_and_title(pdf: bytes) -> tuple[Sequence[pypdf.PageObject], str | None]:
    """The pages of a PDF, and the title that it states."""
    read = pypdf.PdfReader(io.BytesIO(pdf), strict=True)
    return read.pages, read.metadata.title if read.metadata else None


def assert_small(svg: bytes, png: bytes, pdf: bytes) -> None:
    """Assert that pictures are at most 1,500 points and 2,500 pixels wide, and that a PDF fits on A3."""
    width = re.search(rb'<svg [^>]*?width="([\d.]+)pt"', svg)
    assert width
    assert float(width[1]) <= 1500
    assert int.from_bytes(png[16:20], "big") <= 2500
    (page,), _ = pages_and_title(pdf)
    short, long = sorted(map(float, (page.mediabox.width, page.mediabox.height)))
    assert short <= 297 / 25.4 * 72
    assert long <= 420 / 25.4 * 72


def texts_of(svg: str | ET.Element) -> list[str]:
    """The texts of a picture or of a part of it, without a browser."""
    root = ET.fromstring(svg) if isinstance(svg, str) else svg
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def texts(browser: Browser, svg: str) -> list[str]:
    """The texts that a browser reads out of the SVG, parsed as XML; it must not run anything in it."""
    actual: list[str] = _blank_page(browser).evaluate(
        """svg => {
            const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
            if (parsed.querySelector("parsererror, script")) throw new Error("malformed, or a script");
            return [...parsed.querySelectorAll("text, title, desc")].map(each => each.textContent);
        }""",
        svg,
    )
    return actual


def names(browser: Browser, svg: str) -> list[str]:
    """What a screen reader finds in the picture: the names of its parts, from the first to the last."""
    page = _blank_page(browser)
    page.set_content(svg)
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    said = [node.get("name", {}).get("value", "") for node in nodes if not node["ignored"]]
    return [name for name in said if name]
