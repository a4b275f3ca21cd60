"""Proves a database of either layout from the rules, and writes the fingerprint of changed rules to it."""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from solver.database.header import digest as readable_digest, layout_of
from solver.database.interface import Database
from solver.database.metadata import checksum_of
from solver.database.schema import PACKED_FORMATS
from solver.errors import UnwritableFile, UsageError
from solver.proof.readable_walk import verify_readable
from solver.rules.loading import game_parameters
from solver.rules.named import as_named
from solver.system.progress import Progress, no_progress
from solver.system.words import wanted

WRITE = "insert into about values (?, ?) on conflict (key) do update set value = excluded.value"


def by_changed_rules(db: Database) -> dict[str, str]:
    """Assign the rules as they are now to an open file; return the rows of `about` that change.

    New parameters of the rules have their defaults. `adopt_rules` writes the rows.
    """
    db.game = db.loaded_game(changed=True)
    is_right = db.about.get("crc32") == checksum_of(db.about)
    rows = {**as_named(db.game), "parameters": json.dumps(game_parameters(db.game))}
    db.about |= rows
    if is_right:
        rows["crc32"] = db.about["crc32"] = checksum_of(db.about)
    return rows


def adopt_rules(path: Path, rows: Mapping[str, str], *, progress: Progress = no_progress) -> None:
    """Write rows of `about`, which `by_changed_rules` returns, to the file; raises `UnwritableFile`.

    It is one transaction: if it is interrupted, the next reader sees the file as it was.
    """
    from solver.database.packed.writer import digest as packed_digest  # imports NumPy

    digest = packed_digest if layout_of(path) in PACKED_FORMATS else readable_digest
    try:
        with closing(sqlite3.connect(path.resolve())) as connection, connection:
            connection.executemany(WRITE, rows.items())
            connection.execute(WRITE, ("sha256", digest(connection, progress=progress)))
    except sqlite3.Error as error:
        raise UnwritableFile(f"cannot write {path}: {error}") from error


def verify_database(
    db: Database, *, progress: Progress = no_progress, cluster: str | None = None
) -> list[str]:
    """The problems of a database, at most ten, each with its position; none if the database is proved.

    Open the database with `errors="replace"`, so that damaged text is a problem and not an exception.
    A `cluster` can prove a packed file: the address of a dask scheduler whose workers see it, or `local:N`.
    Raises `DamagedFile` if SQLite cannot read on, `ClusterLost`, and `UsageError` for a cluster and a
    readable file.
    """
    wanted(Database, db, "open_database(FILE)")
    if db.packed is None:
        if cluster is not None:
            raise UsageError(f"a cluster proves packed files only, {db.path} is readable: omit --cluster")
        return verify_readable(db, progress=progress)
    from solver.proof.packed import verify_packed  # imports NumPy, which a readable file does not need

    return verify_packed(db, progress=progress, cluster=cluster)
