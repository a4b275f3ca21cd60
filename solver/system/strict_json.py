"""Reads untrusted JSON within bounds, so that it cannot exhaust the memory.

A value takes up to 200 bytes of memory, however short it is in the file, so the number of values is bounded,
too. The largest known plan, for a game of 1.7 million states, has 1.1 MB and 70,000 values.
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
"""The most bytes of a file, or of a line where lines are read separately."""

MAX_VALUES = 1_000_000
"""The most commas and opening brackets, including those within strings."""

MAX_DEPTH = 20
"""The most levels of nested arrays and objects."""

MAX_NUMBER_LENGTH = 100
"""The most characters of a number."""

MAX_TEXT_LENGTH = 100_000
"""The most characters of a string, as it may become part of a message."""

QUOTED = 100
"""The most characters of a string that a message quotes."""


def read_json(path: str | Path) -> Any:
    """The parsed JSON of a file; raises `MissingFile` or `ForeignFile` (not JSON, or beyond the bounds)."""
    if not Path(path).is_file():  # a pipe would be waited for
        raise no_file(path, "`perfectplay plan FILE -o PLAN.json` writes a plan")
    with Path(path).open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    return parse_json(data, str(path))


def parse_json(data: bytes, source: str) -> Any:
    """The parsed JSON, with or without a byte order mark; raises `ForeignFile`, which names `source`."""
    if fault := excess(data):
        raise ForeignFile(f"{source} is too large: {fault}")
    try:
        return _parsed(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ForeignFile(f"{source} is not JSON: it should be text in UTF-8") from error
    except ValueError as error:
        raise ForeignFile(f"{source} is not JSON: {error}") from error


def json_of(text: str, kind: type) -> Any:
    """The value of a short JSON text; raises ValueError unless its type is `kind`."""
    if type(value := _parsed(text)) is not kind:
        raise ValueError(f"this should be JSON of a {kind.__name__}")
    return value


def excess(data: bytes) -> str | None:
    """The bound on size that the JSON exceeds, in words; None if it exceeds none."""
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
        repeated = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {repeated[:QUOTED]!r} comes twice in an object")
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
    """Raise ValueError for too many levels, and for a string that is too long or has a lone surrogate."""
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
