import pickle
import random
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any
from unittest.mock import patch

import psutil
import pytest
from hypothesis import assume, strategies as st

from solver import load_game, open_database, solve
from solver.database.packed.label_code import smallest_label_code
from solver.errors import BrokenRules, TooLarge
from solver.proof.packed import verify_packed
from solver.proof.packed.layers.walk import LayerChecker
from solver.rules.arrays import MAX_STATE
from solver.rules.source.trust import allowed
from solver.system.executors import WorkerPool
from solver.system.progress import Progress, no_progress
from tests.support.altered import alter
from tests.support.commandline import call, children_of, refusal, succeeded
from tests.support.drawn import drawn
from tests.support.games.known import LARGE, SMALL as SMALL_GAMES
from tests.support.games.packed import Askew, Sums, Table, inverted, tables
from tests.support.killed import GOES_ON
from tests.support.packed_rows import (
    Row,
    change,
    claim,
    complaints,
    hold_against_other_rows,
    packed,
    problems,
    rewrite,
    rows_of,
)
from tests.support.pieces import small_blocks
from tests.support.solved import solved_file

GAMES: list[tuple[Any, dict[str, Any]]] = [
    (load_game("connect", {"rows": 3, "columns": 3, "k": 3}), {}),
    *SMALL_GAMES,
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 3, "wild": True}), {"fold": True}),
    (load_game("mnk", {"rows": 1, "columns": 1, "k": 1}), {}),
    (Sums(), {"start": "64"}),
    (Askew(3, 3, 3), {"fold": True}),
    # Symmetries map no illegal actions:
    (load_game("domineering", {"rows": 3, "columns": 3}), {"fold": True}),
]

SMALL = {
    "layers.internal_states.BLOCKS_SEARCHED_AT_ONCE": 2,
    "layers.walk.BLOCKS_AT_ONCE": 1,
    "layers.walk.CHILDREN_AT_ONCE": 200,
    "layers.walk.MAX_CHILDREN_AT_ONCE": 200,
    "blocks.CACHED_BYTES": 1,
    "layers.walk.BLOCKS_PER_RANGE": 3,
}
"""So small that small files have many parts."""


@pytest.mark.parametrize(
    ("game", "options"), [*GAMES, *(pytest.param(*item, marks=pytest.mark.slow) for item in LARGE)], ids=str
)
def test_verify_reports_altered_rows_in_files_of_many_parts(
    game: Any, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_blocks(monkeypatch)
    for name, number in SMALL.items():
        monkeypatch.setattr(f"solver.proof.packed.{name}", number)
    path = packed(game, tmp_path, **options)
    with open_database(path) as db:
        assert verify_packed(db, processes=1) == []
    rows, rng = rows_of(path), random.Random(5)
    for changed in (without(rows, rng), relabelled(rows, rng), misplaced(rows, rng)):
        rewrite(path, changed)
        with open_database(path) as db:
            assert verify_packed(db, processes=1)


BLOCKS = partial(solved_file, "connect", {"rows": 4, "columns": 4}, engine="layers", fold=True)
"""A file in which many plies have more than one block, of children in order and of others."""

LOOPS = partial(solved_file, "morris", {"variant": "achi"}, layout="packed")


def workers() -> list[psutil.Process]:
    """The workers that this process has not let go."""
    return children_of("solver.proof.packed.worker")


@pytest.mark.parametrize(
    ("file", "processes"), [pytest.param(BLOCKS, 1, marks=pytest.mark.slow), (BLOCKS, 3), (LOOPS, 2)]
)
def test_processes_find_the_same_problems(file: Callable[[], Path], processes: int, tmp_path: Path) -> None:
    path = Path(shutil.copy(file(), tmp_path / "copy.db"))
    done_by_stage = defaultdict[str, list[int]](list)

    def noted(stage: str, done: int, _total: int | None, _ply: int | None = None, /) -> None:
        done_by_stage[stage].append(done)

    with open_database(path) as db:
        assert verify_packed(db, processes=processes, progress=noted) == []
        assert "verify" in done_by_stage
        for stage in done_by_stage.values():
            assert stage[-1] == len(db) > (5_000 if file is LOOPS else 20_000)
            assert stage == sorted(stage)
    rows, rng = rows_of(path), random.Random(5)
    lost = without(rows, rng)
    rewrite(path, lost if file is LOOPS else misplaced(relabelled(lost, rng), rng))
    with open_database(path) as db:
        wrong = verify_packed(db, processes=processes)
        assert len(wrong) > (0 if file is LOOPS else 2)
        assert wrong == verify_packed(db, processes=1)
    assert workers() == []


@pytest.mark.parametrize(
    ("states", "memory", "crew"), [(1, 1 << 40, True), (1, 1 << 30, False), (1 << 40, 1 << 40, False)]
)
def test_verify_uses_processes_if_size_and_memory_allow(
    monkeypatch: pytest.MonkeyPatch, states: int, memory: int, crew: bool
) -> None:
    started = list[int]()

    class Noted(WorkerPool):
        def __init__(self, module: str, opening: object, processes: int) -> None:
            started.append(processes)
            super().__init__(module, opening, processes)

    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(3))
    monkeypatch.setattr("solver.proof.packed.verify.WorkerPool", Noted)
    monkeypatch.setattr("solver.proof.packed.verify.PARALLEL_FROM", states)
    monkeypatch.setattr("solver.system.resources.available", lambda: memory)
    assert problems(BLOCKS()) == []
    assert started == ([3] if crew else [])


