"""DOT text as SVG, PNG or PDF: the same bytes on every run, also on machines without fonts."""

import html
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from exporters.diagram import page_layout
from exporters.diagram.lettering import add_description
from exporters.palette import plain
from solver.errors import NotLegible, SolverError

SIZE_PATTERNS = {
    "svg": rb'<svg width="(\d+)pt" height="(\d+)pt"',
    "pdf": rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]",
}
"""The size in a picture, in points. For a PNG that is too large Graphviz reports an error."""

LONGEST_SIDE = 14_400
"""The longest side of a page in PDF viewers, in points."""

TIME_LIMIT = 60
"""Seconds after which Graphviz is stopped; a picture that takes longer is not legible."""

FONT_FILES = ("DejaVuSans.ttf", "DejaVuSansMono.ttf")

FONT_CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>
"""
"""The configuration of Fontconfig: the bundled fonts and no others."""


INFO = re.compile(rb"\n(?P<number>\d+) 0 obj\s*<<(?P<fields>[^<>]*(?:<[^<>]*>[^<>]*)*)>>\s*endobj")
TRAILER = re.compile(rb"trailer\s*<<(?P<fields>.*?)>>\s*startxref\s+(?P<table>\d+)\s+%%EOF\s*$", re.DOTALL)
REFERENCE = re.compile(rb"/Info (\d+) 0 R")
"""The information and the trailer of a PDF, and in that the number of the information."""


class DrawingFailed(SolverError, RuntimeError):
    """Graphviz failed on a DOT text of this program: a bug, or a broken installation."""


def rendered(text: str, picture_format: str, title: str, description: str, advice: str) -> bytes:
    """The picture of a DOT `text` as "svg", "png" or "pdf".

    An SVG has this `title` and `description`, a PDF the title. A PDF larger than A3 is shrunk to A3, or to a
    larger sheet if the text would be too small. Raises `NotLegible`, with this `advice`, if the picture would
    be too large.
    """
    drawn = draw(text, picture_format, advice)
    size = re.search(SIZE_PATTERNS[picture_format], drawn) if picture_format in SIZE_PATTERNS else None
    width, height = map(float, size.groups()) if size else (0, 0)
    if max(width, height) > LONGEST_SIDE:
        raise NotLegible(f"the picture would be larger than a page can be: {advice}")
    if picture_format == "svg":
        return add_description(drawn, title, description)
    if picture_format == "png":
        return drawn
    smallest = min(int(size) for size in re.findall(r'(?:POINT-SIZE="|fontsize=)(\d+)', text))
    fitting = page_layout.paper(width, height, smallest)
    sheet = draw(text, "pdf", advice, fitting) if fitting else drawn
    return titled(_without_date(sheet), plain(title))


def draw(dot_text: str, picture_format: str, advice: str, largest: str = "") -> bytes:
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
            raise NotLegible(f"the picture is too entangled to be drawn: {advice}") from None
    _check(run, advice)
    return run.stdout


def _check(run: "subprocess.CompletedProcess[bytes]", advice: str) -> None:
    """Raise if Graphviz reported an error, whatever its exit status, which is 0 for a bad label."""
    said = run.stderr.decode(errors="replace")
    if "graph is too large for" in said:
        raise NotLegible(f"the picture would be larger than a bitmap can be: {advice}")
    if run.returncode or re.search("^Error:", said, re.MULTILINE) or not run.stdout:
        raise DrawingFailed(f"Graphviz failed with status {run.returncode}: {said.strip()}")


def _without_date(drawn: bytes) -> bytes:
    """The PDF with a fixed creation date of the same length, so that offsets in the file stay valid."""
    return re.sub(rb"(/CreationDate \(D:)\d{14}", rb"\g<1>20000101000000", drawn)


def titled(pdf: bytes, title: str) -> bytes:
    """The PDF with a title, by an incremental update: its information is written once more at the end.

    A PDF with a compressed table of objects, as later releases of Cairo write it, stays as it is. Source: ISO
    32000-1, 7.5.6.
    """
    trailer = TRAILER.search(pdf)
    reference = REFERENCE.search(trailer["fields"]) if trailer else None
    if trailer is None or reference is None:
        return pdf
    found = (each for each in INFO.finditer(pdf) if each["number"] == reference[1])
    info = next(found, None)
    if info is None:
        return pdf
    text = ("\ufeff" + title).encode("utf-16-be").hex().encode()
    body = pdf if pdf.endswith(b"\n") else pdf + b"\n"
    update = b"%s 0 obj\n<<%s /Title <%s> >>\nendobj\n" % (info["number"], info["fields"].rstrip(), text)
    table = b"xref\n%s 1\n%010d 00000 n \n" % (info["number"], len(body))
    end = b"trailer\n<<%s /Prev %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        trailer["fields"].rstrip(),
        trailer["table"],
        len(body) + len(update),
    )
    return body + update + table + end
