import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from solver import open_database, solve, verify_database
from solver.database.wording import describe
from solver.errors import DamagedFile, SolverError
from solver.game import ENDLESS, AnyGame
from tests.support.altered import alter, flipped
from tests.support.commandline import call, run_one_by_one
from tests.support.definitions import defined
from tests.support.drawn import drawn
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, reachable
from tests.support.games.packed import loops as loop_games, tables
from tests.support.packed_rows import complaints, problems
from tests.support.solved import solved_file, solving


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(solved_file("mnk", start="x...o...."), tmp_path / "copy.db"))


def reseal(path: Path, *statements: str) -> None:
    """Alter a file, and make counts and checksums fit its rows, so that only the rules can tell."""
    count = "update about set value = (select count(*) from {}) where key = '{}'"
    tables = {"positions": "states", "positions where is_terminal": "terminal", "moves": "moves"}
    alter(path, *statements, *(count.format(*item) for item in tables.items()), sealed=True)


@settings(max_examples=80)
@given(
    explicit_games() | explicit_games(starts=5), st.sampled_from([*ENDLESS]), st.none() | st.integers(0, 99)
)
def test_verify_accepts_every_solved_game(game: ExplicitGame, endless: str, start: int | None) -> None:
    """From the starts of the rules, or from any other state."""
    text = None if start is None else str(start % len(game.children))
    played = game if text is None else replace(game, starts=(int(text),))
    starts = list(dict.fromkeys(map(str, played.starts)))
    with solving(game, endless=endless, start=text) as db:
        assert (db.start, db.starts, list(db)[: db.starts]) == (starts[0], len(starts), starts)
        assert set(db) == set(map(str, reachable(played)))
        assert verify_database(db) == []


ENDGAME = ExplicitGame(((3,), (3, 4), (4,), (), ()), (0, 0, 0, 1, 1), (0, 0, 0, 1, -1), (0, 2, 0, 1))
"""Three set-ups, one of them given twice."""


@pytest.mark.parametrize("starts", [(0, 2), (0, 1, 2), (2, 0, 1), (0, 2, 1, 3), (0, 2, 3)])
def test_verify_reports_wrong_initial_states(tmp_path: Path, starts: tuple[int, ...]) -> None:
    path = tmp_path / "game.db"
    solve(replace(ENDGAME, starts=starts), path)
    starts_told = "json_set(value, '$.starts', json('[0,2,0,1]'))"
    reseal(path, f"update about set value = {starts_told} where key = 'parameters'")
    assert any("initial state" in problem for problem in problems(path))


@pytest.mark.parametrize("claimed", ["0", "2", "4", "5", "6", "-3", "three", "9999999999999999999999"])
def test_verify_reports_wrong_number_of_starts(tmp_path: Path, claimed: str) -> None:
    path = tmp_path / "game.db"
    solve(ENDGAME, path)
    assert problems(path) == []
    reseal(path, f"update about set value = '{claimed}' where key = 'starts'")
    assert any("starts" in problem or "initial" in problem for problem in problems(path))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(explicit_games(), explicit_games(), st.sampled_from(list(ENDLESS)))
def test_verify_reports_labels_of_other_utilities(
    tmp_path: Path, game: ExplicitGame, other: ExplicitGame, endless: str
) -> None:
    """The labels of other utilities on the same graph, sealed as if they were right."""
    size, path = len(game.children), tmp_path / "game.db"
    utilities = tuple(other.utilities[state % len(other.utilities)] for state in range(size))
    changed = replace(game, utilities=utilities)
    solve(changed, path, endless=endless, force=True)
    stated = f"json_set(value, '$.utilities', json('{list(game.utilities)}'))"
    reseal(path, f"update about set value = {stated} where key = 'parameters'")
    right, wrong = defined(game, endless), defined(changed, endless)
    assert (problems(path) == []) == all(right[state][:2] == wrong[state][:2] for state in reachable(game))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(explicit_games(), st.sampled_from(list(ENDLESS)), st.sampled_from(list(ENDLESS)))
def test_wrong_endless_value_is_reported(
    tmp_path: Path, game: ExplicitGame, endless: str, other: str
) -> None:
    path = tmp_path / "game.db"
    solve(game, path, endless=endless, force=True)
    reseal(path, f"update about set value = '{other}' where key = 'endless'")
    before, after = ([defined(game, item)[state] for state in reachable(game)] for item in (endless, other))
    same = before == after
    # A draw has a remoteness exactly where it must be reached because endless play is none.
    unlike = any(value == 0 for value, *_ in before) and "draw" in (endless, other)
    if same and not unlike:
        assert problems(path) == []
    elif not same:
        assert any("the position" in problem for problem in problems(path))


