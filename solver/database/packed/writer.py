"""Writes the SQLite file of the packed layout: blocks in order, counts, and the table `about`.

The same rows make the same bytes, however many transactions wrote them. `write_packed` uses no journal and
syncs nothing: an unfinished file is deleted, as by `solver.system.files.atomic_target`, or refused when it is
opened, as it has no digest. `move_packed` can resume an unfinished file; what it has written may be deleted.
`block.blocks_of` makes the blocks of one stage, `counts.counts_of` its rows of counts.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.database.connections import unwritten
from solver.database.header import APPLICATION_ID, MAX_ROW_BYTES, crc32_of, line_of
from solver.database.metadata import checksum_of
from solver.database.packed.block import Block, check_head
from solver.database.packed.counts import COUNTS, CountRow, in_order
from solver.database.packed.keys.dictionary import checksum_of as dictionary_checksum, rows_of
from solver.database.schema import PACKED_FORMAT, PACKED_FORMAT_OF_PLANES, foreign_object, packed_sql
from solver.errors import BrokenRules, DamagedWork
from solver.packed import PackedGame
from solver.rules.arrays import Keys, array_type, broadcast
from solver.rules.failures import rules_asked
from solver.system.executors import OnProgress, ignore
from solver.system.progress import Progress, no_progress, reported

PAGES = (1 << 18, 4096), (1 << 24, 16384), (1 << 63, 65536)
"""(states, bytes of a page for fewer states): few blocks span two large pages, but some are nearly empty."""

CACHE_KIB = 64 << 10
"""KiB of pages that SQLite caches."""

COMMITS, AT_COMMITS = 3, (24, 92)
"""The number of transactions that every file states, and the offsets of that number in its header.

Source: sections 1.3.7 and 1.3.16 of www.sqlite.org/fileformat2.html.
"""


def write_packed(
    path: Path,
    blocks: Iterable[Block],
    counts: Iterable[CountRow],
    about: Mapping[str, object],
    dictionary: bytes = b"",
    states: int = 0,
) -> None:
    """Write a new file at `path`, of `blocks` in the order of stage, is_terminal and first.

    The blocks were encoded with the `dictionary`; the number of `states` determines the page size. `counts`
    and `about` are read after the last block, so they may be filled meanwhile. Checksums and the digest are
    added to `about`, the rows of `Metadata` and `LabelCode`. Raises `UnwritableFile`, `BrokenRules` (texts
    are too long), and ValueError for blocks out of order.
    """
    with _opened(path, states, "pragma journal_mode = off; pragma synchronous = off;") as connection:
        _insert(connection, [blocks], counts, about, dictionary)


def move_packed(
    path: Path,
    parts: Iterable[Iterable[Block]],
    counts: Iterable[CountRow],
    about: Mapping[str, object],
    dictionary: bytes,
    states: int,
    on_progress: OnProgress = ignore,
) -> None:
    """Write a file at `path` as `write_packed` does, or resume one; blocks can be deleted meanwhile.

    When the next of the `parts` is requested, the earlier ones are in the file and on disk. Parts that the
    file has already may be missing. `on_progress` is called with the number of states of each block, those
    from before included. Raises what `write_packed` raises, and `DamagedWork`.
    """
    try:
        with _opened(path, states, "pragma journal_mode = delete; pragma synchronous = full;") as connection:
            _refuse_changed(connection)
            if not connection.execute("select 1 from about").fetchone():
                _insert(connection, parts, counts, about, dictionary, on_progress, states)
    except (sqlite3.DatabaseError, ValueError) as error:
        raise DamagedWork(f"{path} is damaged ({error}): remove the folder {path.parent}") from error


def _refuse_changed(connection: sqlite3.Connection) -> None:
    """Raise ValueError if a file has changed, apart from the blocks of an unfinished one."""
    ((said,),) = connection.execute("pragma integrity_check(1)")
    problem = foreign_object(PACKED_FORMAT, connection) or said.splitlines()[-1]
    if problem != "ok":
        raise ValueError(problem)
    stored = connection.execute("select value from about where key = 'sha256'").fetchone()
    if stored not in (None, (digest(connection),)):
        raise ValueError("its SHA-256 is not the one that it states")


@contextmanager
def _opened(path: Path, states: int, safety: str) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a file with the schema; in the end its header is set to `COMMITS`."""
    page_bytes = next(size for most, size in PAGES if states < most)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES[PACKED_FORMAT])
            connection.executescript(
                f"pragma page_size = {page_bytes}; {safety} pragma locking_mode = exclusive; "
                f"pragma cache_size = -{CACHE_KIB};"
            )
            if not connection.execute("select 1 from sqlite_schema").fetchone():
                connection.executescript(
                    f"begin; pragma application_id = {APPLICATION_ID}; "
                    f"pragma user_version = {PACKED_FORMAT}; {packed_sql()} commit;"
                )
            yield connection
    except sqlite3.DataError:
        raise BrokenRules(
            f"the description of the rules in {path} takes more than "
            f"{MAX_ROW_BYTES[PACKED_FORMAT] >> 20} MiB: "
            "shorter parameters, or a shorter text for the start, would do"
        ) from None
    except sqlite3.OperationalError as error:
        raise unwritten(path, error) from error
    with path.open("r+b") as file:
        for place in AT_COMMITS:
            file.seek(place)
            file.write(COMMITS.to_bytes(4, "big"))


