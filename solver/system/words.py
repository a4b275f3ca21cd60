"""Counts, interruptions, missing files and arguments of the wrong type in words."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from solver.errors import MissingFile, shown

GOES_ON = "what is finished is kept, the same command goes on from there"
"""The note on an interruption after which the same command resumes."""


def in_digits(count: int) -> str:
    """A count with commas; from 10**30 on, the least power of ten that is not below it."""
    return f"{count:,}" if count < 10**30 else f"10**{len(str(count - 1))}"


def number_of(count: int, one: str, more: str | None = None) -> str:
    """A count with its noun, as "1 state" or "2,000 states"; `more` is an irregular plural."""
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"


@contextmanager
def if_interrupted(words: Callable[[], str]) -> Iterator[None]:
    """Add a note to the message of an interruption of the block: `words()`, unless they are empty."""
    try:
        yield
    except KeyboardInterrupt as error:
        if note := words():
            error.add_note(note)
        raise


def wanted(kind: type, given: object, how: str) -> None:
    """Raise `TypeError` if an argument is not of type `kind`; `how` is a call that returns one."""
    if not isinstance(given, kind):
        raise TypeError(f"this takes what {how} gives, not {shown(given)}")


def no_file(path: str | Path, instead: str) -> MissingFile:
    """The error to raise for a path that is no file; `instead` says what to do."""
    place = Path(path)
    what = "is a folder" if place.is_dir() else "is no regular file" if place.exists() else "does not exist"
    return MissingFile(f"{path} {what}: {instead}")