@drawn(
    60,
    1000,
    game=st.one_of(explicit_games(starts=3), tables(), loop_games()),
    endless=st.sampled_from(list(ENDLESS)),
    table=st.sampled_from(["positions", "moves"]),
    sealed=st.booleans(),
    data=st.data(),
)
def test_verify_reports_any_altered_cell(
    tmp_path: Path, game: AnyGame, endless: str, table: str, sealed: bool, data: st.DataObject
) -> None:
    path = tmp_path / "game.db"
    solve(game, path, layout="readable", endless=endless, force=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("pragma ignore_check_constraints = on")
        cursor = connection.execute(f"select rowid as place, * from {table}")
        (_, *columns), rows = [column for column, *_ in cursor.description], cursor.fetchall()
        texts = dict(connection.execute("select id, position from positions").fetchall())
        moves = connection.execute("select position_id, child_id from moves").fetchall()
        assume(rows)
        at, (place, *cells) = data.draw(st.integers(0, len(columns) - 1)), data.draw(st.sampled_from(rows))
        others = {row[at + 1] for row in rows} | {None, -1, 0, 1, 2, 99, "draw", "nobody"}
        other = data.draw(st.sampled_from(sorted(others - {cells[at]}, key=str)))
        try:
            connection.execute(f"update {table} set {columns[at]} = ? where rowid = ?", (other, place))
        except sqlite3.IntegrityError:  # it is of another type, or there twice
            assume(False)
        now = connection.execute(f"select {columns[at]} from {table} where rowid = ?", (place,))
        assume(now.fetchone() != (cells[at],))  # a column of texts takes 0 for '0'
    if sealed:
        reseal(path)
    actual = problems(path)
    assert actual
    if columns[at] not in ("id", "position", "position_id"):
        before = {parent for parent, child in moves if child == cells[0] and table == "positions"}
        assert any(repr(texts[key]) in " ".join(actual) for key in {cells[0], *before}), actual


def test_verify_reports_ply_where_lines_differ_in_length(tmp_path: Path) -> None:
    game, path = ExplicitGame(((), (0,), ()), (0,) * 3, (1,) * 3, (0, 1, 2)), tmp_path / "game.db"
    solve(game, path, layout="readable")
    reseal(path, "update positions set ply = 0 where position = '2'")
    assert problems(path) == ["the position '2': the ply of a start should be None, not 0"]


FLIP = "case outcome when 'win' then 'loss' when 'loss' then 'win' else 'draw' end"

LIES: dict[str, list[str]] = {
    "negated": [
        f"update positions set value = -value, outcome = {FLIP}",
        f"update moves set outcome = {FLIP}",
        "value should be 1, not -1",
    ],
    "all drawn": [
        "update positions set value = 0, outcome = 'draw', remoteness = null where not is_terminal",
        "update moves set outcome = 'draw', remoteness = null, is_best = 1",
        "outcome of the move 2 should be 'win', not 'draw'",
    ],
    "a missing move": [
        "delete from moves where rowid = (select max(rowid) from moves)",
        "its moves should be [(1, 'xxoooxxox')], not []",
    ],
    "a doubled move": [
        "insert into moves select * from moves where rowid = 1",
        "'x...o....': its moves should be [(1, 'xx..o....'), (2, ",
    ],
    "a stray move": [
        "insert into moves select 999999, move, 1, outcome, remoteness, is_best from moves limit 1",
        "1 move belongs to no position",
    ],
    "a missing position": [
        "delete from positions where id = (select max(id) from positions)",
        "its moves should be [(6, 'xooooxxxx')], not [(6, None)]",
    ],
    "an unreachable position": [
        "insert into positions select id + 1, 'xxxooo... x', 'x', ply, 0, 'draw', 0, null, 1 "
        "from positions order by id desc limit 1",
        "'xxxooo... x': no play from the start leads to row 635",
    ],
    "renumbered": [
        "update positions set id = -id - 10",
        "update positions set id = -id",
        "update moves set position_id = position_id + 10, child_id = child_id + 10",
        "no play from the start leads to row 11",
    ],
    "empty": [
        "delete from positions",
        "delete from moves",
        "about says values = [-1, 1], but it should be [None, None]",
    ],
    "another start": [
        "update about set value = 'x........' where key = 'start'",
        "about says start = 'x........', but that is not the first row",
    ],
    "another game, not all of its parameters told": [
        """update about set value = '{"misere": true}' where key = 'parameters'""",
        "value should be -1, not 1",
    ],
    "later wins": [
        "update positions set remoteness = remoteness + 2 where remoteness > 0",
        "update moves set remoteness = remoteness + 2 where remoteness > 1",
        "remoteness should be 1, not 3",
    ],
}
"""How a file is made to lie, and last a complaint about that; lies about single claims: test_claims.py."""


@pytest.mark.parametrize("lie", LIES)
def test_verify_reports_consistently_altered_files(copy: Path, lie: str) -> None:
    *statements, complaint = LIES[lie]
    reseal(copy, *statements)
    wrong = problems(copy)
    assert any(complaint in problem for problem in wrong), wrong
    result = call("verify", copy)
    assert (result.exit_code, result.stderr) == (1, "")
    assert 0 < result.stdout.count("\n") <= 10


MANY = (
    "with recursive n(i) as (select 1 union all select i + 1 from n limit {}) "
    "insert into moves select moves.* from n, moves where moves.rowid = 1"
)


def test_verify_refuses_200_000_moves_with_little_memory(copy: Path) -> None:
    reseal(copy, MANY.format(200_000))
    (done,) = run_one_by_one(["verify", str(copy)])
    assert (done.status, done.stdout) == (4, "")
    assert "the moves of row 1 are more than 100,000" in done.stderr
    assert done.memory < 120_000, f"{done.memory:,} kB"


@pytest.mark.parametrize("column", ["position", "ply", "remoteness", "value"])
def test_long_texts_in_columns_are_refused(copy: Path, column: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.proof.readable_walk.MAX_CHARACTERS", 1 << 16)
    spare = "create table spare as select sql from sqlite_schema where name = 'positions'"
    writing = "pragma writable_schema = on", "update sqlite_schema set sql = {} where name = 'positions'"
    untyped = "replace(replace(sql, ' integer,', ','), ') strict', ')')"
    alter(copy, spare, *(sql.format(untyped) for sql in writing))
    long = f"update positions set {column} = char(0) || hex(zeroblob(500)) where id = "
    reseal(copy, f"{long} (select child_id from moves where rowid = 1)", MANY.format(100))
    alter(copy, *(sql.format("(select sql from spare)") for sql in writing), "drop table spare")
    with pytest.raises(DamagedFile, match="the moves of row 1 are more than"):
        problems(copy)


def test_verify_reports_loop_labelled_as_won(tmp_path: Path) -> None:
    """0 and 1 claim that going round to each other wins, 0 by one ply more than 1."""
    path = tmp_path / "drawn.db"
    solve(ExplicitGame(((1,), (0,)), (0, 1), (0, 0)), path)
    assert problems(path) == []
    reseal(
        path,
        "update positions set value = 1, remoteness = 4 - id",
        "update positions set outcome = case to_move when 'first' then 'win' else 'loss' end",
        "update moves set outcome = case position_id when 1 then 'win' else 'loss' end",
        "update moves set remoteness = 4 - position_id",
    )
    assert any("'0'" in problem or "'1'" in problem for problem in problems(path))


TABLES = {"readable": ("positions", "moves", "about"), "packed": ("blocks", "counts", "about")}


def everything(path: Path, layout: str) -> list[list[Any]]:
    with closing(sqlite3.connect(path)) as connection:
        return [connection.execute(f"select * from {table}").fetchall() for table in TABLES[layout]]


@pytest.mark.parametrize("layout", TABLES)
@pytest.mark.parametrize("flips", [25, pytest.param(500, marks=pytest.mark.slow)])
def test_verify_reports_flipped_bits_that_change_rows(tmp_path: Path, layout: str, flips: int) -> None:
    """Each is reported, or has changed nothing that the file says."""
    small = solved_file("mnk", {"rows": 2, "columns": 2, "k": 2}, layout=layout)
    path = Path(shutil.copy(small, tmp_path / "small.db"))
    whole, truth = path.read_bytes(), everything(path, layout)
    with open_database(path) as db:
        positions = list(db)
    rng, unnoticed = random.Random(7), 0
    used = [at for at, byte in enumerate(whole) if byte]
    anywhere = rng.choices(range(len(whole)), k=flips // 5)
    places = sorted([*range(0, 100, 500 // flips), *rng.choices(used, k=flips), *anywhere])
    for at in places:
        path.write_bytes(flipped(whole, at, rng))
        if not complaints(path):
            assert everything(path, layout) == truth, at
            unnoticed += 1
        ask(path, positions[:: 125 // flips or 1])
        assert [item.name for item in tmp_path.iterdir()] == ["small.db"]
    assert unnoticed < 0.4 * len(places)


def ask(path: Path, positions: list[str]) -> None:
    """Use the file as `query` does: it may refuse, but by name."""
    statuses = set()
    for position in positions:
        try:
            with open_database(path) as db:
                describe(db, db[position])
        except SolverError as error:
            statuses.add(error.exit_status)
    assert statuses <= {3, 4}
