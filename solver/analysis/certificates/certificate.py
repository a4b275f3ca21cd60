"""A certificate and its file: a gzip stream of lines of text, an empty line, and the states.

docs/certificates.md is the definition.
"""

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BufferedIOBase, BytesIO
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.keys.gap_codec import MAX_BYTES as MOST, leb128_of, numbers_of
from solver.errors import ForeignFile, UsageError, shown
from solver.game import FIRST
from solver.rules.arrays import Keys
from solver.system.strict_json import json_of
from solver.system.words import no_file

TITLE = "perfectplay certificate 1"

MAX_BYTES = 1 << 30
"""The most uncompressed bytes of a certificate that is read, as a small file can contain many."""

GZIP = 16 + zlib.MAX_WBITS
"""The window bits with which zlib writes a gzip stream; its header has no time."""

UNREADABLE = OSError, EOFError, zlib.error, ValueError, OverflowError
"""The errors of reading a damaged file or a file of another kind."""

BYTES_AT_ONCE = 1 << 20
"""The number of uncompressed bytes that are read at a time."""

CONTINUED = bytes(range(128, 256))
"""The bytes that do not end a number."""

FEWER = "it does not have the {:,} states that are announced, with their labels"

CLAIM = ("owner", "goal", "endless", "symmetries")
"""The names of the lines with the numbers of a claim."""

NUMBERS = (*CLAIM, "ranks", "texts", "count")
"""The names of the lines with numbers, which follow those of the game and its start."""


class Head(NamedTuple):
    """The contents of the lines of text."""

    named: Mapping[str, str]
    """The name and the fingerprints of the rules, as returned by `as_named`."""
    parameters: Mapping[str, Any]
    starts: Sequence[int | str]
    numbers: Mapping[str, int]

    def as_bytes(self, title: str) -> bytes:
        """The lines and the empty line; raises what `as_lines` raises."""
        lines = [
            title,
            f"game {self.named['game']}",
            f"parameters {json.dumps(self.parameters, sort_keys=True)}",
            *(f"{name} {self.named[name]}" for name in ("rules", "play")),
            *(f"start {start}" for start in self.starts),
            *(f"{name} {number}" for name, number in self.numbers.items()),
        ]
        return as_lines([*lines, ""])


def read_head(content: bytes, title: str, names: Sequence[str]) -> Head:
    """The head of a file, whose numbers have the given `names`; raises ValueError."""
    first, *lines = content.decode().split("\n")
    pairs = [line.partition(" ") for line in lines]
    starts: list[int | str] = [text for name, _, text in pairs if name == "start"]
    expected = ["game", "parameters", "rules", "play", *["start"] * max(1, len(starts)), *names]
    has_values = all(blank and (value or name == "start") for name, blank, value in pairs)
    if first != title or [name for name, *_ in pairs] != expected or not has_values:
        raise ValueError(
            f"it should begin with {title!r} and have the lines {', '.join(dict.fromkeys(expected))}"
        )
    facts = {name: value for name, _, value in pairs}
    numbers = {name: _number(facts[name]) for name in names}
    if not numbers["texts"]:
        starts = [_number(str(start)) for start in starts]
    if any(numbers.get(name, 0) not in (0, 1) for name in ("owner", "ranks", "texts")):
        raise ValueError("it has an owner, ranks or texts that are neither 0 nor 1")
    if negative := next((start for start in starts if isinstance(start, int) and start < 0), None):
        raise ValueError(f"it has the start {negative}, but states are not negative")
    named = {name: facts[name] for name in ("game", "rules", "play")}
    return Head(named, json_of(facts["parameters"], dict), starts, numbers)


def _number(text: str) -> int:
    """The number that `text` is, written as in the format; raises ValueError."""
    if str(number := int(text)) != text:
        raise ValueError(f"a number is written {number}, not {text!r}")
    return number


@dataclass(frozen=True)
class Certificate:
    """The claim that a player gets at least a goal from a state, with the states that prove it."""

    named: Mapping[str, str]
    """The name and the fingerprints of the rules, as returned by `as_named`."""
    parameters: Mapping[str, Any]
    owner: int
    """The player whose gain is proved: 0 or 1."""
    goal: int
    """The proved lower bound on the utility for the owner."""
    endless: int
    """The utility of endless play, for the first player."""
    start: int | str
    states: Sequence[int | str]
    """The states in ascending order: integers for packed rules, otherwise positions as text."""
    ranks: Sequence[int] | None
    """The rank of each state, greater than those of the states that play meets next; None if not needed."""
    symmetries: int = 0
    """The number of symmetries of the rules, if the set also has the images of the states; otherwise 0."""

    @property
    def needs_ranks(self) -> bool:
        """Whether the goal is better for the owner than endless play, so that play must end."""
        return self.goal > (self.endless if self.owner == FIRST else -self.endless)

    @property
    def head(self) -> Head:
        """The contents of the lines of text of the file."""
        numbers = {name: getattr(self, name) for name in CLAIM}
        numbers["ranks"] = int(self.ranks is not None)
        numbers["texts"] = int(isinstance(self.start, str))
        return Head(self.named, self.parameters, [self.start], numbers | {"count": len(self.states)})

    @cached_property
    def content(self) -> bytes:
        """The bytes of the file, which are reproducible."""
        head, labels = self.head, [] if self.ranks is None else [self.ranks]
        body = rows_as_bytes(self.states, *labels, texts=bool(head.numbers["texts"]))
        # `gzip.compress` names another system from Python 3.13 on.
        return zlib.compress(head.as_bytes(TITLE) + body, 9, GZIP)


