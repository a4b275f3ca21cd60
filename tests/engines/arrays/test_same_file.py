"""The arrays engine writes the file of the graph engine, whichever process asks the rules."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from solver import load_game, open_database, solve, verify_database
from solver.engines.arrays import asking, rules_pool
from solver.engines.arrays.worker import RulesOpening
from solver.errors import BrokenRules, OtherWork, TooLarge, UnfitRules
from solver.rules.named import fingerprint
from solver.rules.source import trust
from solver.system.cluster_pool import DaskPool
from solver.system.executors import WorkerPool
from solver.system.plugins import release
from tests.benchmarks import race
from tests.support.commandline import children_of

RULES = """
import os
import sys
import time
from typing import NamedTuple
from solver import Game

HERE = "pytest" in sys.modules

class Heap(NamedTuple):
    left: int
    mover: int

class Take(Game):
    players = ("ann", "bob")
    initial = Heap(40, 0)
    def to_move(self, state): return state.mover
    def actions(self, state):
        print("asked")
        return [n for n in (1, 2, 5) if n <= state.left] + ["back"] * (state.left in (7, 20))
    def result(self, state, action):
        return Heap(25 if action == "back" else state.left - action, 1 - state.mover)
    def utility(self, state): return 1 if state.mover else -1
    def action_name(self, action): return str(action)
    def position(self, state): return f"{state.left} {self.players[state.mover]}"
    def parse(self, text):
        left, mover = text.split()
        return Heap(int(left), self.players.index(mover))

class Slow(Take):
    def actions(self, state):
        time.sleep(0.005)
        return super().actions(state)

class Elsewhere(Take):
    def actions(self, state): return super().actions(state)[::1 if HERE else -1]

class Ends(Take):
    def actions(self, state):
        if state.left == 20 and not HERE:
            os._exit(7)
        return super().actions(state)

class Fails(Take):
    def actions(self, state): return super().actions(state) if state.left != 20 else 1 // 0

class Unpicklable(Heap):
    def __reduce__(self):
        raise TypeError("not for others")

class Keeps(Take):
    initial = Unpicklable(40, 0)
    def result(self, state, action): return Unpicklable(*super().result(state, action))
    def parse(self, text): return Unpicklable(*super().parse(text))
"""

GAMES: list[Any] = [
    ("tictactoe", {}, {}),
    ("ponghauki", {}, {"endless": "second", "fold": True}),
    ("othello", {"rows": 2, "columns": 6}, {}),
    ("nim", {"heaps": (1, 3, 5)}, {"endless": "first"}),
    ("kayles", {"n": 9}, {"start": "||||.|||| second"}),
    ("openspiel", {"game": "breakthrough(rows=3,columns=3)"}, {}),
    pytest.param("morris", {}, {"endless": "second", "fold": True}, marks=pytest.mark.slow),
    pytest.param("morris", {"variant": "nine-holes"}, {"fold": True}, marks=pytest.mark.slow),
    pytest.param("lgame", {}, {}, marks=pytest.mark.slow),
    pytest.param("chess-ending", {"pieces": "KQK"}, {"fold": True}, marks=pytest.mark.slow),
    pytest.param("mnk", {"rows": 3, "columns": 4, "k": 3}, {}, marks=pytest.mark.slow),
]


@pytest.fixture
def many_workers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let three workers ask from the second chunk on; the number of processes of each pool."""
    started = list[int]()

    class Noted(WorkerPool):
        def __init__(self, module: str, opening: object, processes: int) -> None:
            started.append(processes)
            super().__init__(module, opening, processes)

    monkeypatch.setattr(rules_pool, "WorkerPool", Noted)
    monkeypatch.setattr(rules_pool, "cores", lambda: 3)
    monkeypatch.setattr(asking, "NARROW", 0)
    for limit in ("SECONDS_ALONE", "SECONDS_PER_CHUNK", "TIMES_SENDING"):
        monkeypatch.setattr(rules_pool, limit, 0)
    return started


def by_engine(game: Any, folder: Path, engine: str, **options: Any) -> bytes:
    """The file that an engine writes."""
    solve(game, folder / "game.db", engine=engine, force=True, **options)
    return (folder / "game.db").read_bytes()


@pytest.mark.parametrize(("name", "parameters", "options"), GAMES)
def test_graph_and_arrays_engines_write_the_same_bytes(
    name: str, parameters: dict[str, Any], options: dict[str, Any], tmp_path: Path
) -> None:
    game = load_game(name, parameters)
    files = {by_engine(game, tmp_path, engine, **options) for engine in ("graph", "arrays", "auto")}
    assert len(files) == 1


def ruled(folder: Path, name: str) -> Any:
    """The game of this name from a rules file."""
    (folder / "rules.py").write_text(RULES)
    return load_game(f"{folder / 'rules.py'}:{name}")


