r"""Escapes characters that would control a terminal instead of being shown on it.

Names of games, positions and moves come from rules and files of anybody. Printed as they are, they could move
the cursor, colour the following text, or reverse it. So each unprintable character is escaped as in JSON,
`\u001b`: words stay legible, and JSON keeps its meaning.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

CLOSABLE = {"stdin": "r", "stdout": "w", "stderr": "w"}
"""The standard streams by number, and how they are opened."""

BEYOND_ASCII = re.compile(r"[^\n\t -~]")


def printable(text: str) -> str:
    """The text with unprintable characters escaped as in JSON, except ends of lines and tabs."""
    return BEYOND_ASCII.sub(lambda match: match[0] if match[0].isprintable() else _escaped(match[0]), text)


class Printing:
    """A stream that writes texts as `printable`; all else is done by the stream that it wraps."""

    encoding = "utf-8"
    """UTF-8, whatever the stream has: click bypasses a stream whose encoding is ASCII."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        """The attribute of the stream."""
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text, escaped also where the stream's own encoding lacks a character."""
        shown = printable(text)
        try:
            shown.encode(self.stream.encoding or self.encoding)
        except UnicodeEncodeError:
            shown = BEYOND_ASCII.sub(lambda match: _escaped(match[0]), text)
        self.stream.write(shown)
        return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        """Write several texts."""
        for text in texts:
            self.write(text)


@contextmanager
def printing() -> Iterator[None]:
    """Within the block, standard output and standard error escape unprintable characters.

    Bytes that are written to their buffers are data and stay as they are. A stream that was closed when the
    program began, and standard input likewise, is the null device.
    """
    for name, mode in CLOSABLE.items():
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
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
    """The wrapped stream, for a progress bar, which draws on the terminal."""
    return stream.stream if isinstance(stream, Printing) else stream


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1]
