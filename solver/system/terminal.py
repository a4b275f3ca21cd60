r"""Escapes characters that would control a terminal instead of being shown on it.

Names of games, positions and moves come from untrusted rules and files. Printed raw, they could move the
cursor, or colour or reverse the following text. So unprintable characters are escaped as in JSON, for example
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
"""The standard streams in the order of their descriptors, with the modes to open them."""

BEYOND_ASCII = re.compile(r"[^\n\t -~]")


def printable(text: str) -> str:
    """The text with unprintable characters, except newlines and tabs, escaped as in JSON."""
    return BEYOND_ASCII.sub(lambda match: match[0] if match[0].isprintable() else _escaped(match[0]), text)


class Printing:
    """A stream wrapper that writes text as `printable`; the wrapped stream does everything else."""

    encoding = "utf-8"
    """UTF-8, whatever the wrapped stream has, as click bypasses a stream whose encoding is ASCII."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        """The attribute of the stream."""
        return getattr(self.stream, name)

    def close(self) -> None:
        """Leave the stream open, as rules may not close it."""

    def write(self, text: str) -> int:
        """Write a text; if the wrapped stream's encoding lacks a character, escape all non-ASCII ones."""
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

    Bytes written to their buffers are data and are not escaped. A standard stream, input included, that was
    closed when the program started becomes the null device.
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
        # Another stream may have been installed meanwhile, as by click when a pipe has closed.
        sys.stdout = before[0] if sys.stdout is within[0] else sys.stdout
        sys.stderr = before[1] if sys.stderr is within[1] else sys.stderr


def discard_unwritten() -> None:
    """Drop text that standard output or standard error cannot take: at its end Python would try again."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def bare(stream: TextIO) -> TextIO:
    """The wrapped stream, if `stream` is a wrapper: a progress bar writes raw to the terminal."""
    return stream.stream if isinstance(stream, Printing) else stream


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1]
