"""Shared argument types, and parsers for words that are parameters, positions or plies."""

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any

import click

from solver.errors import BadParameter, UnreadablePosition
from solver.system.plugins import names_instead


class FileName(click.Path):
    """A file name that is not empty; the command itself checks the file."""

    def __init__(self) -> None:
        super().__init__(readable=False)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | PathLike[str]:
        """The name."""
        if value == "":  # from an unset shell variable; `Path` would take it for the current folder
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


FILE = FileName()
"""The type of a file argument, which shells complete."""

DATABASE = FileName()
"""The type of a database argument; `batch` runs the commands that have it as their first argument."""

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
"""A PARAM=VALUE pair; no player matches, and only a position that begins with a name and `=`."""

MAX_BYTES = 1 << 62
"""A limit that no machine reaches; systems accept limits of at most 63 bits."""


def assignment(word: str) -> tuple[str, str]:
    """The two sides of the first `=` in PARAM=VALUE; raises ValueError for another word."""
    name, equals, text = word.partition("=")
    if not (name and equals):
        raise ValueError(f"{word!r} should be PARAM=VALUE, such as rows=4")
    return name, text


def byte_size(text: str) -> int:
    """The bytes, at most `MAX_BYTES`, of a size such as 2.5G, in powers of 1000; raises ValueError."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)B?", text.strip().upper())
    if not match:
        raise ValueError(f"{text!r} should be a size, such as 4G or 500M")
    return int(min(float(match[1]) * 1000 ** " KMGT".index(match[2] or " "), MAX_BYTES))


class WholeNumber(click.IntRange):
    """An integer in a range."""

    name = "integer"
    """The name in help and errors, in place of click's "integer range"."""


class FiniteFloat(click.FloatRange):
    """A finite number in a range."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        if not isfinite(number := super().convert(value, param, ctx)):
            self.fail(f"{value!r} should be a finite number", param, ctx)
        return number


EXPLORATION = FiniteFloat(min=0, max=10**9)
"""The type of an exploration constant; with far larger ones the bounds of moves would be infinite."""


class OneOf(click.Choice[str]):
    """One of several names; the error for any other name suggests similar ones."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """The message for a name that is not among the choices."""
        return f"{value!r} is not one of them; {names_instead(str(value), self.choices)}"


def as_parameters(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The pairs as a dictionary; raises `BadParameter` for a name given twice."""
    names = [name for name, _ in pairs]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise BadParameter(f"the parameter {repeated!r} is given more than once")
    return dict(pairs)


def split_parameters(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The PARAM=VALUE pairs and the other words; raises `BadParameter` for a parameter given twice."""
    pairs = tuple(assignment(word) for word in words if ASSIGNMENT.fullmatch(word))
    return as_parameters(pairs), [word for word in words if not ASSIGNMENT.fullmatch(word)]


def split_position(words: Sequence[str]) -> tuple[dict[str, str], str | None]:
    """The PARAM=VALUE pairs among the words, and the only other word, a position, or None.

    Raises `BadParameter` for a parameter given twice and `UnreadablePosition` for a second position.
    """
    parameters, positions = split_parameters(words)
    if len(positions) > 1:
        raise UnreadablePosition(
            f"there should be one position, not {' and '.join(map(repr, positions))}; "
            "quote a position that contains a space"
        )
    return parameters, positions[0] if positions else None


def plies_asked(option: str, text: str | None) -> range | None:
    """The range of plies `N`, `A-B` or `A..B`, both ends included; raises `BadParameter` for other texts."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,9})(?:(?:-|\.\.)(\d{1,9}))?", text)
    plies = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
    if not plies:
        raise BadParameter(f"{option} takes a number of plies, or the least and most as A-B, not {text!r}")
    return plies


def is_json(path: Path) -> bool:
    """Whether the file at `path` begins like JSON, so that it is a plan, not a database."""
    with path.open("rb") as content:
        return content.read(64).removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"[")
