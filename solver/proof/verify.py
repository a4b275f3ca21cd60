"""Proves a database, row by row, from the rules; shares no code with the engines that made it.

Why local checks prove it all. Say every row agrees with the rules and with the rows of its children as
`solver.proof.readable.row` asks, and let e be what endless play is worth: 0, or 1 or -1 where a player gets
it.

- In every row nobody has a move to a better value and the player to move has one that keeps it. So a player
  who keeps the value gets no less at any end of the game, and no less than e where play never ends.
- That proves a value of e for both players, and a value above e for the second player: endless play would be
  better still. The first player must bring the game to an end, which its remoteness proves by induction: the
  first player has a move, and every move of the second leads, to a row of the same value with less
  remoteness, or to one of a better value, of which there are only so many. Likewise below e, with the players
  exchanged.
- In a row with value e that is not 0, who gets endless play hurries. A remoteness that is there is right by
  the same induction. Where it is null, every move of that player that keeps the value, and some move of the
  other, leads to a row whose remoteness is null as well: the other can play on for ever.

And each row is reachable: the first are the initial states of the rules, or one start of the file's own, and
all rows are numbered in the order in which play discovers them. In a folded file each row stands for a class
of symmetric states; `solver.proof.readable.symmetry` says why that is proved as well.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from sqlite3 import Row
from typing import Any

from solver.database.header import LABELS
from solver.database.interface import Database
from solver.database.metadata import REQUIRED_KEYS
from solver.database.readable.reader import ReadableDatabase
from solver.database.schema import FORMAT
from solver.errors import SolverError
from solver.game import ENDLESS
from solver.proof.metadata import problems_of_facts
from solver.proof.readable.row import problems_of_row
from solver.rules.asking import representative
from solver.rules.notation import read_position, write_position
from solver.system.progress import Progress, no_progress, waiting

MOST = 10
"""How many problems are enough."""

MOST_TEXT = 1 << 28
"""Characters of a position and all of its moves, of which there may be a hundred thousand."""

ROWS = f"""
    select {", ".join(f"p.{column} as {column}" for column in ("id", *LABELS))},
           m.rowid as move_rowid, m.position_id as position_id, m.move as move, m.child_id as child_id,
           m.outcome as move_outcome, m.remoteness as move_remoteness, m.is_best as is_best,
           c.position as child, c.value as child_value, c.remoteness as child_remoteness, c.ply as child_ply
    from positions as p
    left join moves as m on m.position_id = p.id
    left join positions as c on c.id = m.child_id
    order by p.id, m.rowid
