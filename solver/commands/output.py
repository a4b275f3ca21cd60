"""The output of commands, as text or as JSON."""

import json
from pathlib import Path

import click

from solver.database.header import is_database
from solver.errors import TargetExists, UnknownFormat, in_one_line
from solver.system.files import target, write


def print_json(value: object, *, err: bool = False) -> None:
    """Print a value as one line of JSON, on standard output or, with `err`, on standard error."""
    click.echo(json.dumps(value, ensure_ascii=False), err=err)


def say(answer: object) -> None:
    """Print a text as it is, and any other value as one line of JSON."""
    click.echo(answer) if isinstance(answer, str) else print_json(answer)


def say_written(path: str | Path, words: str) -> None:
    """Say on standard error, in one line, what was written to a file or folder."""
    click.echo(in_one_line(f"{path}: {words}"), err=True)


def target_of(output: str | None, noun: str, *, force: bool = True) -> Path | None:
    """The file to write, checked by `target`, if it is no database; None for no file, or standard output."""
    if output in (None, "-"):
        return None
    path = target(Path(str(output)), noun, force=force)
    if is_database(path):
        raise TargetExists(f"{path} is a database: choose another file for the {noun}")
    return path


def refuse_no_page(output: str) -> None:
    """Raise `UnknownFormat` if the name of a file for a page has another suffix."""
    if output != "-" and Path(output).suffix.lower() not in ("", ".html", ".htm"):
        raise UnknownFormat(f"a page is written to a file that ends in .html, not to {output!r}")


def deliver(data: str | bytes, path: Path | None, words: str, *, as_json: bool, **facts: object) -> None:
    """Write data to a file, or print it if `path` is None; report it in `words` or, `as_json`, by `facts`."""
    if path is None:
        click.echo(data, nl=False)
    else:
        write(path, data.encode() if isinstance(data, str) else data)
    if as_json:
        print_json({"file": None if path is None else str(path), **facts}, err=path is None)
    elif path is not None:
        say_written(path, words)


def bound_memory() -> None:
    """Limit this process, until the command ends, to the memory that is available now."""
    from solver.system.resources import bounded  # loads psutil

    click.get_current_context().with_resource(bounded())
