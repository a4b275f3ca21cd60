"""A plan as a picture: SVG, PNG or PDF, the same bytes on every run and on machines without any font."""

import html
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from exporters.diagram import dot, page_layout
from exporters.diagram.description import described
from exporters.diagram.scene import made_scene
from solver.errors import NotLegible, SolverError
from solver.plans.plan import Plan

SIZE_PATTERNS = {
    "svg": rb'<svg width="(\d+)pt" height="(\d+)pt"',
    "pdf": rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]",
}
"""Where a picture says how large it is, in points; of a PNG that is too large Graphviz itself complains."""

LONGEST_SIDE = 14_400
"""The longest side of a page that PDF viewers show, in points."""

ADVICE = "use a smaller --depth, a later position, or --format json"

TIME_LIMIT = 60
"""After this many seconds Graphviz will not come to a legible end."""

FONT_FILES = ("DejaVuSans.ttf", "DejaVuSansMono.ttf")

FONT_CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>
"""
"""Fontconfig's whole configuration: our font and no other."""


class DrawingFailed(SolverError, RuntimeError):
    """Graphviz could not draw what we wrote: a mistake of this program or of its installation."""


def render(plan: Plan, picture_format: str, depth: int | None = None, follow: str | None = None) -> bytes:
    """The picture of `plan` as "svg", "png" or "pdf"; `depth` and `follow` are as for `excerpt`.

    A PDF that is larger than a sheet of size A3 is shrunk to it, or to a larger one where the text would be
    too small. Raises `NotLegible` where the picture would be too large, and what `excerpt` raises.
    """
    scene = made_scene(plan, depth, follow)
    text = dot.digraph(scene)
    drawn = _draw(text, picture_format)
    size = re.search(SIZE_PATTERNS[picture_format], drawn) if picture_format in SIZE_PATTERNS else None
    width, height = map(float, size.groups()) if size else (0, 0)
    if max(width, height) > LONGEST_SIDE:
        raise NotLegible(f"the picture would be larger than a page can be: {ADVICE}")
    if picture_format == "svg":
        return described(drawn.decode(), scene).encode()
    return _printable(text, drawn, width, height) if picture_format == "pdf" else drawn


def _printable(text: str, drawn: bytes, width: float, height: float) -> bytes:
    """The picture of a DOT `text` on one sheet, given how it was `drawn` as PDF in its natural size."""
    smallest = min(int(size) for size in re.findall(r'(?:POINT-SIZE="|fontsize=)(\d+)', text))
    fitting = page_layout.paper(width, height, smallest)
    return _without_date(_draw(text, "pdf", fitting) if fitting else drawn)


def svg(plan: Plan, depth: int | None = None, follow: str | None = None) -> bytes:
    """The picture of `plan` as SVG; options and errors as for `render`."""
    return render(plan, "svg", depth, follow)


def png(plan: Plan, depth: int | None = None, follow: str | None = None) -> bytes:
    """The picture of `plan` as PNG; options and errors as for `render`."""
    return render(plan, "png", depth, follow)


def pdf(plan: Plan, depth: int | None = None, follow: str | None = None) -> bytes:
    """The picture of `plan` as one page of PDF; options and errors as for `render`."""
    return render(plan, "pdf", depth, follow)


def _draw(dot_text: str, picture_format: str, largest: str = "") -> bytes:
    """What Graphviz draws, shrunk to the `largest` width and height in inches if these are given."""
    program = files("exporters.diagram") / "render_process.py"
    with TemporaryDirectory() as folder:
        # This Fontconfig knows no relative folders and writes into the folders of fonts: give it copies.
        for font in FONT_FILES:
            Path(folder, font).write_bytes((files("exporters") / "fonts" / font).read_bytes())
        config = Path(folder, "fonts.conf")
        config.write_text(FONT_CONFIG.format(folder=html.escape(folder)), "utf-8")
        environment = os.environ | {"FONTCONFIG_FILE": str(config), "TZ": "UTC"}
        try:
            run = subprocess.run(
                [sys.executable, "-P", str(program), picture_format, largest],
                input=dot_text.encode(),
                capture_output=True,
                env=environment,
                timeout=TIME_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NotLegible(f"the picture is too entangled to be drawn: {ADVICE}") from None
    _check(run)
    return run.stdout


def _check(run: "subprocess.CompletedProcess[bytes]") -> None:
    """Raise where the picture cannot be right, whatever the exit status: a bad label has status 0."""
    said = run.stderr.decode(errors="replace")
    if "graph is too large for" in said:
        raise NotLegible(f"the picture would be larger than a bitmap can be: {ADVICE}")
    if run.returncode or re.search("^Error:", said, re.MULTILINE) or not run.stdout:
        raise DrawingFailed(f"Graphviz failed with status {run.returncode}: {said.strip()}")


def _without_date(drawn: bytes) -> bytes:
    """The PDF with a fixed date of creation, as long as the true one: offsets in the file stay right."""
    return re.sub(rb"(/CreationDate \(D:)\d{14}", rb"\g<1>20000101000000", drawn)
