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

from solver.database.packed.keys.gap_codec import leb128_of, numbers_of
from solver.errors import ForeignFile, UsageError, shown
from solver.game import FIRST
from solver.rules.arrays import Keys
from solver.system.strict_json import json_of
from solver.system.words import no_file

TITLE = "perfectplay certificate 1"

MAX_BYTES = 1 << 30
"""Bytes of a certificate that is read, without compression: a small file can stand for many."""

GZIP = 16 + zlib.MAX_WBITS
"""What has zlib write the header of a gzip stream, which names no time."""

UNREADABLE = OSError, EOFError, zlib.error, ValueError, OverflowError
"""What reading a file raises that is none of these, or damaged."""

BYTES_AT_ONCE = 1 << 20
"""Bytes, without compression, that are read at a time."""

CONTINUED = bytes(range(128, 256))
"""The bytes that do not end a number."""

NUMBERS = ("owner", "goal", "endless", "symmetries", "ranks", "texts", "count")
"""The names of the lines behind those of the game and its start."""


class Head(NamedTuple):
    """What the lines of text say."""

    named: Mapping[str, str]
    """The name and the fingerprints of the rules, as `as_named` gives them."""
    parameters: Mapping[str, Any]
    starts: Sequence[int | str]
    numbers: Mapping[str, int]

    def as_bytes(self, title: str) -> bytes:
        """The lines, and the empty one; raises as `as_lines`."""
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
    """The lines of text of a file, which have numbers of these names; raises ValueError."""
    first, *lines = content.decode().split("\n")
    pairs = [line.partition(" ")[::2] for line in lines]
    starts: list[int | str] = [text for name, text in pairs if name == "start"]
    expected = ["game", "parameters", "rules", "play", *["start"] * max(1, len(starts)), *names]
    if first != title or [name for name, _ in pairs] != expected:
        raise ValueError(
            f"it should begin with {title!r} and have the lines {', '.join(dict.fromkeys(expected))}"
        )
    facts = dict(pairs)
    numbers = {name: int(facts[name]) for name in names}
    written = [facts[name] for name in names]
    if not numbers["texts"]:
        written, starts = [*written, *map(str, starts)], [int(start) for start in starts]
    if other := next((text for text in written if str(int(text)) != text), None):
        raise ValueError(f"a number is written {int(other)}, not {other!r}")
    if any(numbers.get(name, 0) not in (0, 1) for name in ("owner", "ranks", "texts")):
        raise ValueError("it has an owner, ranks or texts that are neither 0 nor 1")
    named = {name: facts[name] for name in ("game", "rules", "play")}
    return Head(named, json_of(facts["parameters"], dict), starts, numbers)


@dataclass(frozen=True)
class Certificate:
    """That a player gets at least a goal from a state, with the states that prove it."""

    named: Mapping[str, str]
    """The name and the fingerprints of the rules, as `as_named` gives them."""
    parameters: Mapping[str, Any]
    owner: int
    """The player whose gain is proved: 0 or 1."""
    goal: int
    """The least utility, for the owner."""
    endless: int
    """The utility of endless play, for the first player."""
    start: int | str
    states: Sequence[int | str]
    """In ascending order; integers for packed rules, otherwise positions as text."""
    ranks: Sequence[int] | None
    """For each state more than the ranks of those that play meets after it; None where play need not end."""
    symmetries: int = 0
    """The number of symmetries of the rules, whose images of the states belong to the set, too; or 0."""

    @property
    def needs_ranks(self) -> bool:
        """Whether the goal is better for the owner than endless play, so that play has to end."""
        return self.goal > (self.endless if self.owner == FIRST else -self.endless)

    @property
    def head(self) -> Head:
        """The lines of text of its file."""
        numbers = {
            "owner": self.owner,
            "goal": self.goal,
            "endless": self.endless,
            "symmetries": self.symmetries,
            "ranks": int(self.ranks is not None),
            "texts": int(isinstance(self.start, str)),
            "count": len(self.states),
        }
        return Head(self.named, self.parameters, [self.start], numbers)

    @cached_property
    def content(self) -> bytes:
        """The bytes of the file, the same each time."""
        head, labels = self.head, [] if self.ranks is None else [self.ranks]
        body = rows_as_bytes(self.states, *labels, texts=bool(head.numbers["texts"]))
        # `gzip.compress` names another system from Python 3.13 on.
        return zlib.compress(head.as_bytes(TITLE) + body, 9, GZIP)


def rows_as_bytes(
    states: Sequence[Any] | Keys, *labels: Sequence[int] | Keys, texts: bool, last: Any = 0
) -> bytes:
    """The states, each with its labels, as they are in a file behind a state `last`; raises as `as_lines`."""
    if texts:
        return as_lines([" ".join(map(str, row)) for row in zip(*labels, states, strict=True)])
    columns = [np.diff(np.asarray(states, np.int64), prepend=last), *labels]
    return leb128_of(np.array(columns, np.int64).T)


def as_lines(lines: Sequence[str]) -> bytes:
    """The lines as they are in a file; raises `UsageError` for one that is broken itself."""
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
    except UNREADABLE as error:
        raise ForeignFile(f"{path} is not a certificate, or damaged: {error}") from error
    numbers = head.numbers
    return Certificate(
        named=head.named,
        parameters=head.parameters,
        owner=numbers["owner"],
        goal=numbers["goal"],
        endless=numbers["endless"],
        start=head.starts[0],
        states=states.tolist(),
        ranks=labels[0].tolist() if numbers["ranks"] else None,
        symmetries=numbers["symmetries"],
    )


def read_rows(
    file: BufferedIOBase, title: str, names: Sequence[str]
) -> tuple[Head, NDArray[Any], NDArray[Any]]:
    """What the lines of text say, which have numbers of these names, the states, and a row for each label.

    Raises one of `UNREADABLE`.
    """
    lines = takewhile(lambda line: line != b"\n", iter(file.readline, b""))
    head = read_head(b"".join(lines)[:-1], title, names)
    count, labels = head.numbers["count"], head.numbers.get("ranks", 2)
    states, columns = (_of_lines if head.numbers["texts"] else _of_numbers)(file, labels, count)
    if (len(columns), len(states)) != (labels, count):
        raise ValueError(f"it does not have the {count:,} states that are announced, with their labels")
    return head, states, columns


def _of_lines(file: BufferedIOBase, labels: int, count: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """What `read_rows` returns, with integers of any size for labels."""
    rows = [line.split(" ", labels) for line in file.read().decode().split("\n")[:-1]]
    *columns, texts = zip(*rows, strict=True) if rows else ((),) * (1 + labels)
    return np.array(texts, object), np.array([[*map(int, column)] for column in columns], object)


def _of_numbers(file: BufferedIOBase, labels: int, count: int) -> tuple[Keys, Keys]:
    """Reads some numbers at a time, and no more than so many states have."""
    numbers, rest, most = [np.zeros(0, np.int64)], b"", count * (1 + labels)
    while data := file.read(BYTES_AT_ONCE):
        data = rest + data
        end = len(data.rstrip(CONTINUED))
        numbers.append(numbers_of(data[:end]))
        rest, most = data[end:], most - len(numbers[-1])
        if most < 0:
            raise ValueError("it has more states than it announces")
    differences, *columns = np.concatenate([*numbers, numbers_of(rest)]).reshape(-1, 1 + labels).T
    return np.cumsum(differences), np.array(columns)
