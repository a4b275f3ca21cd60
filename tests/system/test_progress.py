"""Progress of long work, on a terminal and as JSON."""

import json
import os
import re
import termios
from contextlib import nullcontext, suppress
from io import StringIO
from pathlib import Path
from threading import Event, active_count
from typing import Any

import pytest
from tqdm import tqdm

from solver import explore, open_database, solve
from solver.engines.conversion import convert
from solver.engines.forecast import LAYERS, expected_count, forecast
from solver.engines.loops.solve import write_loops
from solver.engines.options import SolveOptions
from solver.engines.states import PackedStarts
from solver.engines.storage.work_folder import WorkFolder
from solver.games.connect import Connect
from solver.games.mnk import TicTacToe
from solver.games.quixo import Quixo
from solver.proof.verify import verify_database
from solver.rules.folding import Folding
from solver.system.progress import Usage, json_progress, measured_by, say, terminal_progress, waiting
from tests.support.commandline import call, succeeded
from tests.support.games.packed import Untold
from tests.support.pieces import small_pieces


def test_json_progress_reports_every_ply_of_a_solve(tmp_path: Path) -> None:
    command = ["solve", "connect", "rows=3", "columns=4", "--engine", "layers", "--json-progress"]
    result = succeeded(call(*command, "-o", tmp_path / "game.db"))
    lines = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
    forth = [line for line in lines if line["task"] == "finding states"]
    back = [line for line in lines if line["task"] == "labelling"]
    assert sorted({line["ply"] for line in forth}) == list(range(13))
    assert sorted({line["ply"] for line in back}, reverse=True) == list(range(12, -1, -1))
    assert forth[-1]["done"] == back[-1]["done"] == back[-1]["total"] == 12_031  # J. Tromp's count
    assert all(line["memory"] > 0 for line in lines)


def test_remaining_time_follows_from_the_speed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([10.0, 12.0, 12.5, 20.0])
    monkeypatch.setattr("solver.system.progress.monotonic", lambda: next(clock))
    with json_progress() as progress:
        progress("labelling", 100, 1100, 9)
        progress("labelling", 300, 1100, 8)
        progress("labelling", 301, 1100, 8)  # within a second: nothing is said
        progress("labelling", 1100, 1100, 0)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["done"] for line in lines] == [100, 300, 1100]
    assert [line["per_second"] for line in lines] == [None, 100, 100]
    assert [line["seconds_left"] for line in lines] == [None, 8.0, 0.0]


def test_changed_total_does_not_restart_the_estimate(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([5.0, 10.0, 12.0, 14.0, 20.0, 22.0, 24.0])
    monkeypatch.setattr("solver.system.progress.monotonic", lambda: next(clock))
    with json_progress() as progress:
        progress("finding states", 900, None, None)  # by another engine, which gave up
        progress("finding states", 0, None, 0)
        progress("finding states", 200, 1200, 1)
        progress("finding states", 400, 800, 2)
        progress("finding states", 1000, 1000, 3)
        progress("finding states", 1000, 5000, 4)  # the last run was at its end
        progress("finding states", 1200, 5000, 4)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["seconds_left"] for line in lines] == [None, None, 10.0, 4.0, 0.0, None, 38.0]


class Terminal(StringIO):
    """A terminal that keeps what is written to it."""

    def isatty(self) -> bool:
        return True


def test_bar_continues_when_the_total_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tqdm[Any]] = []

    def bar(**options: Any) -> "tqdm[Any]":
        made.append(tqdm(**options))
        return made[-1]

    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr("tqdm.tqdm", bar)
    with terminal_progress() as progress:
        for done, total in [(10, None), (40, 100), (60, 90), (95, None), (120, 200)]:
            progress("finding states", done, total, 3)
            assert [(item.n, item.total) for item in made] == [(done, total)]
        progress("sorting states", 10, 10)
        progress("sorting states", 10, 20)  # that of the next layer
    assert [(item.n, item.total) for item in made] == [(120, 200), (10, 10), (10, 20)]


