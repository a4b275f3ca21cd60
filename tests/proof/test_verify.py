import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings, strategies as st

from solver import open_database, solve, verify_database
from solver.cli import main
from solver.database.header import crc32_of, digest
from solver.database.wording import describe
from solver.engines.graph_states import explore, label
from solver.errors import SolverError
from solver.game import ENDLESS
from solver.games.mnk import MNK
from solver.rules.loading import game_place, load_game
from tests.support.commandline import run, run_one_by_one
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, reachable

LOOPS = ExplicitGame(
    children=((1, 2), (0, 3), (4, 5), (1, 3), (), (6, 2), ()),
    movers=(0, 1, 1, 0, 0, 0, 1),
    utilities=(0, 0, 0, 0, 1, 0, 2),
)
"""The first player had better leave the circles 0-1, 1-3, 3-3 and 2-5."""


@pytest.fixture(scope="module")
def endgame(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("endgame") / "endgame.db"
    solve(MNK(), path, start="x...o....")
    return path


@pytest.fixture
def copy(tmp_path: Path, endgame: Path) -> Path:
    return Path(shutil.copy(endgame, tmp_path / "copy.db"))


@pytest.fixture
def loops(tmp_path: Path) -> Path:
    path = tmp_path / "loops.db"
    solve(LOOPS, path)
    return path


@contextmanager
def changing(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that can do anything to the file, checks and keys off."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma ignore_check_constraints = on")
        yield connection
        connection.commit()


def reseal(connection: sqlite3.Connection) -> None:
    """Make counts and checksums fit what the rows say now, so that only the rules can tell."""
    for key, sql in (
        ("states", "select count(*) from positions"),
        ("terminal", "select count(*) from positions where is_terminal"),
        ("moves", "select count(*) from moves"),
    ):
        connection.execute(f"update about set value = ({sql}) where key = ?", (key,))
    told = connection.execute(
        "select key, value from about where key not in ('crc32', 'sha256') order by key"
    )
    connection.execute("update about set value = ? where key = 'crc32'", (str(crc32_of(told)),))
    connection.execute("update about set value = ? where key = 'sha256'", (digest(connection),))


def problems(path: Path) -> list[str]:
    with open_database(path, errors="replace") as db:
        return verify_database(db)


def test_a_solved_game_is_proved(tictactoe_db_path: Path, loops: Path, tmp_path: Path) -> None:
    assert problems(tictactoe_db_path) == []
    assert problems(loops) == []
    for number, start in enumerate(["oo.ox...x x", "xxxoo....", "......... o"]):
        solve(MNK(), tmp_path / f"{number}.db", start=start)
        assert problems(tmp_path / f"{number}.db") == []


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(explicit_games(), st.sampled_from(list(ENDLESS)))
def test_every_solved_game_is_proved(tmp_path: Path, game: ExplicitGame, endless: str) -> None:
    solve(game, tmp_path / "game.db", endless=endless, force=True)
    assert problems(tmp_path / "game.db") == []


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(explicit_games(starts=5))
def test_a_game_with_many_starts_is_solved_and_proved(tmp_path: Path, game: ExplicitGame) -> None:
    solve(game, tmp_path / "game.db", force=True)
    starts = list(dict.fromkeys(map(str, game.starts)))
    with open_database(tmp_path / "game.db") as db:
        assert (db.start, db.starts, list(db)[: db.starts]) == (starts[0], len(starts), starts)
        assert set(db) == set(map(str, reachable(game)))
        assert verify_database(db) == []


ENDGAME = ExplicitGame(((3,), (3, 4), (4,), (), ()), (0, 0, 0, 1, 1), (0, 0, 0, 1, -1), (0, 2, 0, 1))
"""Three set-ups, one of them given twice."""


@pytest.mark.parametrize("starts", [(0, 2), (0, 1, 2), (2, 0, 1), (0, 2, 1, 3), (0, 2, 3)])
def test_rows_that_are_no_initial_states_are_found(tmp_path: Path, starts: tuple[int, ...]) -> None:
    path = tmp_path / "game.db"
    solve(replace(ENDGAME, starts=starts), path)
    with changing(path) as connection:
        connection.execute(
            "update about set value = json_set(value, '$.starts', json('[0,2,0,1]')) where key = 'parameters'"
        )
        reseal(connection)
    assert any("initial state" in problem for problem in problems(path))


@pytest.mark.parametrize("claimed", ["0", "2", "4", "5", "6", "-3", "three", "9999999999999999999999"])
def test_another_number_of_starts_is_found(tmp_path: Path, claimed: str) -> None:
    path = tmp_path / "game.db"
    solve(ENDGAME, path)
    assert problems(path) == []
    with changing(path) as connection:
        connection.execute("update about set value = ? where key = 'starts'", (claimed,))
        reseal(connection)
    assert any("starts" in problem or "initial" in problem for problem in problems(path))


def test_one_set_up_of_many_may_be_solved_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    solve(ENDGAME, path, start="2")
    assert problems(path) == []
    with open_database(path) as db:
        assert (db.start, db.starts, len(db)) == ("2", 1, 2)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(explicit_games(), explicit_games(), st.sampled_from(list(ENDLESS)))
def test_labels_that_differ_are_never_proved(
    tmp_path: Path, game: ExplicitGame, other: ExplicitGame, endless: str
) -> None:
    """The labels of other utilities on the same graph, sealed as if they were right."""
    size = len(game.children)
    utilities = tuple(other.utilities[state % len(other.utilities)] for state in range(size))
    changed = replace(game, utilities=utilities)
    first, second = explore(game), explore(changed)
    label(first, endless)
    label(second, endless)
    path = tmp_path / "game.db"
    solve(changed, path, endless=endless, force=True)
    with changing(path) as connection:
        parameters = (
            "update about set value = json_set(value, '$.utilities', json(?)) where key = 'parameters'"
        )
        connection.execute(parameters, (str(list(game.utilities)),))
        reseal(connection)
    same = all(
        first.nodes[state].get(key) == second.nodes[state].get(key)
        for state in first
        for key in ("value", "remoteness")
    )
    assert (problems(path) == []) == same


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(explicit_games(), st.sampled_from(list(ENDLESS)), st.sampled_from(list(ENDLESS)))
def test_labels_of_another_rule_for_endless_play_are_never_proved(
    tmp_path: Path, game: ExplicitGame, endless: str, other: str
) -> None:
    graphs = [explore(game), explore(game)]
    label(graphs[0], endless)
    label(graphs[1], other)
    path = tmp_path / "game.db"
    solve(game, path, endless=endless, force=True)
    with changing(path) as connection:
        connection.execute("update about set value = ? where key = 'endless'", (other,))
        reseal(connection)
    same = dict(graphs[0].nodes.data()) == dict(graphs[1].nodes.data())
    # A draw has a remoteness exactly where it must be reached because endless play is none.
    unlike = any(node["value"] == 0 for _, node in graphs[0].nodes.data()) and "draw" in (endless, other)
    if same and not unlike:
        assert problems(path) == []
    elif not same:
        assert any("the position" in problem for problem in problems(path))


POSITION_CHANGES = [
    ("position", "'........x'"),
    ("position", "'xo..'"),
    ("position", "upper(position)"),
    ("to_move", "'o'"),
    ("to_move", "'nobody'"),
    ("ply", "ply + 2"),
    ("ply", "null"),
    ("value", "value - 1"),
    ("value", "2 * value"),
    ("value", "-value"),
    ("outcome", "'draw'"),
    ("outcome", "'loss'"),
    ("outcome", "'won'"),
    ("remoteness", "remoteness + 2"),
    ("remoteness", "null"),
    ("remoteness", "-1"),
    ("best_move", "7"),
    ("best_move", "null"),
    ("best_move", "99"),
    ("is_terminal", "1"),
    ("is_terminal", "3"),
]
MOVE_CHANGES = [
    ("position_id", "1"),
    ("position_id", "999999"),
    ("move", "99"),
    ("move", "0"),
    ("child_id", "1"),
    ("child_id", "child_id - 1"),
    ("child_id", "999999"),
    ("outcome", "'draw'"),
    ("outcome", "'loss'"),
    ("outcome", "'nothing'"),
    ("remoteness", "remoteness + 1"),
    ("remoteness", "null"),
    ("is_best", "0"),
    ("is_best", "2"),
]


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize(("column", "value"), POSITION_CHANGES)
def test_a_changed_column_of_a_position_is_found(copy: Path, column: str, value: str, sealed: bool) -> None:
    with changing(copy) as connection:
        sql = f"update positions set {column} = {value} where position = 'xx.oo....'"
        assert connection.execute(sql).rowcount == 1
        if sealed:
            reseal(connection)
    found = problems(copy)
    assert found
    if column != "position":
        assert any("'xx.oo....'" in problem for problem in found)


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize(("column", "value"), MOVE_CHANGES)
def test_a_changed_column_of_a_move_is_found(copy: Path, column: str, value: str, sealed: bool) -> None:
    with changing(copy) as connection:
        sql = (
            f"update moves set {column} = {value} where move = 2 and "
            "position_id = (select id from positions where position = 'xx.oo....')"
        )
        assert connection.execute(sql).rowcount == 1
        if sealed:
            reseal(connection)
    assert any("'xx.oo....'" in problem for problem in problems(copy))


WRONG = {"outcome": "'win'", "to_move": "'x'", "best_move": "8", "remoteness": "1"}
WRONG |= {"value": "0", "is_terminal": "0"}


@pytest.mark.parametrize(("column", "wrong"), WRONG.items())
def test_a_label_of_an_end_is_found_when_changed(copy: Path, column: str, wrong: str) -> None:
    with changing(copy) as connection:
        connection.execute(f"update positions set {column} = {wrong} where position = 'xxxoo....'")
        reseal(connection)
    assert any("'xxxoo....'" in problem for problem in problems(copy))


def swapped_moves(connection: sqlite3.Connection) -> None:
    connection.execute("update moves set rowid = 100000 where rowid = 1")
    connection.execute("update moves set rowid = 1 where rowid = 2")
    connection.execute("update moves set rowid = 2 where rowid = 100000")


def negate(connection: sqlite3.Connection) -> None:
    flip = "case outcome when 'win' then 'loss' when 'loss' then 'win' else 'draw' end"
    connection.execute(f"update positions set value = -value, outcome = {flip}")
    connection.execute(f"update moves set outcome = {flip}")


def all_drawn(connection: sqlite3.Connection) -> None:
    connection.execute(
        "update positions set value = 0, outcome = 'draw', remoteness = null where not is_terminal"
    )
    connection.execute("update moves set outcome = 'draw', remoteness = null, is_best = 1")


def missing_move(connection: sqlite3.Connection) -> None:
    connection.execute("delete from moves where rowid = (select max(rowid) from moves)")


def doubled_move(connection: sqlite3.Connection) -> None:
    connection.execute("insert into moves select * from moves where rowid = 1")


def stray_move(connection: sqlite3.Connection) -> None:
    connection.execute(
        "insert into moves select 999999, move, 1, outcome, remoteness, is_best from moves limit 1"
    )


def missing_position(connection: sqlite3.Connection) -> None:
    connection.execute("delete from positions where id = (select max(id) from positions)")


def unreachable_position(connection: sqlite3.Connection) -> None:
    connection.execute(
        "insert into positions select id + 1, 'xxxooo... x', 'x', ply, 0, 'draw', 0, null, 1 "
        "from positions order by id desc limit 1"
    )


def renumbered(connection: sqlite3.Connection) -> None:
    connection.execute("update positions set id = -id - 10")
    connection.execute("update positions set id = -id")
    connection.execute("update moves set position_id = position_id + 10, child_id = child_id + 10")


def empty(connection: sqlite3.Connection) -> None:
    connection.execute("delete from positions")
    connection.execute("delete from moves")


def without_plies(connection: sqlite3.Connection) -> None:
    connection.execute("update positions set ply = null")


def later_plies(connection: sqlite3.Connection) -> None:
    connection.execute("update positions set ply = ply + 1")


def another_start(connection: sqlite3.Connection) -> None:
    connection.execute("update about set value = 'x........' where key = 'start'")


def another_game(connection: sqlite3.Connection) -> None:
    connection.execute("""update about set value = '{"misere": true}' where key = 'parameters'""")


def later_wins(connection: sqlite3.Connection) -> None:
    connection.execute("update positions set remoteness = remoteness + 2 where remoteness > 0")
    connection.execute("update moves set remoteness = remoteness + 2 where remoteness > 1")


LIES: dict[Callable[[sqlite3.Connection], None], str] = {
    swapped_moves: "'x...o....': its moves should be [(1, 'xx..o....'), (2, ",
    negate: "value should be 1, not -1",
    all_drawn: "outcome of the move 2 should be 'win', not 'draw'",
    missing_move: "its moves should be [(1, 'xxoooxxox')], not []",
    doubled_move: "'x...o....': its moves should be [(1, 'xx..o....'), (2, ",
    stray_move: "1 moves belong to no position",
    missing_position: "its moves should be [(6, 'xooooxxxx')], not [(6, None)]",
    unreachable_position: "'xxxooo... x': no play from the start leads to row 635",
    renumbered: "no play from the start leads to row 11",
    empty: "about says values = [-1, 1], but it should be [None, None]",
    without_plies: "the ply of a start is 0, not None",
    later_plies: "the ply of a start is 0, not 1",
    another_start: "about says start = 'x........', but that is not the first row",
    another_game: "value should be -1, not 1",
    later_wins: "remoteness should be 1, not 3",
}
"""What makes a file lie, and a complaint about that."""


@pytest.mark.parametrize("lie", LIES)
def test_a_consistent_lie_is_found(copy: Path, lie: Callable[[sqlite3.Connection], None]) -> None:
    with changing(copy) as connection:
        lie(connection)
        reseal(connection)
    wrong = problems(copy)
    assert any(LIES[lie] in problem for problem in wrong), wrong
    found = CliRunner().invoke(main, ["verify", str(copy)])
    assert (found.exit_code, found.stderr) == (1, "")
    assert 0 < found.stdout.count("\n") <= 10


SHA_256 = "the SHA-256 over all rows is not the one that was stored when they were written"


def test_a_position_of_400_000_moves_is_refused_by_little_memory(copy: Path) -> None:
    with changing(copy) as connection:
        row = connection.execute("select * from moves where rowid = 1").fetchone()
        connection.executemany("insert into moves values (?, ?, ?, ?, ?, ?)", repeat(row, 400_000))
        reseal(connection)
    (done,) = run_one_by_one(["verify", str(copy)])
    assert (done.status, done.stdout) == (4, "")
    assert "the moves of row 1 are more than 100,000" in done.stderr
    assert done.memory < 120_000, f"{done.memory:,} kB"


@pytest.mark.parametrize(
    ("key", "complaint"),
    [
        ("states", "about says states = 6340, but it should be 634"),
        ("terminal", "about says terminal = 1670, but it should be 167"),
        ("moves", "about says moves = 14010, but it should be 1401"),
        ("sha256", SHA_256),
        ("start", "about says start = 'x...o....0', but that is not the first row"),
        ("starts", "the initial state '.........' is not row 1"),
        ("program", SHA_256),
        ("endless", "about says endless = 'draw0', but endless play goes to draw, first, second"),
        ("values", "about says values = [-1, 1]0, but it should be [-1, 1]"),
        ("folded", "about says folded = 'false0', but it should be true or false"),
    ],
)
def test_a_wrong_fact_about_the_file_is_found(copy: Path, key: str, complaint: str) -> None:
    with changing(copy) as connection:
        connection.execute("update about set value = value || '0' where key = ?", (key,))
    found = problems(copy)
    assert {complaint, SHA_256} <= set(found), found
    assert key == "sha256" or any(problem.startswith("about says crc32 = ") for problem in found)


def test_a_circle_that_is_called_won_is_found(tmp_path: Path) -> None:
    """0 and 1 claim that going round to each other wins, 0 by one ply more than 1."""
    path = tmp_path / "drawn.db"
    solve(ExplicitGame(((1,), (0,)), (0, 1), (0, 0)), path)
    assert problems(path) == []
    with changing(path) as connection:
        connection.execute("update positions set value = 1, remoteness = 4 - id")
        connection.execute(
            "update positions set outcome = case to_move when 'first' then 'win' else 'loss' end"
        )
        connection.execute("update moves set outcome = case position_id when 1 then 'win' else 'loss' end")
        connection.execute("update moves set remoteness = 4 - position_id")
        reseal(connection)
    assert any("'0'" in problem or "'1'" in problem for problem in problems(path))


def test_plies_that_a_game_with_circles_cannot_have_are_found(loops: Path) -> None:
    with changing(loops) as connection:
        connection.execute("update positions set ply = id - 1")
        reseal(connection)
    assert "the position '0': child ply of the move 1 should be 1, not 2" in problems(loops)


def everything(path: Path) -> list[list[Any]]:
    with open_database(path) as db:
        return [
            [tuple(row) for row in db.rows(f"select * from {table} order by {order}")]
            for table, order in (("positions", "id"), ("moves", "rowid"), ("about", "key"))
        ]


@pytest.mark.parametrize("flips", [25, pytest.param(500, marks=pytest.mark.slow)])
def test_no_flipped_bit_goes_unnoticed(tmp_path: Path, flips: int) -> None:
    """Each is reported, or has changed nothing that the file says."""
    path = tmp_path / "small.db"
    solve(MNK(2, 2, 2), path)
    whole, truth = path.read_bytes(), everything(path)
    with open_database(path) as db:
        positions = list(db)
    rng = random.Random(7)
    used = [at for at, byte in enumerate(whole) if byte]
    anywhere = rng.choices(range(len(whole)), k=flips // 5)
    for at in sorted([*range(0, 100, 500 // flips), *rng.choices(used, k=flips), *anywhere]):
        flipped = bytearray(whole)
        flipped[at] ^= 1 << rng.randrange(8)
        path.write_bytes(flipped)
        try:
            found = problems(path)
        except SolverError as error:
            found = [f"status {error.exit_status}"]
        assert found in ([], ["status 4"]) or not found[0].startswith("status"), (at, found)
        if not found:
            assert everything(path) == truth, at
        ask(path, positions)
        assert [each.name for each in tmp_path.iterdir()] == ["small.db"]


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


def test_a_rules_file_is_loaded_again_for_the_proof(loops: Path) -> None:
    with open_database(loops) as db:
        assert db.game_name.endswith("explicit_graph.py:ExplicitGame")
        assert db.game == load_game(game_place(db.game), db.parameters)
        assert db.parameters["children"] == [list(children) for children in LOOPS.children]
    found = run("verify", loops)
    assert (found.returncode, found.stderr) == (0, "")
    assert "proved" in found.stdout