def digest(
    connection: sqlite3.Connection, *, progress: Progress = no_progress, total: int | None = None
) -> str:
    """The SHA-256, in hex, over all rows of a packed file but its own; `total` is the number of states.

    It covers the blocks by id, each a JSON array of its numbers and the lengths of keys and labels in a line,
    then its keys and labels; the dictionary by id, likewise, which the previous format does not have; the
    counts in their order; and `about` by key, each row a JSON array in a line.
    """
    sha = hashlib.sha256()
    rows = connection.execute("select * from blocks order by id")
    for row in reported(progress, "checking the digest", rows, total, _states_in):
        sha.update(_digested(tuple(row)))
    about = connection.execute("select key, value from about where key != 'sha256' order by key")
    return _finished(sha, about, connection)


def _insert(
    connection: sqlite3.Connection,
    parts: Iterable[Iterable[Block]],
    counts: Iterable[CountRow],
    about: Mapping[str, object],
    dictionary: bytes,
    on_progress: OnProgress = ignore,
    states: int | None = None,
) -> None:
    written = _Written(connection, on_progress)
    for blocks in parts:
        with _transaction(connection):
            connection.executemany("insert into blocks values (?, ?, ?, ?, ?, ?, ?, ?)", written.rows(blocks))
    if states not in (None, written.states):
        raise ValueError(f"its blocks have {written.states} of {states} states")
    with _transaction(connection):
        connection.executemany("insert into dictionary values (?, ?)", rows_of(dictionary))
        connection.executemany("insert into counts values (?, ?, ?, ?, ?, ?)", in_order(counts))
        metadata = {key: str(value) for key, value in about.items()}
        metadata["counts_crc32"] = str(crc32_of(connection.execute(COUNTS)))
        metadata["dictionary_crc32"] = dictionary_checksum(dictionary)
        metadata["crc32"] = checksum_of(metadata)
        rows = sorted(metadata.items())
        rows.append(("sha256", _finished(written.sha, rows, connection)))
        connection.executemany("insert into about values (?, ?)", rows)


class _Written:
    def __init__(self, connection: sqlite3.Connection, on_progress: OnProgress) -> None:
        self.sha, self._number, self._tell = hashlib.sha256(), 0, on_progress
        self.states = 0
        """The number of states in all blocks so far."""
        self._last: tuple[int, ...] = ()
        for row in connection.execute("select * from blocks order by id"):
            check_head(Block(*row[1:]))
            self._add(row)
        self._reached = self._last

    def rows(self, blocks: Iterable[Block]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of further blocks; those that the file had at first are skipped."""
        for block in blocks:
            if self._reached < block[:3]:
                if not self._last < block[:3]:
                    raise ValueError(f"the block {block[:3]} does not come after {self._last}")
                row = self._number + 1, *block
                self._add(row)
                yield row

    def _add(self, row: tuple[Any, ...]) -> None:
        self._number, self._last = row[0], row[1:4]
        self.sha.update(_digested(row))
        states = _states_in(row)
        self.states += states
        self._tell(states)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what the block does; if it fails, closing the connection rolls it back."""
    connection.execute("begin")
    yield
    connection.execute("commit")


def _states_in(row: Sequence[Any]) -> int:
    """The number of states that a row of blocks states; 0 where that is not a number."""
    states = tuple(row)[4]
    return states if isinstance(states, int) else 0


def _digested(row: tuple[Any, ...], blobs: int = 2) -> bytes:
    """The line of a row, with the lengths of its last columns, which are bytes; then these bytes."""
    data = [part if isinstance(part, bytes) else repr(part).encode() for part in row[-blobs:]]
    return line_of([*row[:-blobs], *map(len, data)]) + b"".join(data)


def _finished(sha: Any, about: Iterable[Iterable[object]], connection: sqlite3.Connection) -> str:
    ((layout,),) = connection.execute("pragma user_version").fetchall()
    if layout != PACKED_FORMAT_OF_PLANES:
        for row in connection.execute("select * from dictionary order by id"):
            sha.update(_digested(tuple(row), 1))
    for row in chain(connection.execute(COUNTS), about):
        sha.update(line_of(row))
    return str(sha.hexdigest())


def tiers_of(rules: PackedGame, keys: Keys) -> Keys:
    """The tiers of states; 0 if the rules define none. Raises `BrokenRules`."""
    with rules_asked(rules, "tier"):
        tiers = rules.tier(keys.view(array_type(rules)))
        return broadcast(0 if tiers is None else tiers, keys)


def by_tier(rules: PackedGame, keys: Keys) -> Iterator[NDArray[np.intp]]:
    """The indices of the states of each tier, by key; tiers ascend."""
    tiers = tiers_of(rules, keys)
    order = np.lexsort((keys, tiers))
    cuts = np.flatnonzero(np.diff(tiers[order])) + 1
    return iter(np.split(order, cuts))
