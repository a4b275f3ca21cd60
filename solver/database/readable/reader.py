"""A solved game in the readable layout.

positions --< moves >-- positions        a row per state, a row per move: see schema.sql
about                                    the game, how it was solved, counts, SHA-256

What is read is checked: each value by `rows.py`, each entry against the rules and the rows of its children,
and all rows by their digest if more rows are read than those of an entry.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from solver.database.entry import BatchResult, Entry, KindCount, PositionRow, of_member
from solver.database.header import digest
from solver.database.interface import Database
from solver.database.readable.rows import (
    MOVES,
    VALUES_BELOW,
    are_labels,
    checked_entry,
    move_row,
    position_row,
)
from solver.errors import ClosedDatabase, UnknownPosition, UnusableFile
from solver.rules.asking import actions_of
from solver.rules.failures import FOREIGN_STATE_ERRORS, rules_asked
from solver.rules.notation import write_position
from solver.system.progress import Progress, no_progress

if TYPE_CHECKING:
    from collections.abc import Sequence
    from functools import _lru_cache_wrapper

    from solver.database.columns import Batch, Selection, WholeGame
    from solver.rules.arrays import Flags, Keys


ENTRIES_HELD = 1 << 13
"""Entries in the cache, the most recently used ones: plans and people ask again.

