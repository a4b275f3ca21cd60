"""Proves a database, row by row, from the rules; shares no code with the engines that made it.

Why local checks prove it all. Say every row agrees with the rules and with the rows of its children as
`_problems_of_row` asks. Then a value above 0 is true by induction on remoteness: the winner has a move, and
every move of the loser leads, to a row with the same value and less remoteness or to a better value, down to
a terminal state. Likewise below 0. In a row with value 0 neither side has a move to a better value, and each
has one that keeps it, so neither can do better than a draw, be play endless or not. And since rows are
numbered in the order in which play discovers them, each row is reachable from the start.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from sqlite3 import Row
from typing import Any

from solver.database import Database
from solver.errors import SolverError
from solver.plugins import AnyGame

MOST = 10
"""How many problems are enough."""

ROWS = """
    select p.*, m.rowid as move_rowid, m.position_id, m.move, m.child_id,
           m.outcome as move_outcome, m.remoteness as move_remoteness, m.is_best,
           c.position as child, c.value as child_value, c.remoteness as child_remoteness, c.ply as child_ply
    from positions as p
    left join moves as m on m.position_id = p.id
    left join positions as c on c.id = m.child_id
    order by p.id, m.rowid
"""


def verify_database(db: Database) -> list[str]:
    """What is wrong with a solved game, at most ten things, each with its position; nothing if it is proved.

    Open the database with `errors="replace"`, so that a damaged text is a finding and not an exception.
    Raises `DamagedFile` when SQLite cannot read on.
    """
    return list(islice(_problems(db), MOST))


def _problems(db: Database) -> Iterator[str]:
    for row in db.rows("pragma integrity_check"):
        if row[0] != "ok":
            yield f"SQLite finds the file inconsistent: {row[0]}"
    discovery, states, terminal, moves = _Discovery(), 0, 0, 0
    # A wrong label also shows in its parents, which come before it: the last are closest to the cause.
    found: deque[str] = deque(maxlen=MOST - 1)
    lost: str | None = None
    for _, group in groupby(db.stream(ROWS), key=lambda row: row["id"]):
        rows = list(group)
        states += 1
        terminal += rows[0]["is_terminal"] == 1
        moves += len(rows) if rows[0]["move_rowid"] is not None else 0
        problems = _found_in_row(db.game, rows)
        found.extend(f"the position {rows[0]['position']!r}: {problem}" for problem in problems)
        if lost is None and (rows[0]["id"] != states or states > len(discovery.depths)):
            lost = (
                f"the position {rows[0]['position']!r}: no play from the start leads to row {rows[0]['id']}"
            )
        if lost is None:
            discovery.follow(rows)
    yield from () if lost is None else (lost,)
    yield from reversed(found)
    yield from _problems_of_about(db, states, terminal, moves)
    if discovery.layered and db.rows("select 1 from positions where id = 1 and ply is null"):
        yield f"the position {db.start!r}: the ply of the start is 0, as each position has a single ply"


@dataclass
class _Discovery:
    """What play from the start has led to so far, in the order of the rows."""

    depths: list[int] = field(default_factory=lambda: [0])
    """The fewest plies to each row, the first row first."""
    layered: bool = True
    """Whether every way to a row was equally long."""

    def follow(self, rows: list[Row]) -> None:
        """Go on to the children of a position, one joined row for each of its moves."""
        below = self.depths[rows[0]["id"] - 1] + 1
        for child in (row["child_id"] for row in rows):
            if child == len(self.depths) + 1:
                self.depths.append(below)
            if isinstance(child, int) and 0 < child <= len(self.depths):
                self.layered &= self.depths[child - 1] == below


def _problems_of_about(db: Database, states: int, terminal: int, moves: int) -> Iterator[str]:
    """Where the facts about the whole file do not hold."""
    counts = {"states": states, "terminal": terminal, "moves": moves}
    for key, count in counts.items():
        if db.about.get(key) != str(count):
            yield f"about says {key} = {db.about.get(key)}, but there are {count}"
    first = db.rows("select position, ply from positions where id = 1")
    if not first or first[0]["position"] != db.start:
        yield f"about says start = {db.start!r}, but that is not the first row"
    elif first[0]["ply"] not in (0, None):
        yield f"the position {db.start!r}: the ply of the start is 0, not {first[0]['ply']}"
    stray = db.rows("select count(*) from moves where position_id not in (select id from positions)")[0][0]
    if stray:
        yield f"{stray} moves belong to no position"
    if db.about["sha256"] != db.digest():
        yield "the SHA-256 over all rows is not the one that was stored when they were written"


def _found_in_row(game: AnyGame, rows: list[Row]) -> list[str]:
    """The problems of a position, also where a column of the wrong type, or the rules, raise an exception."""
    try:
        return list(_problems_of_row(game, rows))
    except Exception as error:
        return [f"it cannot be checked: {type(error).__name__}: {error}"]


def _problems_of_row(game: AnyGame, rows: list[Row]) -> Iterator[str]:
    """Where a position, one joined row for each of its moves, does not follow from rules and children."""
    row = rows[0]
    try:
        state = game.parse(row["position"])
    except SolverError:
        yield "it is not a position of this game"
        return
    if not all(isinstance(row[column], int) for column in ("value", "is_terminal")):
        yield "its value or is_terminal is not an integer"
        return
    mover, actions = game.to_move(state), game.actions(state)
    children = rows if row["move_rowid"] is not None else []
    if game.position(state) != row["position"]:
        yield f"it should be written {game.position(state)!r}"
    yield from _differs(row, "to_move", game.players[mover])
    yield from _differs(row, "is_terminal", int(not actions))
    stored = [(child["move"], child["child"]) for child in children]
    derived = [(game.action_name(act), game.position(game.result(state, act))) for act in actions]
    if stored != derived:
        yield f"its moves should be {derived}, not {stored}"
    elif actions:
        yield from _problems_of_labels(row, children, mover)
    else:
        for column, value in (("value", game.utility(state)), ("remoteness", 0), ("best_move", None)):
            yield from _differs(row, column, value)
    yield from _differs(row, "outcome", _outcome(row["value"], mover))


def _problems_of_labels(row: Row, children: list[Row], mover: int) -> Iterator[str]:
    """Where the labels of an undecided position and its moves do not follow from its children."""
    if not all(isinstance(child["child_value"], int) for child in children):
        yield "the value of a child is not an integer"
        return
    first = mover == 0
    value = (max if first else min)(child["child_value"] for child in children)
    yield from _differs(row, "value", value)
    same = [child["child_remoteness"] for child in children if child["child_value"] == value]
    if value and not all(isinstance(remoteness, int) for remoteness in same):
        yield "a child that is won or lost has no remoteness"
        return
    hurries = (value > 0) == first
    remoteness = 1 + (min if hurries else max)(same) if value else None
    yield from _differs(row, "remoteness", remoteness)
    best = []
    for child in children:
        yield from _problems_of_move(row, child, mover)
        keeps = child["child_value"] == value
        if keeps and (remoteness is None or child["child_remoteness"] == remoteness - 1):
            best.append(child["move"])
        if child["is_best"] != (child["move"] in best):
            yield f"is_best of the move {child['move']} should be {int(child['move'] in best)}"
    yield from _differs(row, "best_move", best[0] if best else None)


def _problems_of_move(row: Row, child: Row, mover: int) -> Iterator[str]:
    """Where what a move gets its player, or the ply after it, does not follow from the child."""
    drawn = child["child_value"] == 0 or not isinstance(child["child_remoteness"], int)
    expected = {
        "move_outcome": _outcome(child["child_value"], mover),
        "move_remoteness": None if drawn else child["child_remoteness"] + 1,
        "child_ply": None if row["ply"] is None else row["ply"] + 1,
    }
    for column, value in expected.items():
        if child[column] != value:
            name = column.replace("_", " ")
            yield f"{name} of the move {child['move']} should be {value!r}, not {child[column]!r}"


def _differs(row: Row, column: str, expected: Any) -> Iterator[str]:
    if row[column] != expected:
        yield f"{column} should be {expected!r}, not {row[column]!r}"


def _outcome(value: int, player: int) -> str:
    if value == 0:
        return "draw"
    return "win" if (value > 0) == (player == 0) else "loss"
