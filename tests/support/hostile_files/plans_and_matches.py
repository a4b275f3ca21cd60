"""Plans and saved matches with a fault: in a value, in the text, in the bytes, or in size."""

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Document = dict[str, Any]

VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 7, 2**31, 2**63, -(2**63) - 1, 10**99, 1.5, -0.0, 1e300),
    *("", " ", "x", "0", "-1", "first", "draw", "tictactoe", "nobody.py:Nothing", "openspiel:", ":", "a\nb"),
    *("\x00", "\x1b[2J", "\u202e", "\ufeff", "e\u0301", "\U0001d4b3", "\u0660\u0661", "__proto__", "(" * 300),
    *("(0, 99999999999999999999)", "(0, 1, 'x')", "-" * 5000 + "1", "9" * 5000, "x" * 100_000, "/" * 1000),
    *([], {}, [[]], [None], {"": None}, {"as": "", "by": 0}, {"move": None}, [0] * 10_000, [["x"]] * 100),
    {str(number): {} for number in range(1000)},
    {"x": {"x": {"x": {"x": {}}}}},
]
"""JSON values that are wrong in most places."""

RAW = [
    *(b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-", b"01", b"0x1", b"1_000", b"undefined", b"", b"'x'"),
    *(b"9" * 5000, b"1." + b"0" * 5000, b"/* x */ 1", b"[1,]", b"{}{}"),
    *(rb'"\ud800"', rb'"\udc00\ud800"', rb'"\u12"', rb'"\x"', b'"\x00"', b'"\xff"', b"\xc3\x28"),
    *(b"\xed\xa0\x80", b"[" * 500 + b"]" * 500, b"[" * 100_000, b'{"x":' * 30 + b"1" + b"}" * 30),
    *(b'{"x": 1, "x": 2}', b"{" + b'"":0,' * 1000 + b'"":0}'),
]
"""Text that is no JSON, or should not be read as JSON."""

HOLE = "the hole that raw bytes are put into"


def mutants(documents: list[Document], seed: int, count: int) -> Iterator[bytes]:
    """`count` files, each made from one of the documents."""
    rng = Random(seed)
    for _ in range(count):
        yield rng.choice(WAYS)(copy.deepcopy(rng.choice(documents)), rng)


def everywhere(document: Document) -> Iterator[bytes]:
    """The document with each wrong value, and without one, at each key and at the first entries below it."""
    for path in _paths(document, most=3):
        for value in VALUES:
            changed = copy.deepcopy(document)
            _parent(changed, path)[path[-1]] = value
            yield json.dumps(changed).encode()
        changed = copy.deepcopy(document)
        del _parent(changed, path)[path[-1]]
        yield json.dumps(changed).encode()


def _paths(actual: Any, path: tuple[Any, ...] = (), most: int | None = None) -> list[tuple[Any, ...]]:
    """The path to each value in a document, to at most `most` values of each table or list within."""
    keys: list[Any] = []
    if isinstance(actual, dict | list):
        keys = list(actual) if isinstance(actual, dict) else list(range(len(actual)))
        keys = keys[:most] if path else keys
    return [item for key in keys for item in ((*path, key), *_paths(actual[key], (*path, key), most))]


def _parent(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        document = document[key]
    return document


def _any(document: Document, rng: Random) -> tuple[Any, Any]:
    """A table or list in the document, and the key of one of its values."""
    path = rng.choice(_paths(document))
    return _parent(document, path), path[-1]


def _wrong_values(document: Document, rng: Random) -> bytes:
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        parent, key = _any(document, rng)
        parent[key] = copy.deepcopy(rng.choice(VALUES))
    return json.dumps(document, ensure_ascii=rng.random() < 0.5).encode()


def _lost(document: Document, rng: Random) -> bytes:
    for _ in range(rng.choice((1, 2, 5))):
        parent, key = _any(document, rng)
        del parent[key]
    return json.dumps(document).encode()


def _exchanged(document: Document, rng: Random) -> bytes:
    """The document with two values exchanged, which creates cycles and false moves."""
    (one, here), (other, there) = _any(document, rng), _any(document, rng)
    one[here], other[there] = copy.deepcopy(other[there]), copy.deepcopy(one[here])
    return json.dumps(document).encode()


def _renamed(document: Document, rng: Random) -> bytes:
    parent, key = _any(document, rng)
    if isinstance(parent, dict):
        name = rng.choice([value for value in VALUES if isinstance(value, str)])
        parent[name] = parent.pop(key)
    return json.dumps(document).encode()


def _raw(document: Document, rng: Random) -> bytes:
    parent, key = _any(document, rng)
    parent[key] = HOLE
    return json.dumps(document).encode().replace(json.dumps(HOLE).encode(), rng.choice(RAW))


def _twice(document: Document, rng: Random) -> bytes:
    parent, key = _any(document, rng)
    if isinstance(parent, dict):
        parent[HOLE] = copy.deepcopy(rng.choice((parent[key], *VALUES)))
    return json.dumps(document).encode().replace(json.dumps(HOLE).encode(), json.dumps(key).encode())


def _bytes(document: Document, rng: Random) -> bytes:
    data = bytearray(json.dumps(document).encode())
    for _ in range(rng.choice((1, 1, 3, 30))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def _cut(document: Document, rng: Random) -> bytes:
    data = json.dumps(document).encode()
    begin, end = sorted((rng.randrange(len(data)), rng.randrange(len(data))))
    return rng.choice((data[:end], data[begin:], data[begin:end], data + data, data[:begin] + data[end:]))


def _encoded(document: Document, rng: Random) -> bytes:
    text = json.dumps(document)
    data, encoded = text.encode(), [text.encode(code) for code in ("utf-8-sig", "utf-16", "utf-32-be")]
    padded = [b"\x00" + data, b" \n" * 100 + data, data + b"\x00" * 100]
    return rng.choice([*encoded, *padded, rng.randbytes(200), b"SQLite format 3\x00" + data, b""])


WAYS: list[Callable[[Document, Random], bytes]] = [
    *(_wrong_values, _wrong_values, _wrong_values, _lost, _exchanged, _renamed),
    *(_raw, _twice, _bytes, _cut, _encoded),
]
"""The ways to spoil a document; those that go deeper are listed more often."""


def huge(document: Document, table: str) -> Iterator[tuple[str, bytes]]:
    """Files that could fill the memory or take long, each with its method; `table` is one of the keys."""

    def with_table(text: bytes) -> bytes:
        return json.dumps({**document, table: HOLE}).encode().replace(json.dumps(HOLE).encode(), text)

    million = 1_000_000
    yield "objects", with_table(b"[" + b'{"":0},' * (4 * million) + b"0]")
    yield "as many objects as are read", with_table(b"[" + b'{"":0},' * 490_000 + b"0]")
    yield "a text", with_table(b'"' + b"x" * (100 * million) + b'"')
    yield "as wide a text as is read", with_table('"\U0001d4b3'.encode() + b"x" * (15 * million) + b'"')
    yield "a number", with_table(b"9" * (16 * million))
    yield "depth", with_table(b"[" * 400_000 + b"]" * 400_000)
    yield "keys", with_table(b"{" + b",".join(b'"%d":0' % key for key in range(900_000)) + b"}")
    yield "one key", with_table(b"{" + b'"":0,' * 900_000 + b'"":0}')
    yield "nothing", b"{" + b" " * (100 * million) + b"}"
