"""Decides which rules files may run: those that this user has run before, by their fingerprint (modules.py).

A rules file that the user names runs, and is remembered. A rules file that a database, a plan or a saved
match names may be a stranger's: it runs only if it is remembered, or if the user allows it by
`--trust-rules`, by the environment or by `trusting`.

The record is a text file in the user's configuration folder; to forget a rules file, remove its line:

    9f86d081...64 digits  "/home/ada/nim.py"
"""

import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from errno import EEXIST
from pathlib import Path

from solver.errors import UntrustedRules, UnwritableFile
from solver.rules.source.modules import file_fingerprint
from solver.system.files import user_folder

ENVIRONMENT = "PERFECTPLAY_TRUST_RULES"
"""If this variable is 1, every rules file may run, as on a server whose files are all its own."""

LINE = re.compile(r'([0-9a-f]{64})  (".*")')

_trusting = ContextVar("_trusting", default=False)

_ran: dict[str, str] = {}
"""The rules files that this process has run, which may run again: their paths, if known, by fingerprint."""


@contextmanager
def trusting(really: bool = True) -> Iterator[None]:
    """Within the block, in this thread, let any rules file run that a database, plan or match names."""
    token = _trusting.set(really or _trusting.get())
    try:
        yield
    finally:
        _trusting.reset(token)


def require(path: str) -> None:
    """Check that the rules file at `path` may run for a file that names it; raises `UntrustedRules`."""
    digest = file_fingerprint(path)
    permitted = _trusting.get() or os.environ.get(ENVIRONMENT) == "1"
    if not (permitted or digest in _ran or digest in remembered()):
        raise UntrustedRules(
            f"the rules file {path!r} is code that you have not run before: read it, and if it may run, "
            f"`perfectplay trust {shlex.quote(path)}`, or --trust-rules for this once"
        )
    _ran[digest] = path


def note(path: str) -> None:
    """Remember a rules file that the user runs; if nothing can be written, for this process alone."""
    digest = file_fingerprint(path)
    _ran[digest] = path
    with suppress(UnwritableFile):
        remember(digest, path)


def remember(digest: str, path: str) -> None:
    """Remember a rules file and its path permanently; raises `UnwritableFile` if nothing can be written."""
    record = _record()
    if record is None:
        raise UnwritableFile("nothing can be remembered: this user has no configuration folder")
    last = remembered().get(digest)
    if last is not None and Path(last).exists():
        return
    try:
        if record.exists() and not record.is_file():  # a pipe would be waited for
            raise FileExistsError(EEXIST, "it is no regular file")
        record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with record.open("ab", buffering=0) as file:  # one call writes the line: others may write, too
            file.write(f"{digest}  {json.dumps(path)}\n".encode())
    except OSError as error:
        raise UnwritableFile(f"cannot write {record}: {error.strerror}") from error


def places_of(digest: str) -> list[str]:
    """The paths at which this process, and the user, last ran the rules file of this fingerprint, or ""."""
    return [_ran.get(digest, ""), remembered().get(digest, "")]


def remembered() -> dict[str, str]:
    """The remembered rules files: their paths by fingerprint. Other lines of the record are skipped."""
    record, paths = _record(), dict[str, str]()
    try:
        text = record.read_text("utf-8", "replace") if record and record.is_file() else ""
    except OSError:
        return {}
    for line in filter(None, map(LINE.fullmatch, text.split("\n"))):
        with suppress(ValueError):  # the user may have edited the path
            paths[line[1]] = json.loads(line[2])
    return paths


def allowed() -> frozenset[str]:
    """The fingerprints of rules files that this process has run, to pass to a child process."""
    return frozenset(_ran)


def allow(digests: Iterable[str]) -> None:
    """Let the rules files run that the parent process has run."""
    _ran.update(dict.fromkeys(digests, ""))


def _record() -> Path | None:
    folder = user_folder()
    return None if folder is None else folder / "trusted-rules"
