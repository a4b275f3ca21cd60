"""Reads JSON from anybody within bounds, so that it cannot exhaust the memory.

A value takes up to 200 bytes of memory, however few it has in the file, so the number of values is bounded,
too. The largest plan known, for a game of 1.7 million states, has 1.1 MB and 70,000 values.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from solver.errors import ForeignFile
from solver.system.words import no_file

MAX_BYTES = 16 << 20
"""Bytes of a file, or of a line where each line is read for itself."""

MAX_VALUES = 1_000_000
"""Commas and opening brackets, those within texts included."""

MAX_DEPTH = 20
"""Levels of nested arrays and objects."""

MAX_NUMBER_LENGTH = 100
"""Characters of a number."""

MAX_TEXT_LENGTH = 100_000
"""Characters of a text, which can come into a message."""

QUOTED = 100
"""Characters of a text that a message quotes."""


def read_json(path: str | Path) -> Any:
    """The parsed JSON of a file; raises `MissingFile` or `ForeignFile` (not JSON, or beyond the bounds)."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, IsADirectoryError):
        raise no_file(path, "`perfectplay plan FILE -o PLAN.json` writes a plan") from None
    return parse_json(data, str(path))


def parse_json(data: bytes, source: str) -> Any:
    """The parsed JSON, with a byte order mark or without; raises `ForeignFile`, which names the `source`."""
    if fault := excess(data):
        raise ForeignFile(f"{source} is too large: {fault}")
    try:
        return _parsed(data.decode("utf-8-sig"))
    except ValueError as error:
        raise ForeignFile(f"{source} is not JSON: {error}") from error


def json_of(text: str, kind: type) -> Any:
    """The value of a short text in JSON; raises ValueError unless it is of this `kind`."""
    if type(value := _parsed(text)) is not kind:
        raise ValueError(f"this should be JSON of a {kind.__name__}")
    return value


def excess(data: bytes) -> str | None:
    """The bound that JSON exceeds, in words; None if it is within the bounds of size."""
    if len(data) > MAX_BYTES:
        return f"it has more than {MAX_BYTES:,} bytes"
    if sum(map(data.count, (b",", b"[", b"{"))) > MAX_VALUES:
        return f"it has more than {MAX_VALUES:,} values"
    return None


def _parsed(text: str) -> Any:
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("too deep") from None
    _refuse_within(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {twice[:QUOTED]!r} comes twice in an object")
    return value


def _integer(text: str) -> int:
    return int(_bounded(text))


def _float(text: str) -> float:
    number = float(_bounded(text))
    if not math.isfinite(number):
        raise ValueError(f"the number {text} is too large")
    return number


def _bounded(number: str) -> str:
    if len(number) > MAX_NUMBER_LENGTH:
        raise ValueError(f"the number {number[:10]}... has more than {MAX_NUMBER_LENGTH} characters")
    return number


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)


def _refuse_within(value: Any) -> None:
    """Raise ValueError for too many levels, and for a text that is too long or has a lone surrogate."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        for text in level:
            if isinstance(text, str):
                _refuse_text(text)
        if not (level := [child for node in level for child in _children(node)]):
            return
    raise ValueError(f"more than {MAX_DEPTH} arrays and objects are nested")


def _refuse_text(text: str) -> None:
    if len(text) > MAX_TEXT_LENGTH:
        raise ValueError(f"the text {text[:QUOTED]!r}... has more than {MAX_TEXT_LENGTH:,} characters")
    if not text.isascii():
        text.encode()


def _children(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value
