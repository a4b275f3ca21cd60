"""What commands print and write, as text or as JSON."""

import json
from pathlib import Path

import click

from solver.system.files import target, write


def print_json(value: object, *, err: bool = False) -> None:
    """Print a value as JSON in one line, on standard output or error."""
    click.echo(json.dumps(value, ensure_ascii=False), err=err)


def say(answer: object) -> None:
    """Print a text as it is, and anything else as JSON in one line."""
    click.echo(answer) if isinstance(answer, str) else print_json(answer)


def target_of(output: str | None, noun: str) -> Path | None:
    """The file to write, after the checks of `target`; None for standard output."""
    return None if output in (None, "-") else target(Path(str(output)), noun)


def deliver(data: str | bytes, path: Path | None, words: str, *, as_json: bool, **facts: object) -> None:
    """Write data to a file, or print it without one; say so in `words`, or with `--json` by the `facts`."""
    if path is None:
        click.echo(data, nl=False)
    else:
        write(path, data.encode() if isinstance(data, str) else data)
    if as_json:
        print_json({"file": None if path is None else str(path), **facts}, err=path is None)
    elif path is not None:
        click.echo(f"{path}: {words}", err=True)


def bound_memory() -> None:
    """Limit this process to the memory that is available until the command ends."""
    from solver.system.resources import bounded  # with psutil

    click.get_current_context().with_resource(bounded())
