"""`perfectplay report`."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.arguments import DATABASE, FILE
from solver.commands.options import command, limits_memory, marks, number, reads_files, seeds, writes
from solver.commands.output import deliver, target_of
from solver.database import Database, open_database
from solver.errors import SolverError, TooLarge, UnknownFormat, WrongDatabase
from solver.system.plugins import picture
from solver.system.progress import Progress, terminal_progress

if TYPE_CHECKING:
    from solver.analysis.certificates.mark import Mark

FORMATS = ("html", "md", "json")

MIN_REPORT_MEMORY = 1 << 28
"""The least memory, in bytes, for a report, besides that of the program itself."""


def report_format(output: str) -> str:
    """The format of a report by the suffix of its file, or Markdown for -; raises `UnknownFormat`."""
    name = "md" if output == "-" else Path(output).suffix.removeprefix(".").lower()
    if name not in FORMATS:
        raise UnknownFormat(
            f"a report is written as {', '.join(f'.{ending}' for ending in FORMATS)}, not {output}"
        )
    return name


@command(
    "perfectplay report tictactoe.db -o report.html",
    "perfectplay report tictactoe.db misere.db",
    sections={
        "What is written": ("output", "certificates", "as_json"),
        "Sample and memory": ("sample", "seed", "memory"),
    },
)
@click.argument("file", type=DATABASE)
@click.argument("other", type=FILE, required=False)
@writes("OUT", "A .html, .md or .json file; default: Markdown on standard output.", check=report_format)
@number(
    "--sample",
    default=100_000,
    words="Look up N random positions of a packed file that has more, and play N random games.",
)
@seeds
@marks
@limits_memory
@reads_files
def report(
    file: str,
    other: str | None,
    output: str | None,
    certificates: Sequence[str],
    memory: int | None,
    as_json: bool,
    **options: int,
) -> None:
    """Report on a solved game: its fairness, its length and its traps.

    FILE is a database. The report has the winner and the values of the first moves, the length of perfect and
    of random play, the number of choices, and how often players with little foresight lose value. Every
    figure is exact or has an interval. With an OTHER file, of the game by other rules, the report compares
    both side by side.
    """
    from solver.analysis.report import compared, report_on
    from solver.analysis.report.chapters import contents_of

    path = target_of(output, "report")
    ending = "json" if as_json and path is None else report_format(output or "-")
    with ExitStack() as stack:
        stack.enter_context(_within(memory))
        files = [stack.enter_context(open_database(name)) for name in (file, other) if name is not None]
        progress = stack.enter_context(terminal_progress("positions"))
        marks = [_mark(certificate, files, progress) for certificate in certificates]
        reports = [report_on(db, **options, progress=progress) for db in files]
        whole = compared(reports, progress=progress)
        if ending == "json":
            answer = whole.as_dict()
            for nth, mark in marks:
                about = answer if len(files) == 1 else answer["ab"[nth]]
                about.setdefault("certificates", []).append(mark.as_dict())
            text = json.dumps(answer, ensure_ascii=False, indent=1 if path else None) + "\n"
        else:
            contents = replace(contents_of(whole), marks=[mark for _, mark in marks])
            text = picture("report", contents, ending)
    names = [db.path.name for db in files]
    words = f"a report on {' and '.join(names)}"
    deliver(text, path, words, as_json=as_json and path is not None, databases=names)


def _mark(certificate: str, files: Sequence[Database], progress: Progress) -> "tuple[int, Mark]":
    """The number of the file that a certificate proves, and its mark; raises what `mark_of` raises."""
    from solver.analysis.certificates.mark import mark_of

    for nth, db in enumerate(files[:-1]):
        with suppress(WrongDatabase):
            return nth, mark_of(certificate, db.game, db.start, db.endless, progress=progress)
    db = files[-1]
    return len(files) - 1, mark_of(certificate, db.game, db.start, db.endless, progress=progress)


@contextmanager
def _within(memory: int | None) -> Iterator[None]:
    from solver.engines.memory import size
    from solver.system import resources

    held = resources.used()
    if memory is not None and memory < held + MIN_REPORT_MEMORY:
        raise TooLarge(
            f"{size(memory)} of memory is too little: Python and its libraries hold {size(held)} before the "
            f"file is read; give it {size(held + 2 * MIN_REPORT_MEMORY)} or more by --memory"
        )
    try:
        with resources.bounded(memory):
            yield
    except MemoryError as error:
        if isinstance(error, SolverError):
            raise
        raise TooLarge(
            "memory ran out: give the report more by --memory, or let it ask fewer positions by --sample"
        ) from error