@pytest.mark.parametrize(
    ("name", "most", "pools"),
    [("Take", 1, 1), ("Take", 3, 1), ("Take", 1000, 1), ("Elsewhere", 1000, 1), ("Keeps", 1000, 0)],
)
def test_worker_processes_write_the_file_of_the_graph_engine(
    tmp_path: Path, many_workers: list[int], monkeypatch: pytest.MonkeyPatch, name: str, most: int, pools: int
) -> None:
    """Neither in chunks, nor where rules answer otherwise elsewhere or their states cannot be sent."""
    monkeypatch.setattr(rules_pool, "MAX_CHUNK", most)
    game = ruled(tmp_path, name)
    alone = by_engine(game, tmp_path, "graph")
    assert (by_engine(game, tmp_path, "arrays"), many_workers, workers()) == (alone, [3] * pools, [])
    with open_database(tmp_path / "game.db") as db:
        assert verify_database(db) == []


def test_workers_start_only_for_slow_rules_on_several_cores(
    tmp_path: Path, many_workers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_pool, "TIMES_SENDING", 1000)
    assert by_engine(load_game("nim"), tmp_path, "arrays")
    assert many_workers == []
    monkeypatch.setattr(rules_pool, "TIMES_SENDING", 4)
    slow = ruled(tmp_path, "Slow")
    assert by_engine(slow, tmp_path, "arrays")
    assert many_workers == [3]
    monkeypatch.setattr(rules_pool, "cores", lambda: 1)
    assert by_engine(slow, tmp_path, "arrays")
    assert many_workers == [3]


def test_ended_worker_is_reported(tmp_path: Path, many_workers: list[int]) -> None:
    with pytest.raises(TooLarge, match="a worker process has ended"):
        by_engine(ruled(tmp_path, "Ends"), tmp_path, "arrays")
    assert (workers(), many_workers) == ([], [3])


def test_workers_report_broken_rules_like_the_graph_engine(tmp_path: Path, many_workers: list[int]) -> None:
    game, said = ruled(tmp_path, "Fails"), list[str]()
    for engine in ("graph", "arrays"):
        with pytest.raises(BrokenRules, match=r"fail in actions in the state Heap\(left=20") as caught:
            by_engine(game, tmp_path, engine)
        said.append(str(caught.value))
    assert (said[0], many_workers) == (said[1], [3])
    assert workers() == []


@pytest.fixture
def busy_cluster(monkeypatch: pytest.MonkeyPatch, scheduler: str) -> str:
    """The address of a cluster that is asked from the second chunk on."""
    monkeypatch.setattr(asking, "NARROW", 0)
    monkeypatch.setattr(rules_pool, "SECONDS_PER_CHUNK", 0)
    return scheduler


@pytest.mark.parametrize("name", ["Take", pytest.param("Slow", marks=pytest.mark.slow)])
def test_cluster_workers_apply_the_rules_of_a_file(
    tmp_path: Path, busy_cluster: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, asked = ruled(tmp_path, name), list[object]()
    alone = by_engine(game, tmp_path, "graph")
    through = DaskPool.map

    def noted(pool: DaskPool, tasks: Iterable[Any], *arguments: Any) -> Iterator[Any]:
        asked.extend(tasks := [*tasks])
        return through(pool, tasks, *arguments)

    monkeypatch.setattr(DaskPool, "map", noted)
    assert by_engine(game, tmp_path, "arrays", cluster=busy_cluster) == alone
    said = list[str]()
    assert by_engine(game, tmp_path, "auto", cluster=busy_cluster, say=said.append) == alone
    assert said == ["2 workers are asked the rules"]
    assert len(asked) > 10


@pytest.mark.slow  # five seconds each on one machine
@pytest.mark.parametrize("name", ["lgame", f"{Path(race.__file__)}:Race"])
def test_cluster_workers_apply_the_rules_of_larger_games(tmp_path: Path, scheduler: str, name: str) -> None:
    game = load_game(name, {} if name == "lgame" else {"length": 25, "tank": 12})
    alone = by_engine(game, tmp_path, "arrays", layout="readable")
    assert by_engine(game, tmp_path, "arrays", layout="readable", cluster=scheduler) == alone


@pytest.mark.parametrize(
    ("name", "error", "reason"),
    [
        ("Elsewhere", OtherWork, "the workers of the cluster give other answers than the rules give here"),
        ("Keeps", UnfitRules, "the states cannot be sent to a cluster: .*not for others"),
        ("Fails", BrokenRules, r"fail in actions in the state Heap\(left=20"),
    ],
)
def test_cluster_refuses_rules_it_cannot_apply(
    tmp_path: Path, busy_cluster: str, name: str, error: type[Exception], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        by_engine(ruled(tmp_path, name), tmp_path, "arrays", cluster=busy_cluster)


def test_cluster_refuses_worker_with_other_rules_or_release(tmp_path: Path, scheduler: str) -> None:
    ruled(tmp_path, "Take")
    place = f"{tmp_path / 'rules.py'}:Take"
    own = RulesOpening(place, {}, False, trust.allowed(), release(), fingerprint(place).play)
    for opening, reason in (
        (own._replace(play="other"), f"it has other rules of {place}"),
        (own._replace(program="0.0"), r"it has perfectplay .*, the solve is by 0\.0"),
    ):
        with pytest.raises(OtherWork, match=rf"the worker tcp://.* cannot take part: {reason}"):
            DaskPool(scheduler, rules_pool.WORKER, opening)


def workers() -> list[psutil.Process]:
    """The processes that this one has started to ask rules and that are still there."""
    return children_of("solver.engines.arrays.worker")
