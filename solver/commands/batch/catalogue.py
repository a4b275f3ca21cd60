"""The catalogue of a folder: `catalogue.db` records its games and outputs, and `catalogue.html` shows them.

Its subfolder `sites`, if there is one, has a site of each game and `index.html`, which links to them.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.database import open_database
from solver.database.connections import unwritten
from solver.errors import DiskFull, ForeignFile
from solver.system.files import alone_in, write
from solver.system.plugins import picture, without

if TYPE_CHECKING:
    from sqlite_utils import Database

DATABASE, PAGE = "catalogue.db", "catalogue.html"

SITES, INDEX = "sites", "index.html"


@contextmanager
def catalogue(folder: Path) -> Iterator["Database"]:
    """Yield the catalogue of a folder, with the schema `catalogue.sql`; afterwards its pages are written.

    Raises `TargetBusy` while another process has it open, `ForeignFile` if the file is no catalogue, and
    `DiskFull`.
    """
    with without("pandas"):  # as for the readable layout
        from sqlite_utils import Database

    path = folder / DATABASE
    schema = files("solver.commands.batch").joinpath("catalogue.sql").read_text("utf-8")
    with alone_in(path):
        try:
            with Database(path) as db:
                if (tables := {*db.table_names()}) and not {"games", "outputs"} <= tables:
                    raise ForeignFile(f"{path} is not a catalogue: choose another folder, or move it away")
                db.executescript(f"begin; {schema} commit;")
                try:
                    yield db
                finally:
                    write(folder / PAGE, picture("catalogue", _rows_of_games(db, folder)).encode())
                    if (folder / SITES).is_dir():
                        write(folder / SITES / INDEX, picture("catalogue", _sites(db, folder)).encode())
        except sqlite3.Error as error:
            if isinstance(refused := unwritten(path, error), DiskFull):
                raise refused from error
            raise ForeignFile(f"{path} cannot be used as a catalogue ({error}): move it away") from error


def _rows_of_games(db: "Database", folder: Path) -> list[Any]:
    """The games and their outputs, in the form for `exporters.html.catalogue`."""
    rows = []
    for game in db["games"].rows_where(order_by="name"):
        path = folder / f"{game['name']}.db"
        if path.is_file() or game["failure"]:
            outputs = list(db["outputs"].rows_where("game = ?", [game["name"]], order_by="line"))
            existing = [file for output in outputs if (file := output["file"]) and (folder / file).exists()]
            printed = [output["printed"] for output in outputs if not output["file"]]
            opened = partial(open_database, path)
            links = [(file, _page(folder, file)) for file in (path.name, *existing)]
            rows.append((game["name"], opened, links, printed, game["failure"]))
    return rows


def _page(folder: Path, file: str) -> str:
    """The URL of an output: of a site its page, as a browser does not look for one in a folder on a disk."""
    return f"{file}/{INDEX}" if (folder / file / INDEX).is_file() else file


def _sites(db: "Database", folder: Path) -> list[Any]:
    """The games that have sites, in the same form as `_rows_of_games`, with links to the sites."""
    return [
        (name, partial(open_database, folder / f"{name}.db"), [("Play", f"{name}/{INDEX}")], [], None)
        for name in (game["name"] for game in db["games"].rows_where(order_by="name"))
        if (folder / SITES / name / INDEX).is_file()
    ]


def digest_of(paths: Sequence[Path]) -> str | None:
    """The SHA-256 of a path, or of several together; None for no path, or for a single missing one."""
    digests = [digest(path) for path in paths]
    return hashlib.sha256(repr(digests).encode()).hexdigest() if digests[1:] else next(iter(digests), None)


def digest(path: Path) -> str | None:
    """The SHA-256 of a file, or of the names and contents of a folder's files; None if there is none."""
    if path.is_dir():
        parts = [(file.name, digest(file)) for file in sorted(path.iterdir())]
        return hashlib.sha256(repr(parts).encode()).hexdigest()
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