RULES = """
import os
from solver.games.mnk import TicTacToe
from solver.games.morris import Morris

class Loud:
    def utility(self, state):
        print("an end")
        if os.environ.get("ENDS"):
            os._exit(3)
        return super().utility(state)

class Layers(Loud, TicTacToe): pass

class Loops(Loud, Morris): pass
"""


def test_worker_reports_why_rules_cannot_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = 'if os.environ.get("FAILS"):\n    raise ValueError("not here")\n'
    (tmp_path / "rules.py").write_text(f"{RULES}\n{failing}")
    path = packed(load_game(f"{tmp_path / 'rules.py'}:Layers"), tmp_path)
    monkeypatch.setenv("FAILS", "yes")
    words = "rules.py' fails: ValueError: not here"
    with open_database(path) as db, pytest.raises(BrokenRules, match=words):
        verify_packed(db, processes=2)


@pytest.mark.parametrize("rules", ["Layers", "Loops"])
def test_worker_output_of_rules_is_ignored_and_exit_reported(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rules.py").write_text(RULES)
    path = packed(load_game(f"{tmp_path / 'rules.py'}:{rules}"), tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    capfd.readouterr()
    with open_database(path) as db:
        assert verify_packed(db, processes=2) == []
        assert "an end" in capfd.readouterr().err
        monkeypatch.setenv("ENDS", "yes")
        with pytest.raises(TooLarge, match="a worker process has ended"):
            verify_packed(db, processes=2)
    assert workers() == []
    assert not list(tmp_path.glob("perfectplay-*"))


def stopped_at(states: int) -> Callable[..., None]:
    """Progress that interrupts a proof once so many states are checked."""

    def progress(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        if task == "verify" and done >= states:
            raise KeyboardInterrupt

    return progress


def states_asked(
    path: Path, monkeypatch: pytest.MonkeyPatch, progress: Progress = no_progress
) -> tuple[list[str], int]:
    """The problems of a file, and the number of tasks that proving it takes from now on."""
    tasks = list[Any]()
    through = WorkerPool.map

    def counted(self: WorkerPool, asked: Any, *others: Any) -> Any:
        tasks.extend(asked := list(asked))
        return through(self, asked, *others)

    with monkeypatch.context() as meanwhile, open_database(path) as db:
        meanwhile.setattr(WorkerPool, "map", counted)
        return verify_packed(db, processes=2, progress=progress), len(tasks)


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory, configuration: Path) -> dict[Path, bytes]:
    """The file, first, and the ledger of an interrupted proof."""
    path = packed(load_game("connect", {"rows": 4, "columns": 3}), tmp_path_factory.mktemp("half"))
    at_once = patch("solver.system.ledger.SECONDS_TO_REPEAT", 0)
    with at_once, open_database(path) as db, pytest.raises(KeyboardInterrupt) as raised:
        verify_packed(db, processes=2, progress=stopped_at(len(db) // 2))
    assert raised.value.__notes__ == [GOES_ON]
    ledgers = [item for item in configuration.rglob("proofs/*") if item.is_file()]
    return {item: item.read_bytes() for item in (path, *ledgers)}


@pytest.fixture
def half_proved(interrupted: dict[Path, bytes]) -> Path:
    """A file of which about half of the states are proved."""
    for path, data in interrupted.items():
        path.write_bytes(data)
    return next(iter(interrupted))


def test_interrupted_proof_resumes_and_reports(half_proved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not [path for path in half_proved.parent.iterdir() if "proof" in path.name]
    reports = list[tuple[str, int]]()
    problems, rest = states_asked(
        half_proved, monkeypatch, lambda task, done, *_: reports.append((task, done))
    )
    again, all_tasks = states_asked(half_proved, monkeypatch)
    assert (problems, again) == ([], [])
    assert 0 < rest < all_tasks
    first = next(done for task, done in reports if task == "verify")
    sizes = Counter(row.ply for row in rows_of(half_proved))
    from_ply = [sum(sizes[later] for later in sizes if later >= ply) for ply in sorted(sizes)]
    assert first in from_ply[:-1]  # not the last ply alone: the speed is estimated from here on


def test_resumed_proof_reports_changed_file(half_proved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(half_proved)
    number, row = next((nth, row) for nth, row in enumerate(rows) if not row.is_terminal and row.ply == 11)
    rows[number] = row._replace(label=1 - row.label)
    with open_database(half_proved) as db:
        digest = db.about["sha256"]
    rewrite(half_proved, rows)
    alter(half_proved, f"update about set value = '{digest}' where key = 'sha256'")
    problems, _ = states_asked(half_proved, monkeypatch)
    assert any("SHA-256" in problem for problem in problems)


def test_proof_of_another_file_starts_anew(half_proved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(load_game("connect", {"rows": 3, "columns": 4}), half_proved, layout="packed", force=True)
    _, once = states_asked(half_proved, monkeypatch)
    _, twice = states_asked(half_proved, monkeypatch)
    assert once == twice


@pytest.mark.parametrize("end", [None, -3, 9, 0])
def test_worker_ends_when_its_input_closes(end: int | None) -> None:
    """After a task, in the middle of it or of the opening, or before."""
    command = [sys.executable, "-m", "solver.proof.packed.worker"]
    with Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE) as worker:
        with open_database(BLOCKS()) as db:
            digest = db.about["sha256"]
        opening = pickle.dumps((BLOCKS().resolve(), digest, "connect", None, False, allowed()))
        sent = opening + pickle.dumps(LayerChecker.starts)
        answers, complaints = worker.communicate(sent[:end], timeout=60)
    assert answers == b"" if end is not None else pickle.loads(answers).problems == ()
    assert (worker.returncode, complaints) == (0, b"")


def going(rows: Sequence[Row]) -> list[Row]:
    """The states in which play goes on, or where there are none all."""
    return [row for row in rows if not row.is_terminal] or list(rows)


def without(rows: Sequence[Row], rng: random.Random) -> list[Row]:
    """All but one, which is no end so that what it alone leads to is too many."""
    lost = rng.choice(going(rows))
    return [row for row in rows if row != lost] or [lost._replace(key=lost.key + 2)]


def relabelled(rows: Sequence[Row], rng: random.Random) -> list[Row]:
    """One with another label, where ends have none of their own."""
    if rows[0].is_terminal:
        return without(rows, rng)
    chosen = rng.choice(going(rows))
    labels = {row.label for row in rows} | {1, -1, 0}
    label = rng.choice(sorted(labels - {chosen.label}))
    return [row._replace(label=label) if row == chosen else row for row in rows]


def misplaced(rows: Sequence[Row], rng: random.Random) -> list[Row]:
    """One of them a ply later, or where there is none, alone."""
    chosen = rng.choice(rows)
    moved = [row._replace(ply=row.ply + 1) if row == chosen else row for row in rows]
    return moved if moved[0].ply == 0 else [*moved, moved[0]._replace(ply=0, key=moved[0].key + 1)]


def stored_labels(rows: Sequence[Row]) -> tuple[list[int], list[int]]:
    """The labels of states in which play goes on, and those of ends, of which a file has only the numbers."""
    ends = sorted(row.label for row in rows if row.is_terminal)
    return [row.label for row in rows if not row.is_terminal], ends


@drawn(20, 60, game=tables(), other=tables(), movers=st.booleans())
def test_labels_of_other_rules_are_found(tmp_path: Path, game: Table, other: Table, movers: bool) -> None:
    """The labels of other utilities, or other movers, on the same graph, sealed as if they were right."""
    size = len(game.utilities)
    changed = replace(game, utilities=tuple(other.utilities[at % len(other.utilities)] for at in range(size)))
    if movers:
        changed = replace(game, movers=tuple(other.movers[at % len(other.movers)] for at in range(size)))
    path = packed(game, tmp_path)
    right = rows_of(path)
    path = packed(changed, tmp_path)
    wrong = rows_of(path)
    assume(stored_labels(right) != stored_labels(wrong))
    claim(path, game)
    rewrite(path, wrong)
    assert problems(path)


@drawn(20, 60, game=tables(), data=st.data())
def test_only_correct_rows_are_proved(tmp_path: Path, game: Table, data: st.DataObject) -> None:
    hold_against_other_rows(packed(game, tmp_path), len(game.utilities), data)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    endgame = solved_file("tictactoe", start="x...o....", layout="packed")
    return Path(shutil.copy(endgame, tmp_path / "copy.db"))


MOVE = "at ply 2: it has a move to the position"
LABEL = "xx.oo....' at ply 2: it should have the value 1 and a remoteness of 1, not the value"


@pytest.mark.parametrize(
    ("position", "change", "problem"),
    [
        ("xx.oo....", {"label": 127 - 5}, f"{LABEL} 1 and a remoteness of 3"),
        ("xx.oo....", {"label": 0}, f"{LABEL} 0 and no remoteness"),
        ("xx.oo....", {"label": 3 - 127}, f"{LABEL} -1 and a remoteness of 1"),
        ("xx.oo....", {"is_terminal": 1}, "xx.oo....' at ply 2: is_terminal should be 0, not 1"),
        ("xxxoo....", {"is_terminal": 0}, "xxxoo....' at ply 3: is_terminal should be 1, not 0"),
        ("xx.oo.x..", {}, f"x..oo.x..' {MOVE} 'xx.oo.x..' at ply 3, which is not"),
        ("xxxoo....", {}, f"x.xoo....' {MOVE} 'xxxoo....' at ply 3, which is not"),
    ],
)
def test_altered_row_is_reported(copy: Path, position: str, change: dict[str, int], problem: str) -> None:
    """Also if it is left out, by its parent."""
    rows, key = rows_of(copy), load_game("tictactoe").parse(position)
    changed = [row._replace(**change) if row.key == key else row for row in rows]
    rewrite(copy, [row for row in changed if change or row.key != key])
    assert problems(copy)[0].startswith(f"the position '{problem}")


def test_verify_reports_unreachable_state(tmp_path: Path) -> None:
    path = packed(Sums(), tmp_path)
    rows = rows_of(path)
    first = [row for row in rows if row.ply]
    first += [row for row in rows if row.ply == 0 and row.key == 64]
    assert problems(path) == []
    rewrite(path, first, starts=1)
    actual = problems(path)
    assert any("no move leads there" in problem for problem in actual), actual
    assert all("no move leads there" in problem for problem in actual), actual


def test_verify_reports_maximum_state_at_two_plies(tmp_path: Path) -> None:
    """A state that goes on to it in one move or by way of another, each row following from its children."""
    game = inverted(Table(4, 2, (-1, -1, 0, -1, 0, 1, -1, -1), (0,) * 4, (1,) * 4, (2,), tells=False))
    path = packed(game, tmp_path, start=str(1 ^ MAX_STATE))
    end, before, first = MAX_STATE, MAX_STATE - 1, MAX_STATE - 2
    label = smallest_label_code(2, 1).encode_end
    rows = [Row(0, first, 0, label(1, 1)), Row(1, before, 0, label(1, 2)), Row(1, end, 1, 1)]
    rewrite(path, [*rows, Row(2, end, 1, 1)], start=first)
    assert problems(path) == [f"the position '{end}' at ply 1: it is also at ply 2"]


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("update counts set states = states + 1 where rowid = 7", "counts says"),
        (
            "update counts set value = -value where rowid in (select min(rowid) from counts where value)",
            "counts",
        ),
        ("update counts set remoteness = remoteness + 2 where rowid = 7", "counts"),
        ("update counts set remoteness = null where is_terminal and value = 0", "counts"),
        ("update counts set to_move = 1 - to_move where rowid = 7", "counts"),
        ("delete from counts where rowid = 7", "counts does not have"),
        ("insert into counts values (9, 0, 0, 0, null, 0)", "counts says"),
        ("insert into counts select * from counts where rowid = 7", "counts has 2 rows"),
        ("delete from counts", "counts does not have"),
        ("update about set value = '[0, 1]' where key = 'values'", "values"),
        ("update about set value = '[0, 0]' where key = 'values'", "values"),
        ("update about set value = '[-1, 99999999999999999999]' where key = 'values'", "too large"),
        ("update about set value = '0' where key = 'starts'", "starts"),
        ("update about set value = 'x...o...x' where key = 'start'", "play begins there"),
        ("update about set value = 'nowhere' where key = 'start'", "cannot read"),
        ("update about set value = 'true' where key = 'folded'", "canonical"),
        ("update blocks set id = 100 - id where id in (3, 4)", "block"),
        ("update blocks set id = -id where id in (3, 4)", "block"),
        ("delete from blocks where id = 4", "block 5, of ply 3: its number should be one more"),
        ("delete from blocks where id = (select max(id) from blocks)", "which is not there"),
        ("delete from blocks", "there are no blocks"),
        ("update blocks set stage = stage + 1", "its ply should be"),
        ("update blocks set stage = -1 where id = 1", "its ply should be"),
        ("update blocks set stage = stage + 1 where id > 5", "its ply should be"),
        ("update blocks set is_terminal = 2 where id = 4", "is_terminal should be 0 or 1"),
        ("update blocks set states = states + 1 where id = 4", "block 4, of ply 3"),
        ("update blocks set states = 0 where id = 4", "block 4, of ply 3: it should have 4096 states"),
        ("update blocks set states = 5000 where id = 4", "block 4, of ply 3: it should have 4096 states"),
        ("update blocks set first = first + 1 where id = 3", "ply 2"),
        ("update blocks set first = -first where id = 3", "block 3, of ply 2"),
        ("update blocks set first = 9223372036854775807 where id = 3", "block 3, of ply 2"),
        ("update blocks set labels = null where id = 3", "block 3, of ply 2"),
        ("update blocks set labels = keys where id = 4", "block 4, of ply 3"),
        ("update blocks set keys = labels where id = 3", "block 3, of ply 2"),
        ("update blocks set keys = zeroblob(40) where id = 3", "block 3, of ply 2"),
        (
            "update blocks set keys = (select keys from blocks where id = 5), "
            "labels = (select labels from blocks where id = 5) where id = 3",
            "block 3, of ply 2",
        ),
        (
            "create temp table ends as select * from blocks where is_terminal order by id limit 2; "
            "update blocks set (first, states, keys) = (select first, states, keys from ends "
            "where ends.id != blocks.id) where id in (select id from ends)",
            "which is not there",
        ),
    ],
)
def test_verify_reports_altered_tables(copy: Path, statement: str, problem: str) -> None:
    change(copy, *statement.split("; "))
    actual = complaints(copy)
    assert any(problem in item for item in actual), actual


def test_verify_reports_at_most_ten_distinct_problems(copy: Path) -> None:
    rewrite(copy, [row._replace(label=1) if not row.is_terminal else row for row in rows_of(copy)])
    actual = problems(copy)
    assert len(actual) == len(set(actual)) == 10
    assert all("it should have" in problem for problem in actual)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        *((fault, "does not match the move in its image") for fault in ("moves", "actions")),
        *((fault, "the rules tell it from what is symmetric to it") for fault in ("ends", "values")),
    ],
)
def test_verify_reports_false_symmetries(
    fault: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folded file whose rows follow from each other, but do not stand for their classes."""
    monkeypatch.setattr("solver.engines.solve.STATES_TRIED", 0)
    actual = problems(packed(Askew(3, 3, 3, fault), tmp_path, fold=True))
    assert any(words in problem for problem in actual), actual


def test_verify_reports_non_canonical_state(tmp_path: Path) -> None:
    game = load_game("tictactoe")
    path = packed(game, tmp_path, fold=True)
    rows = rows_of(path)
    corner = next(row for row in rows if row.ply == 1)
    image = max(symmetry.state(corner.key) for symmetry in game.symmetries())
    rewrite(path, [row._replace(key=image) if row == corner else row for row in rows])
    wanted = f"the position {game.position(image)!r} at ply 1: it is not canonical"
    assert wanted in problems(path)


def test_verify_command_accepts_sound_and_refuses_altered_file(copy: Path) -> None:
    for file in (copy, solved_file("tictactoe", start="x...o....", layout="readable")):
        assert "proved. All 634 positions of tictactoe" in succeeded(call("verify", file)).stdout
    rewrite(copy, relabelled(rows_of(copy), random.Random(3)))
    result = call("verify", copy)
    assert result.exit_code == 1
    assert "should have" in result.stdout
    change(copy, "update about set value = 'another' where key = 'play'")
    assert "was made by other rules" in refusal(4, "verify", copy)
