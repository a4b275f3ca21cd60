"""Proves a readable file from the rules, row by row; shares no code with the engines that made it.

Why local checks prove the whole file. Let every row agree with the rules and with the rows of its children as
`solver.proof.readable_row` demands, and let e be the value of endless play: 0, or 1 or -1 if it is a win for
a player.

- In every row, no move leads to a better value for the player to move, and some move keeps the value. So a
  player who keeps the value gets at least the value at every end of the game, and e in endless play.
- That proves a value of e for both players, and a value above e for the second player, for whom endless play
  would be even better. For a value above e the first player must be able to end the game, which follows from
  the remoteness by induction: some move of the first player, and every move of the second, leads to a row of
  the same value with a smaller remoteness, or to a row of a better value, of which there are finitely many. A
  value below e is proved likewise, with the players exchanged.
- In a row with the value e, if e is not 0, the player who wins endless play hurries to end the game. A
  remoteness that is not null is right by the same induction. If it is null, every move of that player that
  keeps the value, and some move of the other, leads to a row whose remoteness is null, too: the other can
  play on for ever.

Every row is reachable: the first rows are the initial states of the rules, or one start of the file's own,
and all rows are numbered in the order in which breadth-first search discovers them. In a folded file a row
stands for a class of symmetric states, which `solver.proof.readable_row` proves.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, groupby, islice, repeat
from operator import itemgetter, length_hint
from typing import TYPE_CHECKING, Any

from solver.database.entry import PositionRow
from solver.database.header import ROWS_PER_READ
from solver.database.interface import Database
from solver.database.metadata import REQUIRED_KEYS
from solver.errors import SolverError, message_of
from solver.game import ENDLESS, AnyGame
from solver.packed import PackedGame
from solver.proof import MAX_PROBLEMS
from solver.proof.answers import has_own_list
from solver.proof.metadata import problems_of_metadata, wrong_rows
from solver.proof.readable_row import RowChecker, StoredMoves
from solver.rules.asking import MAX_ACTIONS, representative
from solver.rules.notation import read_position, write_position
from solver.system.progress import Progress, no_progress, waiting

if TYPE_CHECKING:
    from solver.proof.action_lists import ActionLists

MAX_CHARACTERS = 1 << 28
"""The most characters of the moves of a position and of its children."""

MAX_TRIES = 1 << 18
"""About the most actions that are tried to compare lists of actions by packed rules with legal actions."""

CACHED_CHARACTERS = 1 << 20
"""About the characters of the texts whose states are cached: a position is the child of several rows."""

ALL_ALONE = 1 << 17
"""The largest file, in positions times actions, of which the rules are asked about each state alone."""

POSITIONS_AHEAD = 1 << 10
"""Positions whose actions packed rules are asked for at once."""

TEXTS = (
    "select position from positions where id >= ? and length(cast(position as blob)) < 1000 "
    "order by id limit ?"
)
"""The query for the texts of some positions from an id on; no packed state has a longer text."""

POSITIONS = f"select {', '.join(PositionRow._fields)} from positions order by id"

MOVES = """
    select p.id, m.position_id, m.move, m.child_id, m.outcome, m.remoteness, m.is_best,
           c.position, c.value, c.remoteness, c.ply
    from positions as p
    left join moves as m on m.position_id = p.id
    left join positions as c on c.id = m.child_id
    order by p.id, m.rowid
