"""Proves a database of either layout from the rules."""

from solver.database.interface import Database
from solver.database.readable.reader import ReadableDatabase
from solver.proof.readable import verify_readable
from solver.system.progress import Progress, no_progress


def verify_database(db: Database, *, progress: Progress = no_progress) -> list[str]:
    """Return what is wrong with a solved game: at most ten problems, each with its position; none if proved.

    Open the database with `errors="replace"`, so that a damaged text is a finding and not an exception.
    Raises `DamagedFile` when SQLite cannot read on.
    """
    if isinstance(db, ReadableDatabase):
        return verify_readable(db, progress=progress)
    from solver.proof.packed import verify_packed  # imports NumPy, which a readable file does not need

    return verify_packed(db, progress=progress)