def rows_as_bytes(
    states: Sequence[Any] | Keys, *labels: Sequence[int] | Keys, texts: bool, last: Any = 0
) -> bytes:
    """The states with their labels, as in a file after the state `last`; raises what `as_lines` raises."""
    if texts:
        return as_lines([" ".join(map(str, row)) for row in zip(*labels, states, strict=True)])
    columns = [np.diff(np.asarray(states, np.int64), prepend=last), *labels]
    return leb128_of(np.array(columns, np.int64).T)


def as_lines(lines: Sequence[str]) -> bytes:
    """The lines as bytes of a file; raises `UsageError` for a line that contains a newline."""
    if broken := next((line for line in lines if "\n" in line), None):
        raise UsageError(f"a certificate has a line for each position: {shown(broken)} is not in one line")
    return "".join(f"{line}\n" for line in lines).encode()


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file, unchecked; raises `MissingFile` and `ForeignFile`."""
    if not path.is_file():
        raise no_file(path, "`perfectplay certify FILE -o NAME` writes certificates")
    try:
        with gzip.open(path) as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
        head, states, labels = read_rows(BytesIO(content), TITLE, NUMBERS)
        if len(head.starts) > 1:
            raise ValueError("it has several starts")
    except PermissionError:
        raise
    except UNREADABLE as error:
        raise ForeignFile(f"{path} is not a certificate, or damaged: {error}") from error
    return Certificate(
        head.named,
        head.parameters,
        start=head.starts[0],
        states=states.tolist(),
        ranks=labels[0].tolist() if head.numbers["ranks"] else None,
        **{name: head.numbers[name] for name in CLAIM},
    )


def read_rows(
    file: BufferedIOBase, title: str, names: Sequence[str]
) -> tuple[Head, NDArray[Any], NDArray[Any]]:
    """The head of a file, whose numbers have the given `names`, its states, and a row for each kind of label.

    Raises one of `UNREADABLE`.
    """

    def line() -> bytes:
        if len(read := file.readline(BYTES_AT_ONCE)) == BYTES_AT_ONCE:
            raise ValueError("a line of its head does not end")
        return read

    lines = takewhile(lambda line: line != b"\n", iter(line, b""))
    head = read_head(b"".join(lines)[:-1], title, names)
    count, labels = head.numbers["count"], head.numbers.get("ranks", 2)
    states, columns = (_of_lines if head.numbers["texts"] else _of_numbers)(file, labels, count)
    if (len(columns), len(states)) != (labels, count):
        raise ValueError(FEWER.format(count))
    return head, states, columns


def _of_lines(file: BufferedIOBase, labels: int, count: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The states and labels of `read_rows` from lines of text; labels are integers of any size."""
    *lines, rest = file.read().decode().split("\n")
    if rest:
        raise ValueError("its last line does not end")
    rows = [line.split(" ", labels) for line in lines]
    *columns, texts = zip(*rows, strict=True) if rows else ((),) * (1 + labels)
    numbers = [[*map(_number, column)] for column in columns]
    if any(number >> 63 for number in (numbers[-1] if numbers else ())):
        raise ValueError("it has a rank or a remoteness below 0 or of over 63 bits")
    return np.array(texts, object), np.array(numbers, object)


def _of_numbers(file: BufferedIOBase, labels: int, count: int) -> tuple[Keys, Keys]:
    """The states and labels of `read_rows` from LEB128 numbers, which are counted before they are decoded."""
    begin, left = file.tell(), count * (1 + labels)
    while data := file.read(BYTES_AT_ONCE):
        if (left := left - len(data.translate(None, CONTINUED))) < 0:
            raise ValueError("it has more states than it announces")
    if left:
        raise ValueError(FEWER.format(count))
    file.seek(begin)
    numbers, at, rest = np.empty(count * (1 + labels), np.int64), 0, b""
    while data := file.read(BYTES_AT_ONCE):
        data = rest + data
        ended = data[:-MOST] + data[-MOST:].rstrip(CONTINUED)
        decoded, rest = numbers_of(ended), data[len(ended) :]
        numbers[at : at + len(decoded)] = decoded
        at += len(decoded)
    numbers_of(rest)  # raises ValueError unless it is empty
    differences, *columns = numbers.reshape(-1, 1 + labels).T
    return np.cumsum(differences), np.array(columns)