"""
"""The position, twice: None the second time if it has no move; and the columns of `StoredMoves`."""


def verify_readable(db: Database, *, progress: Progress = no_progress) -> list[str]:
    """The problems of a readable file, at most ten; raises `DamagedFile` if it cannot be read."""
    return list(islice(_problems(db, progress), MAX_PROBLEMS))


def _problems(db: Database, progress: Progress) -> Iterator[str]:
    with waiting(progress, "checking the file"):
        integrity = db.tuples("pragma integrity_check")
    yield from (f"SQLite finds the file inconsistent: {line}" for (line,) in integrity if line != "ok")
    total = db.tuples("select count(id) from positions")[0][0]
    starts = min(_number(db.about["starts"]), total)
    discovery, states, terminal, moves, last = _Discovery([0] * starts), 0, 0, 0, -(2**63)
    # A wrong label causes problems in its parents, which come before it: the last ones are nearest the cause.
    last_problems: deque[str] = deque(maxlen=MAX_PROBLEMS - 1)
    misplaced: str | None = None
    tries = total * db.game.action_count if isinstance(db.game, PackedGame) and has_own_list(db.game) else 0
    apart, checker = (tries > 0) + tries // MAX_TRIES, _checker(db, total)
    for states, (row, own_moves) in enumerate(_rows(db), start=1):
        if checker.lists is not None and states % POSITIONS_AHEAD == 1:
            checker.read_ahead(text for (text,) in db.tuples(TEXTS, row.id, POSITIONS_AHEAD))
        if row.id <= last:
            raise db.damage(f"row {row.id} follows row {last}")
        last = row.id
        terminal += row.is_terminal == 1
        moves += len(own_moves.move)
        problems = checker.problems(row, own_moves, listed=apart > 0 and states % apart == 0)
        last_problems.extend(f"the position {row.position!r}: {problem}" for problem in problems)
        if misplaced is None and (problem := discovery.problem_of(row, own_moves, states)):
            misplaced = f"the position {row.position!r}: {problem}"
        progress("verify", states, total)
    yield from () if misplaced is None else (misplaced,)
    yield from reversed(last_problems)
    yield from _problems_of_about(db, {"states": states, "terminal": terminal, "moves": moves}, progress)
    yield from _problems_of_starts(db, starts, layered=discovery.layered)


def _checker(db: Database, positions: int) -> RowChecker:
    """The checker of the rows of a file, whose caches hold about `CACHED_CHARACTERS`."""
    characters = db.tuples("select total(length(cast(position as blob))) from positions")[0][0]
    cached = int(CACHED_CHARACTERS * positions / max(1, characters))
    return RowChecker(
        db.game,
        ENDLESS.get(db.about["endless"], 0),
        db.about["folded"] == "true",
        lru_cache(cached)(partial(read_position, db.game)),
        _action_lists(db.game, positions),
    )


def _action_lists(game: AnyGame, positions: int) -> "ActionLists | None":
    """The lists of packed actions that follow from `legal`; None for others, and for a small file."""
    if not isinstance(game, PackedGame) or has_own_list(game) or positions * game.action_count <= ALL_ALONE:
        return None
    from solver.proof.action_lists import ActionLists  # imports NumPy

    return ActionLists(game)


@dataclass
class _Discovery:
    """A breadth-first search from the starts through the rows read so far."""

    depths: list[int]
    """The fewest plies to each discovered row, in the order of rows."""
    layered: bool = True
    """Whether all paths to each row are equally long."""

    def problem_of(self, row: PositionRow, moves: StoredMoves, number: int) -> str | None:
        """The contradiction to the order of discovery, if any; discovers the children of row `number`."""
        if row.id != number or number > len(self.depths):
            return f"no play from the start leads to row {row.id}"
        below = self.depths[row.id - 1] + 1
        for child in moves.child_id:
            if not isinstance(child, int) or child < 1:
                continue  # not a row: reported with its parent
            if child > len(self.depths) + 1:
                return f"breadth first its child is not row {child}, but one before"
            if child == len(self.depths) + 1:
                self.depths.append(below)
            self.layered &= self.depths[child - 1] == below
        return None


def _rows(db: Database) -> Iterator[tuple[PositionRow, StoredMoves]]:
    """Yield the positions and their moves; raises `DamagedFile` if these are too many or too long."""
    groups = chain(groupby(db.stream(MOVES), itemgetter(0)), repeat((None, iter(()))))
    for row, (number, group) in zip(map(PositionRow._make, db.stream(POSITIONS)), groups, strict=False):
        rows, room = list[Sequence[Any]](), MAX_CHARACTERS
        while number == row.id and (part := [*islice(group, ROWS_PER_READ)]):
            rows += part
            room -= sum(map(length_hint, chain.from_iterable(part)))  # 0 for a number
            if room < 0 or len(rows) > MAX_ACTIONS:
                most = f"{MAX_ACTIONS:,} or take more than {MAX_CHARACTERS >> 20} MiB"
                raise db.damage(f"the moves of row {row.id} are more than {most}")
        is_over = not rows or rows[0][1] is None
        yield row, StoredMoves() if is_over else StoredMoves._make([*zip(*rows, strict=True)][2:])


def _problems_of_about(db: Database, counts: dict[str, object], progress: Progress) -> Iterator[str]:
    yield from problems_of_metadata(db, frozenset((*REQUIRED_KEYS, "crc32")))
    least, greatest = db.tuples("select min(value), max(value) from positions")[0]
    counts["values"] = f"[{least}, {greatest}]"
    if db.about["folded"] not in ("true", "false"):
        yield f"about says folded = {db.about['folded']!r}, but it should be true or false"
    yield from wrong_rows(db, {key: str(count) for key, count in counts.items()})
    stray = db.tuples("select count(*) from moves where position_id not in (select id from positions)")[0][0]
    if stray:
        yield f"{stray} {'move belongs' if stray == 1 else 'moves belong'} to no position"
    if db.about["sha256"] != db.digest(progress=progress):
        yield "the SHA-256 over all rows is not the one that was stored when they were written"


def _problems_of_starts(db: Database, starts: int, *, layered: bool) -> Iterator[str]:
    if db.about["starts"] != str(starts) or not starts:
        yield f"about says starts = {db.about['starts']}, but there are fewer positions"
    if db.tuples("select position from positions where id = 1") != [(_first(db),)]:
        yield f"about says start = {db.start!r}, but that is not the first row"
    else:
        try:
            yield from () if db.has_own_start else _not_initial(db, starts)
        except SolverError as error:
            yield message_of(error)
    right = 0 if layered else None
    query = "select position, ply from positions where id <= ? and ply is not ? limit 1"
    for position, ply in db.tuples(query, starts, right):
        yield f"the position {position!r}: the ply of a start should be {right}, not {ply}"


def _not_initial(db: Database, starts: int) -> Iterator[str]:
    row, first = 0, next(iter(db.game.initial_states()))
    if read_position(db.game, db.start) != first:
        yield f"about says start = {db.start!r}, but the rules {write_position(db.game, first)!r}"
    for text in _positions_of_starts(db):
        ids = db.tuples("select id from positions where position = ?", text)
        if not ids or ids[0][0] > min(row + 1, starts):
            yield f"the initial state {text!r} is not row {row + 1}"
            return
        row = max(row, ids[0][0])
    if row != starts:
        yield f"about says starts = {starts}, but the rules have {row} initial states"


def _positions_of_starts(db: Database) -> Iterator[str | None]:
    """Yield the positions that stand for the initial states of the rules; None if the rules raise."""
    try:
        for state in db.game.initial_states():
            yield _stored(db, state)
    except (Exception, SystemExit):
        yield None


def _first(db: Database) -> str | None:
    """The position that stands for the start; None if it is not a position of this game."""
    if db.about["folded"] != "true":
        return db.start
    try:
        return _stored(db, read_position(db.game, db.start))
    except SolverError:
        return None


def _stored(db: Database, state: Any) -> str:
    return write_position(db.game, representative(db.game, state) if db.about["folded"] == "true" else state)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else 0
