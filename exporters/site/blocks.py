"""The blocks of a site, and the pages of its index; both are compressed by deflate.

A block has parts of up to 4,096 states. A part has, as LEB128, the number of states, the first state and the
differences between consecutive states; then the number of each state's label in a table, in byte planes.
"""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from solver.analysis.certificates.strong import Records
from solver.database.packed.keys.gap_codec import leb128_of, sums_of
from solver.rules.arrays import Keys

PART = 4096
"""The number of states in a part of a block."""

MAX_BYTES = 7_000
"""The most bytes of a block; a single part may have more."""

PAGE = 1000
"""The number of blocks in a page."""


def bytes_of_label(labels: Sequence[Any] | Keys) -> int:
    """The number of bytes that encode the index of a label in a table, 1 or 2."""
    return 1 + (len(labels) > 256)


def in_parts(states: Iterable[Records]) -> Iterator[Records]:
    """The same states in parts of `PART` states; the last part may have fewer."""
    rest = None
    for part in states:
        rest = part if rest is None else Records(*map(np.concatenate, zip(rest, part, strict=True)))
        whole = len(rest.states) // PART * PART
        for begin in range(0, whole, PART):
            yield rest.part(slice(begin, begin + PART))
        rest = rest.part(slice(whole, None))
    if rest is not None and len(rest.states):
        yield rest


def encoded(keys: Keys, labels: Keys, width: int) -> bytes:
    """A part of a block: states and the indices of their labels, in `width` bytes each."""
    gaps = np.diff(keys, prepend=0)
    planes = [(labels >> 8 * nth & 255).astype(np.uint8).tobytes() for nth in range(width)]
    return leb128_of(np.concatenate([[len(keys)], gaps])) + b"".join(planes)


def finished_blocks(folder: Path, width: int) -> Iterator[tuple[bytes, Keys]]:
    """The contents and states of the blocks in the unfinished folder of a site, up to a damaged one.

    Labels have `width` bytes.
    """
    for nth in count():
        try:
            content = (folder / _name(nth)).read_bytes()
            keys = _keys_of(zlib.decompress(content, -15), width)
        except (OSError, zlib.error, ValueError, IndexError):
            return
        yield content, keys


def _keys_of(content: bytes, width: int) -> Keys:
    data, keys = np.frombuffer(content, np.uint8), list[Keys]()
    while len(data):
        ends = 1 + np.flatnonzero(data < 128)
        (states,) = sums_of(data[: ends[0]]).tolist()
        keys.append(sums_of(data[ends[0] : ends[states]]))
        data = data[ends[states] + width * states :]
    return np.concatenate(keys)


def _name(nth: int) -> str:
    return f"blocks/{nth:05}.bin"


def files_of_blocks(
    finished: Iterable[tuple[bytes, Keys]],
    parts: Callable[[int, int], Iterable[tuple[Any, bytes]]],
    about: dict[str, Any],
) -> Iterator[tuple[str, bytes]]:
    """The files of blocks, the finished ones first, and of pages.

    `parts(least, done)` returns the parts from the state `least` on, after `done` states. The first key of
    each page is added to `about`.
    """
    firsts, least, done = list[Any](), 0, 0
    for content, keys in finished:
        yield _name(len(firsts)), content
        firsts.append(str(keys[0]))
        least, done = int(keys[-1]) + 1, done + len(keys)
    for first, content in _deflated(parts(least, done)):
        yield _name(len(firsts)), content
        firsts.append(first)
    pages = [firsts[begin : begin + PAGE] for begin in range(0, len(firsts), PAGE)]
    for nth, page in enumerate(pages):
        deflate = _deflater()
        content = deflate.compress(json.dumps(page, separators=(",", ":")).encode())
        yield f"pages/{nth:03}.bin", content + deflate.flush()
    about["pages"] = [page[0] for page in pages]


def _deflated(parts: Iterable[tuple[Any, bytes]]) -> Iterator[tuple[Any, bytes]]:
    """The first key and the content of each block."""
    begin, deflate, content = None, _deflater(), b""
    for first, part in parts:
        longer = deflate.copy()
        more = longer.compress(part)
        if begin is not None and len(content) + len(more) + len(longer.copy().flush()) > MAX_BYTES:
            yield begin, content + deflate.flush()
            begin, longer, content = None, _deflater(), b""
            more = longer.compress(part)
        begin = first if begin is None else begin
        deflate, content = longer, content + more
    if begin is not None:
        yield begin, content + deflate.flush()


def _deflater() -> Any:
    return zlib.compressobj(9, zlib.DEFLATED, -15, 9)
