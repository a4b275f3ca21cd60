"""The catalogue of a folder: `catalogue.db` has what was solved and made there, `catalogue.html` shows it.

The folder `sites` in it, if there is one, has a site of each game, and `index.html`, which shows these.
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
from solver.errors import ForeignFile
from solver.system.files import alone_in, write
from solver.system.plugins import picture, without

if TYPE_CHECKING:
    from sqlite_utils import Database

DATABASE, PAGE = "catalogue.db", "catalogue.html"

SITES, INDEX = "sites", "index.html"


@contextmanager
def catalogue(folder: Path) -> Iterator["Database"]:
    """The catalogue of a folder, as `catalogue.sql` says; in the end its page is written.

    Raises `TargetBusy` while another process has it, and `ForeignFile` for a file that is none.
    """
    with without("pandas"):  # as for the readable layout
        from sqlite_utils import Database

    path = folder / DATABASE
    with alone_in(path):
        is_new = not path.exists()
        try:
            with Database(path) as db:
                if not is_new and not {"games", "outputs"} <= {*db.table_names()}:
                    raise ForeignFile(f"{path} is not a catalogue: choose another folder, or move it away")
                db.executescript(files("solver.commands.batch").joinpath("catalogue.sql").read_text("utf-8"))
                try:
                    yield db
                finally:
                    write(folder / PAGE, picture("catalogue", _rows_of_games(db, folder)).encode())
                    if (folder / SITES).is_dir():
                        write(folder / SITES / INDEX, picture("catalogue", _sites(db, folder)).encode())
        except sqlite3.Error as error:
            raise ForeignFile(f"{path} cannot be used as a catalogue ({error}): move it away") from error


def _rows_of_games(db: "Database", folder: Path) -> list[Any]:
    """The games, as `exporters.html.catalogue` takes them, with all that was made of them."""
    listed = []
    for game in db["games"].rows_where(order_by="name"):
        path = folder / f"{game['name']}.db"
        if path.is_file() or game["failure"]:
            made = list(db["outputs"].rows_where("game = ?", [game["name"]], order_by="line"))
            written = [output["file"] for output in made if output["file"]]
            existing = [file for file in written if (folder / file).exists()]
            printed = [output["printed"] for output in made if not output["file"]]
            opened, links = partial(open_database, path), [(file, file) for file in (path.name, *existing)]
            listed.append((game["name"], opened, links, printed, game["failure"]))
    return listed


def _sites(db: "Database", folder: Path) -> list[Any]:
    """The games of which there are sites, as `_rows_of_games`, with the link to each of these."""
    names = [game["name"] for game in db["games"].rows_where(order_by="name")]
    return [
        (name, partial(open_database, folder / f"{name}.db"), [("Play", f"{name}/{INDEX}")], [], None)
        for name in names
        if (folder / SITES / name / INDEX).is_file()
    ]


def digest_of(paths: Sequence[Path]) -> str | None:
    """The SHA-256 of a file, or of several files or folders; None for none, and for one that is not there."""
    digests = [digest(path) for path in paths]
    return hashlib.sha256(repr(digests).encode()).hexdigest() if digests[1:] else next(iter(digests), None)


def digest(path: Path) -> str | None:
    """The SHA-256 of a file, or of the files of a folder and their names; None if there is none."""
    if path.is_dir():
        parts = [(file.name, digest(file)) for file in sorted(path.iterdir())]
        return hashlib.sha256(repr(parts).encode()).hexdigest()
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
