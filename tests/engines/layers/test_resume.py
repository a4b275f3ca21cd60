"""A solve that is interrupted at any moment resumes, and writes the same file."""

import errno
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, patch

import pytest

from solver import load_game, solve
from solver.database.packed.block import Block
from solver.engines.layers.opened import Layers
from solver.engines.storage.blocks import read_blocks
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.steps import Answer, OpenedSolve
from solver.engines.storage.summed_file import read_content
from solver.engines.storage.work_folder import WorkFolder
from solver.errors import DamagedWork, DiskFull, OtherWork, TooLarge
from solver.games.connect import Connect
from solver.rules.named import fingerprint
from solver.system.executors import OnProgress
from tests.support.altered import alter, flipped
from tests.support.key_files import write_content
from tests.support.killed import Killed
from tests.support.solved import solved_file

GAME = Connect(3, 4, 4)

COMMAND = [
    *(sys.executable, "-c", "from solver.cli import main; main()"),
    *("solve", "connect", "rows=5", "columns=4", "--engine", "layers", "-o"),
]
"""1,706,255 states: some seconds."""


MADE = {".found": "open terminal", ".folded": "representatives", ".labels": "labels", ".solved": "blocks"}
"""The kinds of files that each step makes."""


def killed(*_: object) -> None:
    raise Killed


@contextmanager
def killed_in(function: str) -> Iterator[None]:
    """Expect that what is done in the block calls this function, and dies there."""
    with pytest.MonkeyPatch.context() as meanwhile:
        meanwhile.setattr(function, killed)
        with pytest.raises(Killed):
            yield


def solved(folder: Path, *, fold: bool = False) -> bytes:
    """The database of `GAME`, solved in a folder."""
    path = folder / "game.db"
    solve(GAME, path, engine="layers", fold=fold)
    return path.read_bytes()


def undisturbed(rows: int, columns: int, *, fold: bool = False) -> bytes:
    """The database of a game of connect-4, solved without a break."""
    return solved_file("connect", {"rows": rows, "columns": columns}, engine="layers", fold=fold).read_bytes()


@pytest.fixture(scope="module")
def whole() -> bytes:
    """The database of `GAME`."""
    return undisturbed(3, 4)


def once(finish: Any) -> Any:
    """A way to finish steps that finishes one and dies with the next, whose files are half written then."""
    finished: list[str] = []

    def finish_once(work: WorkFolder, name: str, facts: dict[str, Any]) -> None:
        if not finished:
            finish(work, name, facts)
            finished.append(name)
            return
        for kind in MADE.get(name[4:], "").split():
            for path in work.path.glob(f"{name[:4]}.{kind}.*"):
                os.truncate(path, path.stat().st_size // 2)
        raise Killed(name)

    return finish_once


RULES = fingerprint("connect")


def test_small_solve_keeps_unfinished_work_of_another_solve(tmp_path: Path, whole: bytes) -> None:
    with killed_in("solver.engines.layers.solve.label_layers"):
        solved(tmp_path)
    assert solve(load_game("nim"), tmp_path / "game.db").engine == "graph"
    said: list[str] = []
    solve(GAME, tmp_path / "game.db", engine="layers", force=True, say=said.append)
    assert any(sentence.startswith("goes on with") for sentence in said)
    assert (tmp_path / "game.db").read_bytes() == whole


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rules": RULES.play}, None),
        ({"rules": RULES.code}, None),  # by which earlier versions know rules
        ({"rules": "0" * 64}, "of another solve"),
        ({"program": "0.0"}, "of another solve"),
        ({"parameters": '{"rows": 3, "columns": 3, "k": 4}'}, "of another solve"),
        ({"format": 1}, "of another release of perfectplay"),
        ({"format": None}, "of another release of perfectplay"),
    ],
)
def test_work_of_another_solve_or_release_is_refused(
    tmp_path: Path, whole: bytes, changed: dict[str, Any], said: str | None
) -> None:
    path, work = tmp_path / "game.db", WorkFolder(tmp_path / "game.db.work")
    with killed_in("solver.engines.layers.solve.label_layers"):
        solve(GAME, path, engine="layers")
    job = (work.facts("job.json") or {}) | changed
    work.finish("job.json", {key: value for key, value in job.items() if value is not None})
    if said:
        with pytest.raises(OtherWork, match=rf"^[^\n]* has the unfinished work {said}: [^\n]*$"):
            solve(GAME, path, engine="layers")
    solve(GAME, path, engine="layers", force=bool(said))
    assert path.read_bytes() == whole


