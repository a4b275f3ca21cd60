"""A certificate and its file: a gzip stream of lines of text, an empty line, and the states.

    perfectplay certificate 1
    game connect
    ...
    count 4082

    the states in ascending order, each as its difference from the one before, with its rank behind it

Numbers are LEB128: seven bits a byte, the lowest first, and the highest bit of a byte says that more follow.
States that are no integers are lines of text, with the rank and a space before each. docs/certificates.md
is the definition. Source of LEB128: DWARF Debugging Information Format 5, section 7.6.
"""

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.errors import ForeignFile, MissingFile
from solver.game import FIRST
from solver.system.strict_json import parse_json

TITLE = "perfectplay certificate 1"

MAX_BYTES = 1 << 30
"""Bytes of a certificate that is read, without compression: a small file can stand for many."""

NUMBERS = ("owner", "goal", "endless", "symmetries", "ranks", "texts", "count")
LINES = ("game", "parameters", "rules", "play", "start", *NUMBERS)
"""The names of the lines after the first one."""


@dataclass(frozen=True)
class Certificate:
    """That a player gets at least a goal from a state, with the states that prove it."""

    named: dict[str, str]
    """The name and the fingerprints of the rules, as `as_named` gives them."""
    parameters: dict[str, Any]
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

    def as_bytes(self) -> bytes:
        """The file, the same bytes each time."""
        texts = isinstance(self.start, str)
        facts = {
            **self.named,
            "parameters": json.dumps(self.parameters, sort_keys=True),
            "start": self.start,
            "owner": self.owner,
            "goal": self.goal,
            "endless": self.endless,
            "symmetries": self.symmetries,
            "ranks": int(self.ranks is not None),
            "texts": int(texts),
            "count": len(self.states),
        }
        head = "\n".join([TITLE, *(f"{name} {facts[name]}" for name in LINES), "", ""])
        body = b"".join(self._lines() if texts else self._differences())
        return gzip.compress(head.encode() + body, 9, mtime=0)

    def _lines(self) -> Iterator[bytes]:
        for nth, text in enumerate(self.states):
            yield f"{'' if self.ranks is None else f'{self.ranks[nth]} '}{text}\n".encode()

    def _differences(self) -> Iterator[bytes]:
        last = 0
        for nth, state in enumerate(self.states):
            yield leb128(int(state) - last)
            last = int(state)
            if self.ranks is not None:
                yield leb128(self.ranks[nth])


def leb128(number: int) -> bytes:
    """A number that is not negative as LEB128."""
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    made.append(number)
    return bytes(made)


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file, unchecked; raises `MissingFile` and `ForeignFile`."""
    if not path.is_file():
        raise MissingFile(f"{path} does not exist: `perfectplay certify FILE -o NAME` writes certificates")
    try:
        with gzip.open(path) as file:
            return _read(file.read(MAX_BYTES + 1), path)
    except (OSError, EOFError, zlib.error, ValueError, IndexError) as error:
        raise ForeignFile(f"{path} is not a certificate, or damaged: {error}") from error


def _read(content: bytes, path: Path) -> Certificate:
    if len(content) > MAX_BYTES:
        raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
    head, _, body = content.partition(b"\n\n")
    title, *lines = head.decode().split("\n")
    names, texts = zip(*(line.split(" ", 1) for line in lines), strict=True) if lines else ((), ())
    if title != TITLE or names != LINES:
        raise ValueError(f"it should begin with {TITLE!r} and have the lines {', '.join(LINES)}")
    facts: dict[str, Any] = dict(zip(names, texts, strict=True))
    facts |= {name: int(facts[name]) for name in NUMBERS}
    parameters = parse_json(facts["parameters"].encode(), str(path))
    if not isinstance(parameters, dict) or facts["owner"] not in (0, 1):
        raise ValueError("its parameters or its owner are none that this version knows")
    states: list[int | str]
    states, ranks = (_of_lines if facts["texts"] else _of_differences)(body, bool(facts["ranks"]))
    if len(states) != facts["count"]:
        raise ValueError(f"it has {len(states):,} states, where {facts['count']:,} are announced")
    return Certificate(
        named={name: facts[name] for name in ("game", "rules", "play")},
        parameters=parameters,
        owner=facts["owner"],
        goal=facts["goal"],
        endless=facts["endless"],
        start=facts["start"] if facts["texts"] else int(facts["start"]),
        states=states,
        ranks=ranks if facts["ranks"] else None,
        symmetries=facts["symmetries"],
    )


def _of_lines(body: bytes, ranked: bool) -> tuple[list[int | str], list[int]]:
    lines = body.decode().split("\n")[:-1]
    if not ranked:
        return [*lines], []
    pairs = [line.split(" ", 1) for line in lines]
    return [text for _, text in pairs], [int(rank) for rank, _ in pairs]


def _of_differences(body: bytes, ranked: bool) -> tuple[list[int | str], list[int]]:
    numbers, number, shift = list[int](), 0, 0
    for byte in body:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    states, last = list[int | str](), 0
    for difference in numbers[:: 1 + ranked]:
        last += difference
        states.append(last)
    return states, numbers[1::2] if ranked else []
