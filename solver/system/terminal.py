r"""Text for people and programs alike, without anything that would do more to a terminal than be shown on it.

Names of games, positions and moves come from rules and files of anybody. Printed as they are, they could move
the cursor, colour what follows, or turn it round. So each character that cannot be printed is written as JSON
escapes it, `\u001b`: words stay legible, and JSON stays JSON and means the same.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

BEYOND_ASCII = re.compile(r"[^\n\t -~]")


def printable(text: str) -> str:
    """The text with all that cannot be printed, but ends of lines and tabs, escaped as in JSON."""
    return BEYOND_ASCII.sub(lambda found: found[0] if found[0].isprintable() else _escaped(found[0]), text)


class Printing:
    """A stream on which texts come out as `printable`; all else is done by the stream that it wraps."""

    encoding = "utf-8"
    """Whatever that of the stream is: click goes past one that says it is ASCII."""

    def __init__(self, stream: TextIO) -> None:
        """Write to `stream`."""
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        """What the stream has."""
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text, escaped also where the stream's own encoding lacks a character."""
        shown = printable(text)
        try:
            shown.encode(self.stream.encoding or self.encoding)
        except UnicodeEncodeError:
            shown = BEYOND_ASCII.sub(lambda found: _escaped(found[0]), text)
        self.stream.write(shown)
        return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        """Write several texts."""
        for text in texts:
            self.write(text)


@contextmanager
def printing() -> Iterator[None]:
    """Within the block, standard output and standard error print nothing but what can be printed.

    Bytes that are written to their buffers are data and stay as they are.
    """
    before = sys.stdout, sys.stderr
    within = Printing(sys.stdout), Printing(sys.stderr)
    sys.stdout, sys.stderr = within
    try:
        yield
    finally:
        # Somebody else may have put another stream in place, as click does when a pipe has closed.
        sys.stdout = before[0] if sys.stdout is within[0] else sys.stdout
        sys.stderr = before[1] if sys.stderr is within[1] else sys.stderr


def bare(stream: TextIO) -> TextIO:
    """The stream itself, for those who draw on a terminal: a bar of progress."""
    return stream.stream if isinstance(stream, Printing) else stream


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1]