@pytest.mark.parametrize("force", [False, True])
def test_foreign_folder_is_refused_and_left_unchanged(tmp_path: Path, force: bool) -> None:
    (folder := tmp_path / "game.db.work").mkdir()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(OtherWork, match="is no work folder of a solve: move it"):
        solve(GAME, tmp_path / "game.db", engine="layers", force=force)
    assert (folder / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("fold", [False, True])
def test_solve_resumes_from_each_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fold: bool) -> None:
    whole = undisturbed(3, 4, fold=fold)
    monkeypatch.setattr("solver.engines.layers.matching.MIN_STATES_FOR_WINDOWS", 1)
    path, kills, finish = tmp_path / "game.db", 0, WorkFolder.finish
    while not path.exists():
        monkeypatch.setattr(WorkFolder, "finish", once(finish))
        try:
            solve(GAME, path, engine="layers", fold=fold)
        except Killed:
            kills += 1
            assert [item.name for item in tmp_path.iterdir()] == ["game.db.work"]
    assert path.read_bytes() == whole
    assert kills > 2 * 12  # there are 13 layers, and two ways through them
    assert [item.name for item in tmp_path.iterdir()] == ["game.db"]


@dataclass(frozen=True)
class Square:
    """A task that squares a number, in a solve that lives for some tasks only."""

    number: int

    def run(self, layers: Layers, on_progress: OnProgress) -> Answer:
        if self.number in DONE or len(DONE) >= LIVES[0]:
            raise Killed
        DONE.append(self.number)
        on_progress(1)
        return {"states": 1, "square": self.number**2}


DONE, LIVES = list[int](), [0]


def opened_in(folder: Path) -> OpenedSolve:
    """A solve whose tasks are done one after the other."""
    context: Any = SimpleNamespace(work=WorkFolder(folder), map_ordered=map, keep_freed=Mock())
    return OpenedSolve(context)


@pytest.mark.parametrize("cut", [False, True])
def test_step_resumes_with_tasks_missing_from_its_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: bool
) -> None:
    monkeypatch.setattr("solver.system.ledger.SECONDS_TO_REPEAT", 0)
    DONE.clear()
    opened, tasks, done = opened_in(tmp_path), [Square(number) for number in range(9)], list[int]()
    for LIVES[0] in (0, 1, 4):
        with pytest.raises(Killed):
            opened.run("squares", tasks)
        if cut and LIVES[0] == 4:  # in the middle of a line
            ledger = tmp_path / "squares.ledger"
            ledger.write_bytes(ledger.read_bytes()[:-3])
            DONE.remove(3)
    LIVES[0] = 9
    answers = opened.run("squares", tasks, done.append)
    assert [answer["square"] for answer in answers] == [number**2 for number in range(9)]
    assert sorted(DONE) == list(range(9))
    assert sum(done) == 9
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("first", ["", "1\n", "[]\n[0, {}]\n", '"0"\n[0, {"states": 1, "square": 7}]\n'])
def test_invalid_ledger_is_discarded(tmp_path: Path, first: str) -> None:
    DONE.clear()
    LIVES[0] = 9
    (tmp_path / "squares.ledger").write_text(first)
    answers = opened_in(tmp_path).run("squares", [Square(0), Square(1)])
    assert [answer["square"] for answer in answers] == [0, 1]


def test_finished_work_counts_as_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bytes) -> None:
    bound = GAME.states_at_most()
    assert bound is not None
    disk = int(1.4 * bound) + 1

    def usage(folder: Path) -> Any:
        there = sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file())
        return SimpleNamespace(total=disk, free=disk - there)

    said: list[str] = []
    monkeypatch.setattr("solver.engines.forecast.LOOSEST_BOUND", 1)
    monkeypatch.setattr("solver.engines.forecast.shutil", SimpleNamespace(disk_usage=usage))
    monkeypatch.setattr("solver.engines.choose.MAX_STATES_FOR_READABLE", 0)
    with killed_in("solver.engines.layers.solve.label_layers"):
        solve(GAME, tmp_path / "game.db", engine="layers", say=said.append)
    assert usage(tmp_path).free < 1.4 * bound
    solve(GAME, tmp_path / "game.db", engine="layers", say=said.append)
    assert (tmp_path / "game.db").read_bytes() == whole
    forecasts = [sentence for sentence in said if "of disk for the work" in sentence]
    assert ["are there already" in sentence for sentence in forecasts] == [False, True]