They are more than the 5,478 of tic-tac-toe, so that a second pass over all of these reads nothing.
"""


ROWS = f"select {', '.join(PositionRow._fields)} from positions {{}}"
ROW = ROWS.format("where position = ? limit 1")
"""The queries for rows of `positions`, and for one row, as `PositionRow`."""


class ReadableDatabase(Database):
    """A solved game, a row for each position; positions are in breadth-first order from the starts."""

    layout, foldings = "readable", ("false", "true")

    def entry_of(self, state: Any) -> Entry:
        """The entry of a state of the rules."""
        stored = self._stored_for_asked(state)
        with rules_asked(self.game, "parse"):  # may return an unhashable state
            hash(stored)
        entry = self._stored(stored)
        if entry is None:
            raise self.unknown(write_position(self.game, state))
        return of_member(self.game, entry, state) if self.folded else entry

    def stored_text(self, state: Any) -> str:
        """The position that stands for a state in the file; raises `UnknownPosition`."""
        return write_position(self.game, self._stored_for_asked(state))

    def _stored_for_asked(self, state: Any) -> Any:
        """The stored state for one that may be of another game; raises `UnknownPosition`."""
        try:
            return self.stored_for(state)
        except FOREIGN_STATE_ERRORS:
            text = write_position(self.game, state)
            if self.tuples("select id from positions where position = ?", text):
                raise
            raise self.unknown(text) from None

    def close(self) -> None:
        """Close the file and clear the cache."""
        super().close()
        self._stored.cache_clear()

    def __len__(self) -> int:
        """The number of positions."""
        return self._counted("states", "select count(id) from positions")

    def __iter__(self) -> Iterator[str]:
        """Yield the positions, breadth first from the starts."""
        return (row.position for row in self._all())

    def entries(self) -> Iterator[Entry]:
        """Yield every entry, breadth first from the starts."""
        for row in self._all():
            state = self.state_of(row.position)
            entry = self._entry(row, state)
            yield of_member(self.game, entry, state) if self.folded else entry

    def digest(self, *, progress: Progress = no_progress) -> str:
        """The SHA-256 over all rows as they are now; `about["sha256"]` has it as they were written."""
        with self._reading() as connection:
            return digest(connection, progress=progress)

    def columns(self, names: "Sequence[str]", selection: "Selection | None" = None) -> "Iterator[Batch]":
        """Yield the columns of these names of selected positions, in order, part by part; None for all."""
        from solver.database.readable.arrays import columns_of  # imports NumPy

        return columns_of(self, names, selection)

    def whole(self, *, progress: Progress = no_progress) -> "WholeGame":
        """All positions and moves, in memory; raises `DamagedFile` if they are inconsistent."""
        from solver.database.readable.arrays import whole_game  # imports NumPy

        return whole_game(self, progress)

    def key_of(self, state: Any) -> int:
        """The id of the row that stands for a state; raises `UnknownPosition`."""
        text = self.stored_text(state)
        for (number,) in self.tuples("select id from positions where position = ?", text):
            return int(number)
        raise self.unknown(text)

    def state_with(self, key: int) -> Any:
        """The state of the row with this id; raises `UnknownPosition`."""
        for (text,) in self.tuples("select position from positions where id = ?", int(key)):
            return self.state_of(text)
        raise UnknownPosition(f"{self.path} has no row {key}")

    def present(self, positions: "Sequence[str] | Keys") -> "tuple[Flags, Keys, Keys]":
        """Whether each of many positions is in the file, and their labels; see `Database.present`."""
        from solver.database.readable.arrays import labels_present  # imports NumPy

        return labels_present(self, positions)

    @cached_property
    def move_type(self) -> str:
        """The type of the names of moves: `integer` or `text`."""
        ((sql_type,),) = self.tuples(
            "select type from pragma_table_info('positions') where lower(name) = 'best_move'"
        )
        return str(sql_type).lower()

    def counts(self) -> list[KindCount]:
        """The number of positions of each kind."""
        self._refuse_changed()
        columns = "ply, is_terminal, outcome, value, remoteness"
        sql = f"select {columns}, count(id) from positions group by {columns} order by {columns}"
        counts = [KindCount(*row) for row in self.stream(sql)]
        if not all(are_labels(count) and count.is_terminal in (0, 1) for count in counts):
            raise self.damage("a value in it is not one that its column can have")
        counts = [count._replace(is_terminal=bool(count.is_terminal)) for count in counts]
        self._agree("states", sum(count.positions for count in counts))
        self._agree("terminal", sum(count.positions for count in counts if count.is_terminal))
        values = [count.value for count in counts]
        if values and self.value_range != (min(values), max(values)):
            raise self.damage("its values are not those of about")
        return counts

    @property
    def moves(self) -> int:
        """The number of moves in all positions."""
        return self._counted("moves", "select count(move) from moves")

    def lookup(self, positions: "Sequence[str] | Keys", *, best: bool = True) -> BatchResult:
        """The labels of many positions, looked up one by one; see `Database.lookup`."""
        from solver.database.readable.arrays import labels_of  # imports NumPy

        return labels_of(self, positions, best=best)

    def labelled(self, where: str, *values: object) -> Iterator[PositionRow]:
        """The rows of `positions` that an SQL clause selects; raises `DamagedFile` if any row was changed."""
        self._refuse_changed()
        return map(self._row, self.stream(ROWS.format(where), *values))

    def _row(self, values: "Sequence[Any]") -> PositionRow:
        try:
            return position_row(values)
        except ValueError as error:
            raise self.damage(f"row {values[0]!r}: {error}") from error

    def _all(self) -> Iterator[PositionRow]:
        """Yield all rows; raises `DamagedFile` unless their number is the one in `about`."""
        count = last = 0
        for row in self.labelled("order by id"):
            if row.id <= last:
                raise self.damage(f"row {row.id} follows row {last}")
            yield row
            count, last = count + 1, row.id
        self._agree("states", count)

    @cached_property
    def _stored(self) -> "_lru_cache_wrapper[Entry | None]":
        return lru_cache(ENTRIES_HELD)(self._read)

    def _read(self, state: Any) -> Entry | None:
        text = write_position(self.game, state)
        for row in map(self._row, self.tuples(ROW, text)):
            if row.position != text:
                raise self.damage(f"row {row.id}")
            return self._entry(row, state)
        self.check_index()
        return None

    def _entry(self, row: PositionRow, state: Any) -> Entry:
        """The entry of a row of `state`, checked against the rules and the rows of its children."""
        try:
            rows = self.stream(VALUES_BELOW, row.id) if self.scored else ()
            below = {position: (least, greatest) for position, least, greatest in rows}
            actions = actions_of(self.checked_game, state)
            moves = map(move_row, self.tuples(MOVES, row.id, len(actions) + 1))
            return checked_entry(self, state, row, actions, moves, below if self.scored else None)
        except (UnusableFile, ClosedDatabase, MemoryError):
            raise
        except (Exception, SystemExit) as error:  # also of rules, where this is not a state of theirs
            raise self.damage(f"the position {row.position[:80]!r}: {error}") from error

    def check_index(self) -> None:
        """Raise `DamagedFile` unless the index is complete, so that no row is missed."""
        if not self._index_is_whole:
            raise self.damage("its index of positions is not that of its rows")

    @cached_property
    def _index_is_whole(self) -> bool:
        return self.tuples("pragma integrity_check(positions)") == [("ok",)]

    def _refuse_changed(self) -> None:
        if not self._is_as_written:
            raise self.damage("the SHA-256 over all rows is not the one that was stored with them")

    @cached_property
    def _is_as_written(self) -> bool:
        return self.digest() == self.about["sha256"]

    def _counted(self, key: str, sql: str) -> int:
        ((count,),) = self.tuples(sql)
        self._agree(key, count)
        return int(count)

    def _agree(self, key: str, count: int) -> None:
        if self.number(key) != count:
            raise self.damage(f"it has {count:,} {key}, about says {self.number(key):,}")
