"""Proves a database of either layout from the rules."""

from solver.database.interface import Database
from solver.errors import UsageError
from solver.proof.readable import verify_readable
from solver.system.progress import Progress, no_progress


def verify_database(
    db: Database, *, progress: Progress = no_progress, cluster: str | None = None
) -> list[str]:
    """What is wrong with a solved game: at most ten problems, each with its position; none if proved.

    Open the database with `errors="replace"`, so that a damaged text is a finding and not an exception.
    A `cluster` proves a packed file: the address of a dask scheduler whose workers see it, or `local:N`.
    Raises `DamagedFile` when SQLite cannot read on, `ClusterLost`, and `UsageError` for a cluster and a
    readable file.
    """
    if db.packed is None:
        if cluster is not None:
            raise UsageError(
                f"a cluster proves packed files only, {db.path} is readable: leave --cluster out"
            )
        return verify_readable(db, progress=progress)
    from solver.proof.packed import verify_packed  # imports NumPy, which a readable file does not need

    return verify_packed(db, progress=progress, cluster=cluster)
