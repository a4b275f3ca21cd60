"""Games with loops on a cluster: the bytes of one process, wherever the solve is interrupted."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from os import listdir
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from numpy.typing import NDArray

from solver import load_game, open_database, solve, verify_database
from solver.database.packed.keys import gap_codec
from solver.engines.loops.labels import labelling, ranges
from solver.engines.loops.labels.array_file import ArrayFile, write_arrays
from solver.engines.loops.workplace import SOLVED
from solver.engines.storage import merging
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.work_folder import WorkFolder
from solver.errors import DamagedWork
from solver.game import ENDLESS, AnyGame
from tests.engines.loops.test_solve import GAMES as FEWER_GAMES, divided, solved
from tests.support.cluster import free_port, started
from tests.support.games.packed import Coins, Table, exchanged_loops
from tests.support.key_files import write_pieces
from tests.support.killed import Killed

GAMES = st.one_of(FEWER_GAMES, exchanged_loops())


def by_tasks(game: AnyGame, folder: Path, **options: Any) -> bytes:
    """The packed database of a game, solved as a large one on a cluster."""
    path = folder / "tasks.db"
    solve(game, path, layout="packed", engine="arrays", cluster="local:2", force=True, **options)
    return path.read_bytes()


@contextmanager
def threads_for_workers() -> Iterator[None]:
    """Have the threads of this process do the tasks of clusters, which load no game for that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.engines.choose.MAX_STATES_FOR_READABLE", 0)
        patch.setattr("solver.engines.loops.solve.cluster_for", lambda *_: nullcontext())
        yield


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(GAMES, st.sampled_from(list(ENDLESS)), st.booleans(), st.integers(1, 9))
def test_tasks_write_the_file_of_one_process(game: Table, endless: str, fold: bool, changes: int) -> None:
    endless = "draw" if game.exchanged(game.initial) is not None else endless
    with TemporaryDirectory() as name, threads_for_workers(), divided(changes):
        whole = solved(game, Path(name), large=True, endless=endless, fold=fold)
        assert by_tasks(game, Path(name), endless=endless, fold=fold) == whole


ARRAYS = {"engine": "arrays", "layout": "packed"}

TEEKO = load_game("teeko", {"rows": 3, "columns": 3})
"""A game of a few thousand states, with tiers and symmetries."""


LARGER = (TEEKO, load_game("morris"), load_game("quixo", {"rows": 3, "columns": 3, "k": 3}))


@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize(
    ("game", "options"),
    [
        (load_game("connect", {"rows": 3, "columns": 4, "k": 3}), {"engine": "layers", "layout": "packed"}),
        (load_game("quixo", {"rows": 2, "columns": 3, "k": 3}), ARRAYS),
        (TEEKO, {"layout": "readable"}),
        *(pytest.param(game, ARRAYS, marks=pytest.mark.slow) for game in LARGER),
    ],
    ids=str,
)
def test_cluster_and_one_machine_write_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheduler: str, game: AnyGame, options: Any, fold: bool
) -> None:
    said, files, work = list[str](), [tmp_path / "game.db", tmp_path / "alone.db"], tmp_path / "work"
    options = {**options, "fold": fold}
    for limit in ("GRAPH", "READABLE"):
        monkeypatch.setattr(f"solver.engines.choose.MAX_STATES_FOR_{limit}", 0)
    solve(game, files[0], cluster=scheduler, work=work, say=said.append, **options)
    solve(game, files[1], **options)
    assert said[-1].startswith(f"2 workers see {work}; their dashboard: http://")
    assert {*tmp_path.iterdir()} == {*files}
    assert files[0].read_bytes() == files[1].read_bytes()
    with open_database(files[0], errors="replace") as db:
        assert verify_database(db, cluster=scheduler if options["layout"] == "packed" else None) == []


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.slow), 1, 2])
def test_killed_solves_resume_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """By other parts, too, as on a cluster with other workers, or where less fits into memory."""
    whole, random, kills = solved(Coins(), tmp_path, large=True), Random(seed), 0
    (tmp_path / "game.db").unlink()
    monkeypatch.setattr("solver.engines.choose.MAX_STATES_FOR_READABLE", 0)
    monkeypatch.setattr(labelling, "SECONDS_TO_REPEAT", 0)
    finish, new_shard = WorkFolder.finish, WorkFolder.new_shard
    while not (tmp_path / "game.db").exists():
        left = random.randrange(1, 40)

        def count() -> None:
            nonlocal left
            if (left := left - 1) < 0:
                raise Killed

        def finish_once(*arguments: Any) -> None:
            count()
            finish(*arguments)

        def shard_once(*arguments: Any) -> Any:
            count()
            return new_shard(*arguments)

        with monkeypatch.context() as meanwhile, threads_for_workers(), divided(random.randrange(1, 9)):
            meanwhile.setattr(WorkFolder, "finish", finish_once)
            meanwhile.setattr(WorkFolder, "new_shard", shard_once)
            meanwhile.setattr("solver.engines.storage.resumable.SHARDS_PER_THREAD", random.randrange(1, 5))
            meanwhile.setattr(ranges, "STATES_PER_RANGE", random.randrange(3, 30))
            room = random.choice([100, 1000, 1 << 30])
            meanwhile.setattr("solver.engines.storage.resumable.memory_for_files", lambda _, room=room: room)
            cluster = random.choice(["local:2", "local:3", None])
            with suppress(Killed):
                solve(Coins(), tmp_path / "game.db", engine="arrays", layout="packed", cluster=cluster)
                break
            kills += 1
    assert (tmp_path / "game.db").read_bytes() == whole
    assert kills > 3
    assert [path.name for path in tmp_path.iterdir()] == ["game.db"]


