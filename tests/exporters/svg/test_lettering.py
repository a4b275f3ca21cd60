import xml.etree.ElementTree as ET
from itertools import chain

import pytest
from hypothesis import given, strategies as st
from playwright.sync_api import Browser

from exporters.svg.text import number, shorten, text_element, text_width, wrap
from tests.exporters.support.rendered_text import widths

TEXTS = st.text(max_size=120)


@given(TEXTS, st.floats(2, 60))
def test_shortened_text_fits_its_room(text: str, room: float) -> None:
    short = shorten(text, 1, room)
    assert text_width(short, 1) <= room or short == "…"
    assert short == text or text.startswith(short.removesuffix("…"))


@given(TEXTS, st.floats(4, 60), st.integers(1, 4))
def test_wrapped_lines_fit_and_end_in_ellipsis_if_cut(text: str, room: float, most: int) -> None:
    lines = wrap(text, 1, room, most)
    assert len(lines) <= most
    assert all(text_width(line, 1) <= room for line in lines)
    whole = "".join("".join(char if char.isprintable() else " " for char in text).split(" "))
    said = "".join(lines).replace(" ", "")
    assert said == whole or (said.endswith("…") and whole.startswith(said.removesuffix("…").rstrip("…")))


@given(TEXTS, st.floats(20, 200))
def test_text_element_fits_its_room(text: str, room: float) -> None:
    element = ET.fromstring(text_element(text, 0, 0, 10, room))
    said, size = element.text or "", float(element.attrib["font-size"])
    assert 6 - 1e-3 <= size <= 10
    assert text_width(said, size) <= room + 0.01 * len(said) + 1e-6
    if any(ord(char) > 0x530 and char != "…" for char in said):
        assert float(element.attrib["textLength"]) <= room + 1e-2


def test_wide_ligature_is_squeezed_to_its_text_length() -> None:
    wide, estimate = "\N{ARABIC LIGATURE BISMILLAH AR-RAHMAN AR-RAHEEM}", {"textLength", "lengthAdjust"}
    for text in (wide, wide * 5, f"a {wide}"):
        element = ET.fromstring(text_element(text, 0, 0, 10, 50))
        squeezed = text, str(text_width(text, 10)), "spacingAndGlyphs"
        assert (element.text, element.get("textLength"), element.get("lengthAdjust")) == squeezed
    assert not estimate & ET.fromstring(text_element("wide", 0, 0, 10, 50)).attrib.keys()


def test_no_letter_of_europe_is_much_wider_than_estimated(browser: Browser) -> None:
    alphabets = (range(0x20, 0x180), range(0x386, 0x3CF), range(0x400, 0x460))
    letters = [char for char in map(chr, chain.from_iterable(alphabets)) if char.isprintable()]
    drawn = dict(zip(letters, widths(browser, letters, 100), strict=True))
    assert drawn["m"] > drawn["i"] > 0
    assert [char for char in letters if drawn[char] > 1.1 * text_width(char, 100)] == []


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0"), (-0.0001, "0"), (0.5, ".5"), (-0.25, "-.25"), (10, "10"), (1.23456, "1.235"), (100.0, "100")],
)
def test_numbers_are_written_in_short_form(value: float, said: str) -> None:
    assert number(value) == said
