"""A plan as SVG, PNG or PDF: the same bytes on every run, also on machines without fonts."""

import html
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from exporters.diagram import dot, page_layout
from exporters.diagram.description import add_description
from exporters.diagram.pdf_title import titled
from exporters.diagram.scene import make_scene
from exporters.palette import plain
from solver.errors import NotLegible, SolverError
from solver.plans.plan import Plan
from solver.plans.wording import plan_title

SIZE_PATTERNS = {
    "svg": rb'<svg width="(\d+)pt" height="(\d+)pt"',
    "pdf": rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]",
}
"""The size in a picture, in points. For a PNG that is too large Graphviz reports an error."""

LONGEST_SIDE = 14_400
"""The longest side of a page in PDF viewers, in points."""

ADVICE = "use a smaller --depth, a later position, or --format json"

TIME_LIMIT = 60
"""Seconds after which Graphviz is stopped; a picture that takes longer is not legible."""

FONT_FILES = ("DejaVuSans.ttf", "DejaVuSansMono.ttf")

FONT_CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>
"""
"""The configuration of Fontconfig: the bundled fonts and no others."""


class DrawingFailed(SolverError, RuntimeError):
    """Graphviz failed on a DOT text of this program: a bug, or a broken installation."""


def render(plan: Plan, picture_format: str, depth: int | None = None, follow: str | None = None) -> bytes:
    """The picture of `plan` as "svg", "png" or "pdf"; `depth` and `follow` are as for `excerpt`.

    A PDF larger than A3 is shrunk to A3, or to a larger sheet if the text would be too small. Raises
    `NotLegible` if the picture would be too large, and the errors of `excerpt`.
    """
    scene = make_scene(plan, depth, follow)
    text = dot.digraph(scene)
    drawn = _draw(text, picture_format)
    size = re.search(SIZE_PATTERNS[picture_format], drawn) if picture_format in SIZE_PATTERNS else None
    width, height = map(float, size.groups()) if size else (0, 0)
    if max(width, height) > LONGEST_SIDE:
        raise NotLegible(f"the picture would be larger than a page can be: {ADVICE}")
    if picture_format == "svg":
        return add_description(drawn.decode(), scene).encode()
    if picture_format == "pdf":
        return titled(_printable(text, drawn, width, height), plain(plan_title(scene.plan, scene.graph)))
    return drawn


def _printable(text: str, drawn: bytes, width: float, height: float) -> bytes:
    """The PDF of a DOT `text` on one sheet, given the PDF `drawn` in its natural size, in points."""
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
    """Run Graphviz on a DOT text; `largest` is the width and height, in inches, to shrink the picture to."""
    program = files("exporters.diagram") / "render_process.py"
    with TemporaryDirectory() as folder:
        # Fontconfig in the wheel takes absolute folders only, and writes into them: give it copies.
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
    """Raise if Graphviz reported an error, whatever its exit status, which is 0 for a bad label."""
    said = run.stderr.decode(errors="replace")
    if "graph is too large for" in said:
        raise NotLegible(f"the picture would be larger than a bitmap can be: {ADVICE}")
    if run.returncode or re.search("^Error:", said, re.MULTILINE) or not run.stdout:
        raise DrawingFailed(f"Graphviz failed with status {run.returncode}: {said.strip()}")


def _without_date(drawn: bytes) -> bytes:
    """The PDF with a fixed creation date of the same length, so that offsets in the file stay valid."""
    return re.sub(rb"(/CreationDate \(D:)\d{14}", rb"\g<1>20000101000000", drawn)