def lines(monkeypatch: pytest.MonkeyPatch, *reports: tuple[Any, ...]) -> list[str]:
    """What a terminal of 80 columns shows of reports; the clock goes a second at each look."""
    clock = iter(range(10**6))
    monkeypatch.setattr("solver.system.progress.monotonic", lambda: float(next(clock)))
    monkeypatch.setattr("tqdm.std.time", lambda: float(next(clock)))
    reader, writer = os.openpty()
    termios.tcsetwinsize(writer, (24, 80))
    with open(writer, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        with terminal_progress() as progress, measured_by(lambda: Usage(123_456_000_000)):
            for report in reports:
                progress(*report)
    shown = b""
    with suppress(OSError):  # at the end
        while True:
            shown += os.read(reader, 1 << 10)
    os.close(reader)
    return [line for line in shown.decode().split("\r") if line.strip()]


def test_bar_fits_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    done = range(12_300_000_000, 13_200_000_000, 100_000_000)
    shown = lines(monkeypatch, *(("finding states", item, 69_200_000_000, 23) for item in done))
    assert max(map(len, shown)) <= 80
    task, bar, figures = shown[-1].split("|")
    assert task == "finding states, ply 23 "
    assert len(bar) > 16
    assert re.fullmatch(r" 13.1G/69.2G, \d\d:\d\d left, 123,456 MB", figures)


def test_sentence_above_the_bar_wraps_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = str(forecast(expected_count(Folding(Connect(6, 6, 4))), Path(), LAYERS, fold=False))
    assert len(sentence) > 160
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    monkeypatch.setenv("COLUMNS", "80")
    with terminal_progress() as progress:
        monkeypatch.setattr("solver.system.progress.PATIENCE", -10)
        progress("finding states", 5, 10)
        say(sentence)
    before, *shown = terminal.getvalue().partition(sentence[:40])
    assert before.endswith("\r")
    said = "".join(shown).partition("\r")[0]
    assert said.split() == sentence.split()
    assert said.endswith("\n")
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize(("done", "line"), [(1000, "finding: 4.00k states, "), (0, "finding, 0")])
def test_line_without_a_total_shows_the_count(monkeypatch: pytest.MonkeyPatch, done: int, line: str) -> None:
    shown = lines(monkeypatch, *(("finding", nth * done, None) for nth in range(5)))
    assert shown[-1].startswith(line)
    assert "?" not in shown[-1]


def test_remaining_time_covers_all_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 10 states a second finding has 50 s to go, and labelling takes three times the 100 s of finding."""
    assert seconds_left(monkeypatch, "finding", 500, 1000) == 50 + 300 + 100
    assert seconds_left(monkeypatch, "labelling", 500, 1000) == pytest.approx(50 + 100 / 3)
    assert seconds_left(monkeypatch, "writing", 900, 1000) == 10
    assert seconds_left(monkeypatch, "finding", 500, None) is None


def seconds_left(monkeypatch: pytest.MonkeyPatch, task: str, done: int, total: int | None) -> float | None:
    """The seconds that a bar says are left for finding, labelling and writing, from `done` on."""
    times, shares = list[float](), {"finding": 1.0, "labelling": 3.0, "writing": 1.0}
    clock = [0.0]

    class Bar(tqdm):  # type: ignore[type-arg]
        @staticmethod
        def format_interval(t: float) -> str:
            times.append(t)
            return "some time"

    with monkeypatch.context() as patch:
        patch.setattr("sys.stderr", Terminal())
        patch.setattr("tqdm.tqdm", Bar)
        patch.setattr("solver.system.progress.monotonic", lambda: clock[0])
        patch.setattr("tqdm.std.time", lambda: clock[0])
        with terminal_progress(shares=shares) as progress:
            for clock[0], now in ((0.0, done - 100), (10.0, done)):
                progress(task, now, total)
            times.clear()
            progress("sorting", 1, 3)  # in the midst of it
    return times[-1] if times else None


def test_layers_solve_estimates_its_number_of_states(tmp_path: Path) -> None:
    for game, known in [(Connect(4, 4, 4), 161_029), (Connect(4, 4, 3), None)]:
        recorded = Recorded()
        solve(game, tmp_path / "game.db", engine="layers", force=True, progress=recorded)
        steps = recorded.tasks["finding states"]
        assert all(total is None or done <= total for done, total in steps)
        totals = [total for _, total in steps if total is not None]
        assert steps[0] == (1, known)
        assert len(set(totals)) > 3 if known is None else set(totals) == {known}


@pytest.mark.parametrize("fold", [False, True])
def test_loops_solve_takes_its_total_from_states_at_most(tmp_path: Path, fold: bool) -> None:
    game, recorded = Quixo(3, 3, 3), Recorded()
    bound, options = game.states_at_most(), SolveOptions(fold=fold, progress=recorded)
    write_loops(PackedStarts(game, options), tmp_path / "game.db", WorkFolder(tmp_path / "work"))
    in_class = 1 + len(game.symmetries())  # also without --fold one state of each class is found
    classes = bound // (2 * in_class if fold else in_class)  # and with it none with exchanged players
    assert {total for _, total in recorded.tasks["finding states"]} == {classes}


@pytest.mark.parametrize("of_cluster", [False, True])
def test_json_progress_reports_cluster_memory_and_workers(
    capsys: pytest.CaptureFixture[str], of_cluster: bool
) -> None:
    with json_progress() as progress:
        with measured_by(lambda: Usage(12, 3)) if of_cluster else nullcontext():
            progress("labelling", 1, 2)
        progress("finding states", 1, 2)
    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert (first.get("workers"), first["memory"] == 12) == ((3, True) if of_cluster else (None, False))
    assert "workers" not in second


class Recorded:
    """What a progress was told."""

    def __init__(self) -> None:
        self.tasks: dict[str, list[tuple[int, int | None]]] = {}

    def __call__(self, task: str, done: int, total: int | None, ply: int | None = None, /) -> None:
        self.tasks.setdefault(task, []).append((done, total))


@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("by", ["windows", "sorting"])
@pytest.mark.parametrize("tells", [True, False])
def test_each_phase_of_a_layers_solve_reports_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fold: bool, by: str, tells: bool
) -> None:
    """In pieces of a few states, and blocks likewise, so that each phase has several."""
    small_pieces(monkeypatch)
    monkeypatch.setattr("solver.engines.storage.context.SolveContext.keys_per_sort", 50)
    if by == "windows":
        pytest.importorskip("numba")
        monkeypatch.setattr("solver.engines.layers.windows.merge.CHILDREN_PER_SHARE", 50)
    least = 1 if by == "windows" else 1 << 62
    monkeypatch.setattr("solver.engines.layers.matching.MIN_STATES_FOR_WINDOWS", least)
    monkeypatch.setattr("solver.engines.layers.matching.MAX_GAP_FOR_BITS", 1 << 62)
    recorded, game = Recorded(), Connect(3, 3, 3) if tells else Untold(3, 3, 3)
    solve(game, tmp_path / "game.db", engine="layers", fold=fold, progress=recorded)
    folding = {"folding states", "sorting folded states"} if fold else set[str]()
    forth = {"dividing states", *folding} if by == "windows" else {"sorting states"}
    again = set[str]() if tells else {"looking for repeats"}
    back = {"adding symmetric states"} if fold else set[str]()
    in_order = {"finding states", "labelling", "writing the file"}  # the others some once for each layer
    assert set(recorded.tasks) == in_order | forth | again | back
    for task, steps in recorded.tasks.items():
        done = [item for item, _ in steps]
        assert len(set(done)) > 3, task
        assert task not in in_order or done == sorted(done)
        assert steps[-1][1] in (None, steps[-1][0]), task


@pytest.mark.parametrize("layout", ["readable", "packed"])
def test_conversion_reports_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str) -> None:
    other = "packed" if layout == "readable" else "readable"
    solve(Connect(3, 3, 3), tmp_path / "game.db", engine="graph", layout=other)
    monkeypatch.setattr("solver.engines.conversion.STATES_PER_LOOKUP", 100)
    recorded = Recorded()
    with open_database(tmp_path / "game.db") as db:
        convert(db, tmp_path / "other.db", layout, progress=recorded)
    with open_database(tmp_path / "other.db") as db:
        assert recorded.tasks["converting"][-1] == (len(db), len(db))
    assert len(recorded.tasks["converting"]) > 3


@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("layout", ["readable", "packed"])
def test_each_phase_of_verification_reports_progress(tmp_path: Path, layout: str, fold: bool) -> None:
    solve(Untold(3, 3, 3), tmp_path / "game.db", engine="graph", layout=layout, fold=fold)
    recorded = Recorded()
    with open_database(tmp_path / "game.db") as db:
        assert verify_database(db, progress=recorded) == []
        assert recorded.tasks["verify"][-1] == (len(db), len(db))
    repeats = {"looking for repeats"} if layout == "packed" else set[str]()
    assert set(recorded.tasks) == {"verify", "checking the digest", *repeats}
    assert all(len(recorded.tasks[task]) > 3 for task in ("verify", "checking the digest"))


def test_waiting_reports_progress_repeatedly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.system.progress.PATIENCE", 0.01)
    tasks, twice, before = list[str](), Event(), active_count()

    def tell(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        tasks.append(task)
        if len(tasks) > 1:
            twice.set()

    with waiting(tell, "checking the file"):
        assert twice.wait(60)
    assert set(tasks) == {"checking the file"}
    assert active_count() == before


@pytest.mark.parametrize("layout", ["readable", "packed"])
def test_exceptions_of_progress_reach_the_caller(tmp_path: Path, layout: str) -> None:
    def give_up(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        raise LookupError(task)

    with pytest.raises(LookupError, match="finding states"):
        explore(TicTacToe(), progress=give_up)
    with pytest.raises(LookupError, match="finding"):
        solve(TicTacToe(), tmp_path / "game.db", layout=layout, progress=give_up)
    solve(TicTacToe(), tmp_path / "game.db", layout=layout)
    with open_database(tmp_path / "game.db") as db, pytest.raises(LookupError, match="verify"):
        verify_database(db, progress=give_up)