"""


def verify_database(db: Database, *, progress: Progress = no_progress) -> list[str]:
    """What is wrong with a solved game, at most ten things, each with its position; nothing if it is proved.

    Open the database with `errors="replace"`, so that a damaged text is a finding and not an exception.
    Raises `DamagedFile` when SQLite cannot read on. `solver.proof.packed` does it for the packed layout.
    """
    if isinstance(db, ReadableDatabase):
        return list(islice(_problems(db, progress), MOST))
    from solver.proof.packed import verify_packed  # with NumPy, for which others would wait

    return verify_packed(db, progress=progress)


def _problems(db: Database, progress: Progress) -> Iterator[str]:
    with waiting(progress, "checking the file"):
        integrity = db.rows("pragma integrity_check")
    for row in integrity:
        if row[0] != "ok":
            yield f"SQLite finds the file inconsistent: {row[0]}"
    level = ENDLESS.get(db.about["endless"], 0)
    folded = db.about["folded"] == "true"
    total = db.rows("select count(id) from positions")[0][0]
    starts = min(_number(db.about["starts"]), total)
    discovery, states, terminal, moves, last = _Discovery([0] * starts), 0, 0, 0, -(2**63)
    # A wrong label also shows in its parents, which come before it: the last are closest to the cause.
    found: deque[str] = deque(maxlen=MOST - 1)
    lost: str | None = None
    for _, group in groupby(db.stream(ROWS), key=lambda row: row["id"]):
        rows = _of_one_position(db, group)
        if rows[0]["id"] <= last:
            raise db.damage(f"row {rows[0]['id']} is not behind row {last}")
        last = rows[0]["id"]
        states += 1
        terminal += rows[0]["is_terminal"] == 1
        moves += len(rows) if rows[0]["move_rowid"] is not None else 0
        problems = problems_of_row(db.game, rows, level, folded=folded)
        found.extend(f"the position {rows[0]['position']!r}: {problem}" for problem in problems)
        if lost is None and (rows[0]["id"] != states or states > len(discovery.depths)):
            lost = (
                f"the position {rows[0]['position']!r}: no play from the start leads to row {rows[0]['id']}"
            )
        if lost is None and (early := discovery.follow(rows)):
            position = rows[0]["position"]
            lost = f"the position {position!r}: breadth first its child is not row {early}, but one before"
        progress("verify", states, total)
    yield from () if lost is None else (lost,)
    yield from reversed(found)
    yield from _problems_of_about(db, {"states": states, "terminal": terminal, "moves": moves}, progress)
    yield from _problems_of_starts(db, starts, layered=discovery.layered)


@dataclass
class _Discovery:
    """What play from the starts has led to so far, in the order of the rows."""

    depths: list[int]
    """The fewest plies to each row, the first row first."""
    layered: bool = True
    """Whether every way to a row was equally long."""

    def follow(self, rows: list[Row]) -> int | None:
        """Go on to the children of a position, one joined row for each of its moves.

        The first that is not numbered breadth first: neither known yet, nor the next.
        """
        below = self.depths[rows[0]["id"] - 1] + 1
        for child in (row["child_id"] for row in rows):
            if not isinstance(child, int) or child < 1:
                continue  # which is no row, as its parent's problems say
            if child > len(self.depths) + 1:
                return child
            if child == len(self.depths) + 1:
                self.depths.append(below)
            self.layered &= self.depths[child - 1] == below
        return None


def _of_one_position(db: Database, group: Iterator[Row]) -> list[Row]:
    """The rows of a group; raises `DamagedFile` where their texts take more memory than those of any game."""
    rows, room = [], MOST_TEXT
    for row in group:
        room -= sum(len(value) for value in row if isinstance(value, str | bytes))
        if room < 0:
            raise db.damage(f"the moves of row {row['id']} take more than {MOST_TEXT >> 20} MiB")
        rows.append(row)
    return rows


def _problems_of_about(db: Database, counts: dict[str, object], progress: Progress) -> Iterator[str]:
    """Where the facts about the whole file do not hold."""
    yield from problems_of_facts(db, FORMAT, frozenset((*REQUIRED_KEYS, "crc32")))
    least, greatest = db.rows("select min(value), max(value) from positions")[0]
    counts["values"] = f"[{least}, {greatest}]"
    if db.about["folded"] not in ("true", "false"):
        yield f"about says folded = {db.about['folded']!r}, but it should be true or false"
    for key, count in counts.items():
        if db.about.get(key) != str(count):
            yield f"about says {key} = {db.about.get(key)}, but it should be {count}"
    stray = db.rows("select count(*) from moves where position_id not in (select id from positions)")[0][0]
    if stray:
        yield f"{stray} moves belong to no position"
    if db.about["sha256"] != db.digest(progress=progress):
        yield "the SHA-256 over all rows is not the one that was stored when they were written"


def _problems_of_starts(db: Database, starts: int, *, layered: bool) -> Iterator[str]:
    """Where the first rows, `starts` of them, are not those in which play may begin."""
    if db.about["starts"] != str(starts) or not starts:
        yield f"about says starts = {db.about['starts']}, but so many positions are not there"
    first = db.rows("select position from positions where id = 1")
    if not first or first[0]["position"] != _first(db):
        yield f"about says start = {db.start!r}, but that is not the first row"
    elif starts > 1:
        yield from _not_initial(db, starts)
    wrong = "ply is not 0" if layered else "ply != 0"
    for row in db.rows(f"select position, ply from positions where id <= ? and {wrong} limit 1", starts):
        yield f"the position {row['position']!r}: the ply of a start is 0, not {row['ply']}"


def _not_initial(db: Database, starts: int) -> Iterator[str]:
    """Where the first rows are not the initial states of the rules, which are looked up one at a time."""
    row = 0
    for text in _initial_positions(db):
        found = db.rows("select id from positions where position = ?", text)
        if not found or found[0]["id"] > min(row + 1, starts):
            yield f"the initial state {text!r} is not row {row + 1}"
            return
        row = max(row, found[0]["id"])
    if row != starts:
        yield f"about says starts = {starts}, but the rules have {row} initial states"


def _initial_positions(db: Database) -> Iterator[str | None]:
    """The positions that stand for the initial states of the rules, None where the rules fail to give one."""
    try:
        for state in db.game.initial_states():
            yield _stored(db, state)
    except (Exception, SystemExit):
        yield None


def _first(db: Database) -> str | None:
    """The position that stands for the start, None where it is not one of this game."""
    if db.about["folded"] != "true":
        return db.start
    try:
        return _stored(db, read_position(db.game, db.start))
    except SolverError:
        return None


def _stored(db: Database, state: Any) -> str:
    """The position that stands for a state in the file."""
    return write_position(db.game, representative(db.game, state) if db.about["folded"] == "true" else state)


def _number(text: str) -> int:
    """A number that about says, 0 where it says none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else 0
