"""Diagrams as SVG, PNG or PDF: the same bytes on every run, even on machines without fonts."""

import html
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from exporters.diagram import page_layout
from exporters.diagram.board_label import Diagram
from exporters.diagram.lettering import add_description
from exporters.svg.rendering import rendered as converted, size_of
from solver.errors import NotLegible, SolverError

SIZE = re.compile(r'<svg width="(\d+)pt" height="(\d+)pt"')
"""The size of a picture, in points."""

ZOOM = 1.25
"""The PNG pixels per SVG pixel; an inch has 96 SVG pixels."""

TIME_LIMIT = 60
"""Seconds after which Graphviz is stopped; a picture that takes longer is not legible."""

FONT_CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>
"""
"""The configuration of Fontconfig: the bundled fonts and no others."""


class DrawingFailed(SolverError, RuntimeError):
    """Graphviz failed on DOT text of this program: a bug, or a broken installation."""


def rendered(diagram: Diagram, picture_format: str, title: str, description: str, advice: str) -> bytes:
    """The picture of a diagram as "svg", "png" or "pdf", with a `title` and a `description`.

    A PDF is shrunk to A3 if it is larger, any other picture to `page_layout.WIDEST` if it is wider. Raises
    `NotLegible`, with the `advice`, if the picture would be too large, and `MissingExtra` for a PDF without
    Typst.
    """
    drawn = diagram.with_boards(draw(diagram.text, advice))
    width, height = size_of(drawn, advice)
    scale = min(1, page_layout.WIDEST / width)
    if picture_format == "pdf":
        scale = page_layout.scale_on(page_layout.A3, (width, height))
    if scale < 1:
        drawn = SIZE.sub(f'<svg width="{width * scale:.2f}pt" height="{height * scale:.2f}pt"', drawn)
    return converted(add_description(drawn, title, description), picture_format, ZOOM)


def draw(dot_text: str, advice: str) -> str:
    """The SVG that Graphviz draws from DOT text."""
    program = files("exporters.diagram") / "render_process.py"
    with TemporaryDirectory() as folder:
        # Fontconfig in the wheel needs absolute folders, and writes into them, so it gets copies.
        for font in ("DejaVuSans.ttf", "DejaVuSansMono.ttf"):
            Path(folder, font).write_bytes((files("exporters") / "fonts" / font).read_bytes())
        config = Path(folder, "fonts.conf")
        config.write_text(FONT_CONFIG.format(folder=html.escape(folder)), "utf-8")
        environment = os.environ | {"FONTCONFIG_FILE": str(config), "TZ": "UTC"}
        try:
            run = subprocess.run(
                [sys.executable, "-P", str(program)],
                input=dot_text.encode(),
                capture_output=True,
                env=environment,
                timeout=TIME_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NotLegible(f"the picture is too entangled to be drawn: {advice}") from None
    errors = run.stderr.decode(errors="replace")
    # The exit status is 0 even for a bad label.
    if run.returncode or re.search("^Error:", errors, re.MULTILINE) or not run.stdout:
        raise DrawingFailed(f"Graphviz failed with status {run.returncode}: {errors.strip()}")
    return run.stdout.decode()