OTHER_TYPES = '{"open_states": "1", "terminal": 0, "margin": 0, "is_confirmed": true, "shards": 1}'
"""Facts about a layer, one of which is text."""


def test_invalid_layer_records_are_computed_again(tmp_path: Path, whole: bytes) -> None:
    with killed_in("solver.engines.layers.solve.solution"):
        solved(tmp_path)
    wrong = ["", "{}", "[]", "null", "[" * 100_000, OTHER_TYPES]
    for ply, text in enumerate(wrong):
        write_content(tmp_path / "game.db.work" / f"{ply:04}.found", text.encode())
    assert solved(tmp_path) == whole


@pytest.mark.parametrize(
    "data",
    [*(b"", b"1", b"\xff" * 8, b"\x00" * 7 + b"\x7f", b"\x10" + b"\x00" * 7), b"1" * 40 + b"\x00" * 8],
)
def test_key_file_without_index_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "0000.open"
    write_content(path, data)
    with pytest.raises(DamagedWork, match=r"0000\.open has no index"):
        KeyFile(path)


@pytest.mark.parametrize(
    ("moment", "lost"),
    [
        ("layers.solve.solution", "0003.open.0"),
        ("layers.solve.solution", "0003.terminal.0"),
        ("storage.resumable.move_packed", "0005.blocks.0"),
    ],
)
def test_missing_work_file_is_refused(tmp_path: Path, moment: str, lost: str) -> None:
    with killed_in(f"solver.engines.{moment}"):
        solved(tmp_path)
    (path := tmp_path / "game.db.work" / lost).unlink()
    shown = re.escape(lost if "blocks" in lost else str(path))
    with pytest.raises(DamagedWork, match=f"has lost {shown}: remove the folder"):
        solved(tmp_path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data[:-1], "0005.blocks.0 is damaged (its checksum does not match)"),
        (lambda data: data[:20], "0005.blocks.0 is damaged (unpack requires a buffer of 56 bytes)"),
        (lambda data: flipped(data, 47, random.Random(0)), "a block has more bytes than the file"),
        (lambda data: b"", "database is damaged (its blocks have 11655 of 12031 states)"),
        (lambda data: data * 2, "database is damaged (the block (5, 0, "),
    ],
)
def test_altered_block_files_are_refused(
    tmp_path: Path, change: Callable[[bytes], bytes], reason: str
) -> None:
    with killed_in("solver.engines.storage.resumable.move_packed"):
        solved(tmp_path)
    path = tmp_path / "game.db.work" / "0005.blocks.0"
    write_content(path, change(read_content(path)))  # with a checksum that fits
    with pytest.raises(DamagedWork, match=f"{re.escape(reason)}.*: remove the folder"):
        solved(tmp_path)
    assert not (tmp_path / "game.db").exists()


def test_folded_solve_resumes_without_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = undisturbed(3, 4, fold=True)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("solver.engines.layers.matching.MIN_STATES_FOR_WINDOWS", 1)
        with killed_in("solver.engines.layers.solve.label_layers"):
            solved(tmp_path, fold=True)
    assert any((tmp_path / "game.db.work").glob("*.representatives.*"))
    assert solved(tmp_path, fold=True) == whole


@pytest.mark.parametrize("lost", [".terminal.0", ".blocks.0", ".found", "found", ".solved"])
def test_partly_removed_work_is_not_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bytes, lost: str
) -> None:
    def remove_some(folder: Path, **_: object) -> None:
        for file in folder.glob(f"*{lost}"):
            file.unlink()
        if folder.exists():
            raise Killed

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("shutil.rmtree", remove_some)
        with pytest.raises(Killed):
            solved(tmp_path)
    assert (tmp_path / "game.db.work").is_dir()
    solve(GAME, tmp_path / "game.db", engine="layers", force=True)
    assert (tmp_path / "game.db").read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir()] == ["game.db"]


@pytest.mark.parametrize("kills", [1, 9])
def test_solve_killed_while_moving_blocks_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bytes, kills: int
) -> None:
    work, sizes = tmp_path / "game.db.work", list[int]()

    def dying(path: Path) -> Iterator[Block]:
        sizes.append(len([*work.glob("*.blocks.*")]))
        if sizes.count(sizes[-1]) == 1 and sizes[-1] > sizes[0] - kills:
            raise Killed
        return read_blocks(path)

    monkeypatch.setattr("solver.engines.layers.solve.read_blocks", dying)
    for _ in range(kills):
        with pytest.raises(Killed):
            solved(tmp_path)
    assert solved(tmp_path) == whole
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_solve_killed_after_its_last_block_resumes(tmp_path: Path, whole: bytes) -> None:
    with killed_in("solver.engines.storage.resumable.link"):
        solved(tmp_path)
    assert not any((tmp_path / "game.db.work").glob("*.blocks.*"))
    assert solved(tmp_path) == whole


