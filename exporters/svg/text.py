"""Text in SVG: estimates of its width, and text that is wrapped, scaled or shortened to fit."""

import textwrap
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain

from exporters.palette import escape, plain

ROLE = "graphics-document img"
"""The ARIA role of a picture whose parts have titles; "img" is for screen readers without the first role."""

FAMILY = "DejaVu Sans,Verdana,sans-serif"
"""The bundled font and its substitutes."""

NARROW = frozenset(" !'(),-./:;I[\\]fijlrt|·")
WIDE = frozenset("mwMWQ@%#+=<>~&…—^¬±\N{MULTIPLICATION SIGN}÷©®¼½¾ÆæŒœĦŉŴŵωώЖжмФфЩщШшЫыЮюЉљЊњ")
"""The characters that are clearly narrower, and clearly wider, than others."""

FAMILIAR = 0x0530
"""The first code point beyond Latin, Greek and Cyrillic, from which on widths are unknown."""

MIN_SCALE = 0.6
"""The least scale of a text, below which it is shortened instead."""

SIZE, LEADING, LONGEST, MAX_LINES = 15, 20, 64, 40
"""The layout of a block of text: font size, leading, characters per line, and number of lines."""


@dataclass(frozen=True)
class Part:
    """A part of a picture: its size, and its SVG relative to the top left corner."""

    width: float
    height: float
    drawn: str


def moved(drawn: str, x: float, y: float, scale: float | None = None) -> str:
    """The SVG of what is `drawn`, scaled if a scale is given, with its origin at `x`, `y`."""
    scaled = "" if scale is None else f"scale({number(scale)})"
    return f'<g transform="translate({number(x)} {number(y)}){scaled}">{drawn}</g>'


def text_width(text: str, size: float) -> float:
    """An upper estimate of the width of `text` at font size `size`, in the same unit."""
    return size * sum(map(_share, text))


def shorten(text: str, size: float, room: float) -> str:
    """The text, or the longest prefix that fits into `room` with an ellipsis."""
    if text_width(text, size) <= room + 1e-9:  # rounding errors of a text scaled to fit
        return text
    return text[: _fitting(text, size, room - text_width("…", size))] + "…"


def wrap(text: str, size: float, room: float, limit: int = 3) -> list[str]:
    """The text as at most `limit` lines that fit into `room`, wrapped between words if possible."""
    lines = [""]
    for word in plain(text).split(" "):
        if text_width(f"{lines[-1]} {word}", size) <= room or not lines[-1]:
            lines[-1] = f"{lines[-1]} {word}".strip()
        else:
            lines.append(word)
        while text_width(lines[-1], size) > room and len(lines) <= limit:
            fits = max(1, _fitting(lines[-1], size, room))
            lines[-1:] = [lines[-1][:fits], lines[-1][fits:]]
        if len(lines) > limit:
            break
    shown = lines[:limit]
    if len(lines) > limit:
        shown[-1] = shorten(shown[-1] + "…", size, room)
    return [line for line in shown if line]


def text_element(
    text: str,
    x: float,
    y: float,
    size: float,
    room: float,
    *,
    anchor: str = "start",
    look: str = "",
    least_scale: float = MIN_SCALE,
) -> str:
    """The SVG of a text with its baseline at `y`, scaled down or shortened to fit into `room`.

    It is scaled down to at least `least_scale` before it is shortened. `look` has further attributes. A text
    with glyphs of unknown width is squeezed into its estimated width.
    """
    text = plain(text)
    scale = max(least_scale, min(1, room / max(text_width(text, size), 1e-9)))
    text = shorten(text, size * scale, room)
    tuned = f' text-anchor="{anchor}"' if anchor != "start" else ""
    tuned += _squeezed(text, text_width(text, size * scale))
    where = f'x="{number(x)}" y="{number(y)}" font-size="{number(size * scale)}"'
    return f"<text {where}{tuned}{look and ' ' + look}>{escape(text)}</text>"


def _squeezed(text: str, width: float) -> str:
    """The attributes that squeeze a text with glyphs of unknown width into this width, else ""."""
    if not any(ord(char) >= FAMILIAR and char != "…" for char in text):
        return ""
    return f' textLength="{number(width)}" lengthAdjust="spacingAndGlyphs"'


def text_block(text: str) -> Part:
    """A position without a board as monospaced lines, wrapped at blanks."""
    wrapped = (broken(plain(line).rstrip(), LONGEST) for line in text.split("\n"))
    lines = [line.rstrip().replace(" ", "\xa0") for line in chain.from_iterable(wrapped)]
    lines = lines if len(lines) <= MAX_LINES else [*lines[: MAX_LINES - 1], "…"]
    widths = [text_width("0" * sum(map(_cells, line)), SIZE) for line in lines]
    drawn = (
        f'<text x="0" y="{(at + 1) * LEADING - 4}" font-size="{SIZE}"{_squeezed(line, width)} class="mono">'
        f"{escape(line)}</text>"
        for at, (line, width) in enumerate(zip(lines, widths, strict=True))
        if line
    )
    return Part(max(widths), len(lines) * LEADING, "".join(drawn))


def broken(line: str, longest: int, *, long_words: bool = True) -> list[str]:
    """The line, wrapped at blanks, which are kept, and, with `long_words`, within long words."""
    wrapper = textwrap.TextWrapper(longest, break_long_words=long_words)
    wrapper.drop_whitespace = wrapper.break_on_hyphens = False
    return wrapper.wrap(line) or [""]


def number(value: float) -> str:
    """A coordinate as text with up to three decimals, as short as possible."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _fitting(text: str, size: float, room: float) -> int:
    """The length of the longest prefix that fits into `room`."""
    return bisect_right(list(accumulate(size * _share(char) for char in text)), room)


def _cells(char: str) -> int:
    """The cells that a character fills in a monospaced line: 2 if it is wide, as a Chinese one is."""
    return 0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1


@cache
def _share(char: str) -> float:
    """An upper estimate of a character's width in DejaVu Sans, as a share of the font size."""
    if (cells := _cells(char)) != 1:
        return 0.65 * cells
    if char in WIDE or (ord(char) >= FAMILIAR and char != " "):
        return 1
    return 0.42 if char in NARROW else 0.8 if char.isupper() else 0.66