NUMBERS = st.lists(st.integers(0, 60), unique=True)


@given(NUMBERS, NUMBERS, st.integers(1, 4))
def test_ranks_in_returns_the_place_of_each_key(known: list[int], asked: list[int], pieces: int) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "PIECES_TO_SEARCH", pieces)
        write_pieces(Path(name, "keys"), gap_codec.packed(np.array(sorted(known), np.int64), 3))
        states, keys = KeyFile(Path(name, "keys")), np.array(sorted(asked), np.int64)
        ranks = merging.ranks_in(states, keys).tolist()
    places = {key: place for place, key in enumerate(sorted(known))}
    assert ranks == [places.get(key, -1) for key in sorted(asked)]


def test_truncated_array_file_is_refused(tmp_path: Path) -> None:
    arrays: list[NDArray[Any]] = [np.arange(5), np.empty(0, np.uint32), np.arange(3, dtype=np.uint32)]
    context: Any = type("Context", (), {"work": WorkFolder(tmp_path), "need_disk": lambda _, size: None})()
    place = 7, "some.run", 1
    write_arrays(context, *place, arrays)
    for nth, array in enumerate(arrays):
        assert ArrayFile(context.work, *place).read(nth, array.dtype).tolist() == array.tolist()
    path = tmp_path / "0007.some.run.1"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DamagedWork, match="does not have the length it states: remove the folder"):
        ArrayFile(context.work, *place)


def test_stage_without_its_record_is_refused(tmp_path: Path) -> None:
    context: Any = type("Context", (), {"work": WorkFolder(tmp_path)})()
    with pytest.raises(DamagedWork, match=r"has lost 0003\.reached: remove the folder"):
        SOLVED.open_states(context, 3)


@pytest.mark.slow  # a solve is killed after about a second each time, and the scheduler once
def test_solve_resumes_after_driver_and_scheduler_are_killed(tmp_path: Path) -> None:
    larger = load_game("quixo", {"rows": 3, "columns": 4, "k": 3})
    whole, port, random, kills = solved(larger, tmp_path, large=True), free_port(), Random(1), 0
    game = ["quixo", "rows=3", "columns=4", "k=3", "--layout", "packed"]
    address, path = f"tcp://127.0.0.1:{port}", tmp_path / "driven.db"
    command = [sys.executable, "-m", "solver", "solve", *game, "--cluster", address, "-o", str(path)]
    for scheduler_dies in (True, False):
        with started(port) as programs:
            time.sleep(3)
            while not path.exists():
                driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                steps = steps_in(tmp_path)
                while driver.poll() is None and steps_in(tmp_path) < steps + random.randint(3, 9):
                    time.sleep(0.02)
                if driver.poll() is not None:
                    continue
                kills += 1
                if scheduler_dies and kills == 2:
                    programs[0].kill()
                    assert driver.wait() == 4
                    break
                driver.send_signal(signal.SIGKILL)
                driver.wait()
    assert path.read_bytes() == whole
    assert kills >= 5


def steps_in(folder: Path) -> int:
    """The number of finished steps in the work folder of a solve."""
    return sum(len([*folder.glob(f"*.work/*.{kind}*")]) for kind in ("round", "linked", "labelled"))


def test_drop_lists_the_folder_once_for_all_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = list[Path]()
    names = ["0007.open.0", "0007.open.11", "0007.labels", "0007.opened.0", "0070.open.0"]
    for name in names:
        (tmp_path / name).touch()

    def counted(path: Path) -> list[str]:
        if path == tmp_path:  # a thread that an earlier test began may list other folders
            listed.append(path)
        return listdir(path)

    for module in ("os.listdir", "os.scandir"):
        monkeypatch.setattr(module, counted)
    WorkFolder(tmp_path).drop(7, "open", "terminal", "labels")
    assert sorted(listdir(tmp_path)) == names[3:]
    assert listed == [tmp_path]