@pytest.mark.parametrize(
    ("left", "change", "reason"),
    [
        (3, "update blocks set labels = null where stage = 5", "its checksum does not match"),
        (0, "update blocks set labels = null where stage = 5", "its SHA-256 is not the one that it states"),
        (3, "drop index blocks_by_key", "index"),
    ],
)
def test_unfinished_database_that_changed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int, change: str, reason: str
) -> None:
    """With some blocks left to be moved, or none."""

    def dying(path: Path) -> Iterator[Block]:
        if len([*path.parent.glob("*.blocks.*")]) == left:
            raise Killed
        return read_blocks(path)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("solver.engines.layers.solve.read_blocks", dying)
        meanwhile.setattr("solver.engines.storage.resumable.link", killed)
        with pytest.raises(Killed):
            solved(tmp_path)
    alter(tmp_path / "game.db.work" / "database", change)
    with pytest.raises(DamagedWork, match=rf"database is damaged \(.*{reason}.*\): remove the folder"):
        solved(tmp_path)


@pytest.mark.slow  # `test_solve_resumes_from_each_step` does it without processes
@pytest.mark.parametrize(("seed", "kills"), [(1, 1), (2, 12)])
def test_solve_process_killed_often_writes_the_same_file(tmp_path: Path, seed: int, kills: int) -> None:
    """In each pass so often at least, before it is left to its end."""
    rng, path, passes = random.Random(seed), tmp_path / "game.db", Counter[str]()
    work, latest = WorkFolder(tmp_path / "game.db.work"), 2.5
    while min(passes["forth"], passes["back"]) < kills:
        with subprocess.Popen([*COMMAND, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(rng.uniform(0.2, latest))
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL or path.exists()  # it did not fail by itself
        if path.exists():
            path.unlink()
            passes["end"] += 1
            latest *= 0.9  # the machine is faster than that
        else:
            latest *= 1.1
            passes["back" if work.facts("found") else "forth"] += 1
    subprocess.run([*COMMAND, str(path)], check=True, capture_output=True)
    assert path.read_bytes() == undisturbed(5, 4)
    assert [path.name for path in tmp_path.iterdir()] == ["game.db"]


def test_solve_resumes_after_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    with subprocess.Popen([*COMMAND, str(path)], stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "game.db.work" / "0008.found").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read() if process.stderr else ""
        assert process.wait(10) == 130
    steps = re.findall(
        rf"Error: interrupted: what is finished is kept in {path}.work \((layers found: \d+.*)\), the same "
        "command goes on from there\n",
        said,
    )
    assert len(steps) == 1, said
    again = list[str]()
    solve(load_game("connect", {"rows": 5, "columns": 4}), path, engine="layers", say=again.append)
    assert again[-1] == f"goes on with {path}.work ({steps[0]})"
    assert path.read_bytes() == undisturbed(5, 4)


def filling() -> Callable[..., Any]:
    """A look at a disk that is full when it is asked for the twelfth time."""
    free = chain([1 << 40] * 11, repeat(1 << 20))
    return lambda _: SimpleNamespace(total=1 << 41, free=next(free))


GOES_ON = "the same command goes on from the last finished step"


@pytest.mark.parametrize(
    ("function", "instead", "refusal", "words"),
    [
        (
            "context.shutil.disk_usage",
            filling(),
            DiskFull,
            "the same command again, it goes on from the last",
        ),
        ("blocks.write_blocks", Mock(side_effect=OSError(errno.ENOSPC, "No space")), DiskFull, GOES_ON),
        ("blocks.write_blocks", Mock(side_effect=MemoryError), TooLarge, GOES_ON),
    ],
)
def test_solve_resumes_after_full_disk_or_memory_error(
    tmp_path: Path, whole: bytes, function: str, instead: object, refusal: type[Exception], words: str
) -> None:
    function = f"solver.engines.storage.{function}"
    with patch(function, instead), pytest.raises(refusal, match=words):
        solved(tmp_path)
    assert [item.name for item in tmp_path.iterdir()] == ["game.db.work"]
    assert solved(tmp_path) == whole
