"""SVG as PNG and PDF, read by other programs."""

import re
import struct
import subprocess
import sys
import zlib
from contextlib import suppress
from pathlib import Path

import pytest

from exporters.svg.rendering import bound, rendered
from solver.errors import NotLegible
from tests.exporters.support.rendered_text import pages_and_title

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" class="a" width="200" height="100" viewBox="0 0 200 100">'
    "<title>Heads &amp; tails</title><style>.a text{font-family:DejaVu Sans,sans-serif}</style>"
    '<rect width="200" height="100" fill="#fff"/><text x="10" y="40">♞ Größe</text></svg>\n'
)


def sized(width: str, height: str) -> str:
    return SVG.replace('width="200" height="100" v', f'width="{width}" height="{height}" v', 1)


def test_png_has_two_pixels_for_each_of_the_svg() -> None:
    assert struct.unpack(">II", rendered(SVG, "png")[16:24]) == (400, 200)
    assert struct.unpack(">II", rendered(sized("105mm", "74.25mm"), "png")[16:24]) == (794, 562)


def test_png_is_white_up_to_its_edge() -> None:
    svg = sized("150.4pt", "75.2pt")  # not a whole number of pixels
    larger = svg.replace('<rect width="200" height="100"', '<rect x="-9" y="-9" width="300" height="200"')
    assert rendered(svg, "png") == rendered(larger, "png")


def test_png_uses_only_bundled_fonts() -> None:
    knight, rook, one, two = (
        rendered(SVG.replace("♞ Größe", text), "png") for text in ("♞", "♜", "漢", "水")
    )
    assert knight != rook
    assert one == two  # the box for a letter that the fonts lack


def test_pdf_has_size_title_and_text_of_the_svg() -> None:
    (page,), title = pages_and_title(rendered(sized("297mm", "420mm"), "pdf"))
    assert [round(float(side) * 25.4 / 72) for side in page.mediabox[2:]] == [297, 420]
    assert title == "Heads & tails"
    assert "♞ Größe" in page.extract_text()


def test_pdf_uses_only_bundled_fonts() -> None:
    names = set(re.findall(rb"/BaseFont ?/([\w+-]+)", uncompressed(rendered(SVG, "pdf"))))
    assert names
    assert all(b"DejaVu" in name for name in names)


def test_bold_text_uses_bold_face_unless_it_lacks_letters() -> None:
    for text, face in (("Größe λ Ж →", b"DejaVuSans-Bold"), ("♞ שלום", b"DejaVuSans")):
        bold = SVG.replace("<text ", '<text font-weight="bold" ').replace("♞ Größe", text)
        drawn = rendered(bold, "pdf")
        assert {*re.findall(rb"/BaseFont ?/[A-Z]{6}\+([\w-]+)", uncompressed(drawn))} == {face}
        (page,), _ = pages_and_title(drawn)
        assert {*text} <= {*page.extract_text(), " "}


def uncompressed(pdf: bytes) -> bytes:
    """All that the PDF has, with compressed objects expanded."""
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        with suppress(zlib.error):
            pdf += zlib.decompress(stream)
    return pdf


def test_several_pictures_are_pages_of_one_pdf() -> None:
    pages, title = pages_and_title(bound([SVG, sized("400", "100")], "Two"))
    assert ([float(page.mediabox[2]) for page in pages], title) == ([150, 300], "Two")


def test_rendering_is_deterministic_across_processes(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(SVG, "utf-8")
    program = (
        "import sys; from exporters.svg.rendering import rendered\n"
        "svg = open(sys.argv[1], encoding='utf-8').read()\n"
        "sys.stdout.buffer.write(rendered(svg, 'png') + rendered(svg, 'pdf'))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "a.svg"],
        capture_output=True,
        check=True,
        env={"TZ": "Asia/Tokyo"},
    )
    assert run.stdout == rendered(SVG, "png") + rendered(SVG, "pdf")


def test_text_is_not_read_as_typst_code() -> None:
    hostile = SVG.replace("Heads &amp; tails", '#panic("x") \\ $ " &lt;b>').replace("Größe", "#panic()")
    assert pages_and_title(rendered(hostile, "pdf"))[1] == '#panic("x") \\ $ " <b>'


@pytest.mark.parametrize("name", ["png", "pdf"])
def test_too_large_picture_is_refused(name: str) -> None:
    with pytest.raises(NotLegible, match="the picture would be larger"):
        rendered(sized("20000", "20000"), name)
