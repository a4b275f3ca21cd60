"""A solve on a cluster writes the file of one machine, whatever happens to the workers."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil
import pytest

from solver import load_game, open_database, solve, verify_database
from solver.engines.layers.opened import Layers
from solver.engines.storage.context import Job
from solver.engines.storage.records import FORMAT, JobRecord
from solver.engines.storage.work_folder import WorkFolder
from solver.errors import ClusterLost, OtherWork, TargetBusy, UsageError
from solver.games.connect import Connect
from solver.proof.packed.verify import WORKER
from solver.rules.loading import game_parameters
from solver.system.cluster_pool import DaskPool
from solver.system.files import alone_in
from tests.support.cluster import free_port, mortal_workers, started
from tests.support.commandline import PROGRAM, call, refusal
from tests.support.solved import solved_file

GAME, LARGER = Connect(3, 4, 3), Connect(4, 4, 4)


def by_threads(game: Connect) -> Path:
    """The file of a game that is solved without a cluster."""
    return solved_file("connect", game_parameters(game), engine="layers", layout="packed")


def test_cluster_and_one_machine_find_the_same_altered_labels(tmp_path: Path, scheduler: str) -> None:
    path = shutil.copy(by_threads(GAME), tmp_path / "game.db")
    lie = sqlite3.connect(path)
    with closing(lie), lie:
        lie.execute("update blocks set labels = null where stage = 5")
    with open_database(path, errors="replace") as db:
        expected = verify_database(db)
        assert expected
        assert verify_database(db, cluster=scheduler) == expected


def test_small_game_is_solved_without_the_cluster(tmp_path: Path, scheduler: str) -> None:
    said, tictactoe = list[str](), load_game("tictactoe")
    files = [tmp_path / "alone.db", tmp_path / "cluster.db"]
    solve(tictactoe, files[0])
    solve(tictactoe, files[1], cluster=scheduler, say=said.append)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert said == ["this game has so few states that it was solved here, without the cluster"]


def test_cluster_refuses_graph_engine_and_readable_files(tmp_path: Path, scheduler: str) -> None:
    with pytest.raises(UsageError, match="a cluster cannot work for the graph engine: use --engine auto"):
        solve(GAME, tmp_path / "game.db", engine="graph", cluster=scheduler)
    solve(GAME, tmp_path / "readable.db", layout="readable")
    reason = "a cluster proves packed files only, .* is readable"
    with open_database(tmp_path / "readable.db") as db, pytest.raises(UsageError, match=reason):
        verify_database(db, cluster=scheduler)


def job(folder: Path) -> Job:
    """A solve that others may join."""
    parameters = json.dumps({"rows": 3, "columns": 4, "k": 3})
    named = version("perfectplay"), "layers", "connect", "", parameters
    record = JobRecord(FORMAT, *named, [], "draw", degree=0)
    WorkFolder(folder).begin(asdict(record), force=False)
    return Job(folder, record, "connect", 0, 1 << 30, 1, 4, 4)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"program": "0.0"}, r"it has perfectplay .*, the solve is by 0\.0"),
        ({"rules": "other"}, "it does not see the work of this solve in"),
        ({}, "it has other rules of connect"),
    ],
)
def test_other_workers_are_refused(
    tmp_path: Path, scheduler: str, change: dict[str, Any], reason: str
) -> None:
    begun = job(tmp_path / "work")
    other = replace(begun, record=replace(begun.record, **change))
    with pytest.raises(OtherWork, match=rf"the worker tcp://.* cannot take part: {reason}"):
        DaskPool(scheduler, "solver.engines.storage.steps", (Layers, other))


@pytest.mark.parametrize("other", [None, "mnk"])
def test_proof_by_workers_that_do_not_see_the_file_is_refused(
    tmp_path: Path, scheduler: str, other: str | None
) -> None:
    """Which is missing on the machines of the workers, or they have another one."""
    path = tmp_path / "game.db"
    if other is not None:
        shutil.copy(solved_file(other, layout="packed"), path)
    opening = path, "0" * 64, "connect", None, False, frozenset[str]()
    reason = f"it does not see this file at {path}: put it into a folder that all workers share"
    with pytest.raises(OtherWork, match=rf"the worker tcp://.* cannot take part: {reason}"):
        DaskPool(scheduler, WORKER, opening)


def test_foreign_work_folder_is_refused_and_left_unchanged(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    for work, status in (("mine", 2), ("mine/letter.txt", 2), ("none/work", 4)):
        options = ["--engine", "layers", "--work", tmp_path / work, "--force"]
        command = ["solve", "connect", "rows=3", "columns=3", *options, "-o", tmp_path / "game.db"]
        assert str(tmp_path) in refusal(status, *command)
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("is_named", [False, True])
def test_second_driver_of_a_work_folder_is_refused(tmp_path: Path, scheduler: str, is_named: bool) -> None:
    reason, work = "another process is working in .*work: wait for it", tmp_path / "game.db.work"
    named = work if is_named else None
    with alone_in(work), pytest.raises(TargetBusy, match=reason):
        solve(GAME, tmp_path / "game.db", engine="layers", cluster=scheduler, work=named)


@pytest.mark.parametrize("engine", ["layers", "arrays"])
@pytest.mark.parametrize(
    ("address", "status", "reason"),
    [
        ("here", 2, "'here' is not the address of a scheduler"),
        ("tcp://127.0.0.1:9", 4, "there is no scheduler"),
    ],
)
def test_wrong_cluster_address_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, address: str, status: int, reason: str
) -> None:
    monkeypatch.setattr("solver.system.cluster_pool.SECONDS_TO_CONNECT", 0.1)
    monkeypatch.setattr("solver.engines.choose.MAX_STATES_FOR_READABLE", 0)
    options = ["--engine", engine, "--cluster", address, "-o", tmp_path / "game.db"]
    result = call("solve", "tictactoe", *options)
    assert not [*tmp_path.iterdir()]
    assert (result.exit_code, reason in result.stderr) == (status, True)
    assert result.stderr.count("\n") <= 2


@pytest.mark.slow  # sixteen solves; of four workers, each lives some seconds in the mean
@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize(
    ("name", "parameters", "engine", "lifetime", "solves"),
    [
        ("connect", {}, "layers", "4 s", 5),
        ("quixo", {"rows": 3, "columns": 4, "k": 3}, "arrays", "6 s", 3),  # a million states, with loops
    ],
)
def test_repeatedly_killed_workers_write_the_same_file(
    tmp_path: Path, name: str, parameters: dict[str, int], engine: str, lifetime: str, solves: int, fold: bool
) -> None:
    game, options = load_game(name, parameters), {"engine": engine, "layout": "packed", "fold": fold}
    whole = solved_file(name, parameters, **options).read_bytes()
    for run in range(solves):
        path = tmp_path / f"{run}.db"
        with mortal_workers(lifetime) as address:
            solve(game, path, cluster=address, **options)  # type: ignore[arg-type]
        assert path.read_bytes() == whole


@pytest.mark.slow  # a scheduler is started twice, and killed once
def test_solve_resumes_after_the_scheduler_is_killed(tmp_path: Path) -> None:
    whole, port, path = by_threads(LARGER).read_bytes(), free_port(), tmp_path / "game.db"
    address = f"tcp://127.0.0.1:{port}"

    def killing(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        if ply == 10 and programs[0].poll() is None:
            programs[0].kill()

    with started(port) as programs:
        time.sleep(3)
        with pytest.raises(ClusterLost, match="has ended, or has no workers"):
            solve(LARGER, path, engine="layers", layout="packed", cluster=address, progress=killing)
    assert (tmp_path / "game.db.work" / "0009.found").exists()
    with started(port):
        time.sleep(3)
        solve(LARGER, path, engine="layers", layout="packed", cluster=address)
    assert path.read_bytes() == whole


def test_ctrl_c_while_workers_start_prints_no_traceback(tmp_path: Path) -> None:
    """It goes to all processes of a terminal, as here."""
    command = [str(PROGRAM), "solve", "connect", "--cluster", "local:2", "--engine", "layers", "-o", "a.db"]
    own: dict[str, Any] = {"start_new_session": True, "cwd": tmp_path, "text": True}
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, **own) as process:
        program = psutil.Process(process.pid)
        while sum("spawn_main" in str(child.cmdline()) for child in program.children(recursive=True)) < 2:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines()[-1] == "Error: interrupted: nothing is kept, the same command begins again"
    assert "Traceback" not in said
    assert not [*tmp_path.iterdir()]
