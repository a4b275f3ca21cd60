"""A certificate and its file: a gzip stream of lines of text, an empty line, and the states.

docs/certificates.md is the definition.
"""

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

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
        return zlib.compress(
            head.as_bytes(TITLE) + body, 9, GZIP
        )  # `gzip.compress` names another system from Python 3.13 on


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
            return _read(file.read(MAX_BYTES + 1), path)
    except (OSError, EOFError, zlib.error, ValueError, IndexError) as error:
        raise ForeignFile(f"{path} is not a certificate, or damaged: {error}") from error


def _read(content: bytes, path: Path) -> Certificate:
    if len(content) > MAX_BYTES:
        raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
    head, _, body = content.partition(b"\n\n")
    facts = read_head(head, TITLE, NUMBERS)
    numbers = facts.numbers
    if len(facts.starts) > 1 or any(numbers[name] not in (0, 1) for name in ("owner", "ranks", "texts")):
        raise ValueError("it has several starts, or an owner, ranks or texts that are neither 0 nor 1")
    states: list[int | str]
    states, ranks = (_of_lines if numbers["texts"] else _of_differences)(body, bool(numbers["ranks"]))
    if len(states) != numbers["count"]:
        raise ValueError(f"it has {len(states):,} states, where {numbers['count']:,} are announced")
    if numbers["ranks"] and len(ranks) != len(states):
        raise ValueError("its last state has no rank")
    return Certificate(
        named=facts.named,
        parameters=facts.parameters,
        owner=numbers["owner"],
        goal=numbers["goal"],
        endless=numbers["endless"],
        start=facts.starts[0],
        states=states,
        ranks=ranks if numbers["ranks"] else None,
        symmetries=numbers["symmetries"],
    )


def _of_lines(body: bytes, ranked: bool) -> tuple[list[int | str], list[int]]:
    lines = body.decode().split("\n")[:-1]
    if not ranked:
        return [*lines], []
    pairs = [line.split(" ", 1) for line in lines]
    return [text for _, text in pairs], [int(rank) for rank, _ in pairs]


def _of_differences(body: bytes, ranked: bool) -> tuple[list[int | str], list[int]]:
    numbers = numbers_of(body)
    return np.cumsum(numbers[:: 1 + ranked]).tolist(), numbers[1::2].tolist() if ranked else []
