"""Files are written as a whole or not at all, and nothing is left beside them."""

import os
import random
import resource
import shutil
import signal
import sqlite3
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from solver import load_game, open_database, solve, verify_database
from solver.errors import DiskFull, TargetExists, UnwritableFile
from solver.system import files
from solver.system.files import atomic_target, link, write, write_folder
from solver.system.ledger import Ledger
from solver.system.plugins import entries
from tests.support.commandline import call, command_named, refusal, run

OLD = b"what was there before"

WRITERS: Mapping[str, tuple[str, ...]] = {
    "solve": ("connect", "rows=2", "columns=3", "k=2", "--engine", "graph", "--force", "-o", "OUT.db"),
    "laid out": ("connect", "rows=2", "columns=3", "k=2", "--engine", "layers", "--force", "-o", "OUT.db"),
    "convert": ("IN.db", "--force", "-o", "OUT.db"),
    "export": ("IN.db", "--force", "-o", "OUT.npz"),
    "plan": ("IN.db", "-o", "OUT.json"),
    "explore": ("IN.db", "-o", "OUT.html"),
    "match": ("connect", "rows=2", "columns=3", "random", "random", "--force", "--save", "OUT.jsonl"),
    "play": ("IN.db", "--force", "--save", "OUT.jsonl"),
    "annotate": ("IN.db", "--moves", "0,1", "-o", "OUT.html"),
    "grade": ("IN.db", "random", "--plot", "OUT.svg"),
    "query": ("IN.db", "-o", "OUT.svg"),
    "puzzles": ("IN.db", "-o", "OUT.json"),
    "report": ("IN.db", "-o", "OUT.md"),
    "sweep": ("connect", "rows=2", "columns=2..3", "k=2", "--folder", "SWEPT", "-o", "OUT.md"),
    "search": ("tictactoe", "xo.ox....", "--with", "minimax", "-o", "OUT.html"),
}
"""For each command that writes a file, how it is called to replace one."""

MANY = ("FOLDER", "NAME")
"""What options for several files take; each of these is written as one file is."""

WATCHED = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.rmtree", "sqlite3.connect")
"""What is done in a folder, as Python's audit calls it."""

MOMENTS = 12
"""So often, about, a command does something in the folder of its target."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A readable database whose game can be packed."""
    path = tmp_path_factory.mktemp("source") / "game.db"
    solve(load_game("connect", {"rows": 2, "columns": 3, "k": 2}), path, engine="graph")
    return path


def command(name: str, source: Path, folder: Path) -> tuple[list[str], Path]:
    """How to call what writes into a folder, and the file that it writes."""
    inputs = {"IN.db": str(source), "SWEPT": str(source.with_name("swept"))}
    words = [inputs.get(word, word) for word in WRITERS[name]]
    (target,) = (folder / word for word in words if word.startswith("OUT"))
    words = [str(target) if word.startswith("OUT") else word for word in words]
    return (["solve", *words, "--layout", "readable"] if name == "laid out" else [name, *words]), target


def in_a_copy(words: Sequence[str], prepare: Callable[[], None]) -> tuple[int, str]:
    """The status of a command, and what it says on stderr, in a copy of this process that is prepared."""
    reader, writer = os.pipe()
    with warnings.catch_warnings(action="ignore"):  # of other threads, which do nothing meanwhile
        process = os.fork()
    if process == 0:
        try:
            prepare()
            done = call(*words)
            os.write(writer, done.stderr.encode())
            os._exit(done.exit_code)
        finally:
            os._exit(99)
    os.close(writer)
    with open(reader) as said:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), said.read()


def killed_at(moment: int, folder: Path) -> None:
    """Let this process be killed when it is about to do something in a folder for the so-many-th time."""
    left = count(1)

    def look(event: str, arguments: tuple[object, ...]) -> None:
        if event in WATCHED and any(str(folder) in str(arg) for arg in arguments) and next(left) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)


def full(size: int) -> None:
    """Let there be room for files of so many bytes only."""
    sys.dont_write_bytecode = True  # of which there would be as many bytes, for others to read
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_every_command_with_an_output_option_is_tested() -> None:
    for name in entries("commands"):
        options = {option.name for option in command_named(name).params if option.metavar not in MANY}
        assert not options & {"output", "save", "plot"} or name in WRITERS


@pytest.mark.parametrize("moments", [2, pytest.param(MOMENTS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", WRITERS)
def test_killed_command_keeps_older_file_and_rerun_cleans_up(
    tmp_path: Path, source: Path, name: str, moments: int
) -> None:
    words, path = command(name, source, tmp_path)
    assert call(*words).exit_code == 0
    whole = path.read_bytes()
    path.write_bytes(OLD)
    kills = 0
    for moment in sorted(random.Random(name).sample(range(1, MOMENTS + 1), moments)):
        status, _ = in_a_copy(words, partial(killed_at, moment, tmp_path))
        kills += status == -signal.SIGKILL
        assert path.read_bytes() in (OLD, whole)
    assert kills
    assert call(*words).exit_code == 0
    assert path.read_bytes() == whole
    assert [item.name for item in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *((name, 20) for name in WRITERS),
        *((name, size) for name in ("solve", "laid out", "convert") for size in (5000, 20_000)),
    ],
)
def test_full_disk_keeps_the_older_file(tmp_path: Path, source: Path, name: str, size: int) -> None:
    words, path = command(name, source, tmp_path)
    path.write_bytes(OLD)
    status, said = in_a_copy(words, partial(full, size))
    assert (status, said.count("Error: "), said.count("\n")) == (4, 1, 1), said
    assert path.read_bytes() == OLD
    assert {item.name for item in tmp_path.iterdir()} <= {path.name, f"{path.name}.work"}


@pytest.mark.parametrize("name", [*WRITERS, "verify", "site", "certify"])
def test_file_name_with_a_newline_is_printed_in_one_line(tmp_path: Path, source: Path, name: str) -> None:
    folder = tmp_path / "two\nlines"
    folder.mkdir()
    if name in WRITERS:
        words, _ = command(name, source, folder)
    else:
        shutil.copy(source, folder)
        words = [name, f"{folder}/{source.name}", *(["-o", f"{folder}/out"] if name != "verify" else [])]
    done = call(*words)
    assert done.exit_code == 0
    assert "\nlines" not in done.stdout + done.stderr


@pytest.mark.parametrize("layout", ["readable", "packed"])
def test_full_disk_raises_disk_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str) -> None:
    def small(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.execute("pragma max_page_count = 4")
        return connection

    connect: Callable[..., sqlite3.Connection] = sqlite3.connect
    monkeypatch.setattr("sqlite3.connect", small)
    with pytest.raises(DiskFull, match="is there room on the disk"):
        solve(load_game("kayles"), tmp_path / "game.db", layout=layout)
    with pytest.raises(DiskFull, match="cannot write /dev/full: No space left on device"):
        write(Path("/dev/full"), b"content")
    assert not [*tmp_path.iterdir()]


def test_leftovers_of_a_killed_run_are_removed(tmp_path: Path) -> None:
    part = tmp_path / "game.db.part"
    part.mkdir()
    (part / "game.db.readable").write_bytes(b"left")
    solve(load_game("nim"), tmp_path / "game.db", layout="readable")
    solve(load_game("nim"), tmp_path / "other.db")
    with atomic_target(tmp_path / "other.db", force=True) as built:
        assert not built.exists()
        built.write_bytes(b"new")
        built.with_name("beside it").write_bytes(b"left")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.db", "other.db"]


def test_foreign_part_file_or_link_is_not_removed(tmp_path: Path) -> None:
    solve(load_game("nim"), tmp_path / "game.db.part")
    (tmp_path / "link.db.part").symlink_to(tmp_path)
    for name in ("game.db", "link.db"):
        assert f"{name}.part is where" in refusal(2, "solve", "nim", "-o", tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.db.part", "link.db.part"]


def test_unremovable_part_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "game.db.part").mkdir()
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)  # as of a folder of somebody else's
    with pytest.raises(TargetExists, match=r"game.db.part is where the new file is to be built"):
        solve(load_game("nim"), tmp_path / "game.db")


def test_unreplaceable_target_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted", "game.db.part/game.db")

    monkeypatch.setattr(Path, "replace", refused)  # as in a sticky folder, over somebody else's file
    with pytest.raises(UnwritableFile, match=r"cannot write \S*/game.db: Operation not permitted"):
        solve(load_game("nim"), tmp_path / "game.db")
    assert not [*tmp_path.iterdir()]


def test_foreign_file_named_like_a_lock_is_not_removed(tmp_path: Path) -> None:
    other = tmp_path / "poetry.lock"
    other.write_bytes(OLD)
    write(tmp_path / "poetry", b"new")
    assert other.read_bytes() == OLD
    write(tmp_path / "game.db", b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.db", "poetry", "poetry.lock"]


def test_solve_over_a_symlink_writes_its_target(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "game.db"
    link.symlink_to(tmp_path / "elsewhere" / "true.db")
    solve(load_game("nim"), link)
    assert link.is_symlink()
    with open_database(tmp_path / "elsewhere" / "true.db") as db:
        assert db.game_name == "nim"
    with pytest.raises(TargetExists):
        solve(load_game("nim", {"heaps": [1, 2]}), link)


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_old_sqlite_journals_do_not_change_a_new_database(tmp_path: Path, source: Path, mode: str) -> None:
    path, older = tmp_path / "game.db", tmp_path / "older.db"
    older.write_bytes(source.read_bytes())
    with closing(sqlite3.connect(older, isolation_level=None)) as connection:
        connection.executescript(
            f"""pragma journal_mode = {mode}; pragma cache_size = 1; pragma wal_autocheckpoint = 0;
            update positions set value = 7; begin; update positions set value = 8;
            insert into about select 'more ' || id, hex(zeroblob(9999)) from positions"""
        )
        for left in older.parent.glob("older.db-*"):  # as if the writer had been killed
            (tmp_path / left.name.replace("older", "game")).write_bytes(left.read_bytes())
    assert list(tmp_path.glob("game.db-*"))
    write(path, source.read_bytes())
    with open_database(path) as db:
        assert not verify_database(db)
    assert path.read_bytes() == source.read_bytes()
    assert not list(tmp_path.glob("game.db-*"))


def test_link_falls_back_to_copying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    (tmp_path / "file").write_bytes(b"content")
    link(tmp_path / "file", tmp_path / "name")
    assert (tmp_path / "name").samefile(tmp_path / "file")
    monkeypatch.setattr(Path, "hardlink_to", refused)
    link(tmp_path / "file", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"content"
    assert not (tmp_path / "copy").samefile(tmp_path / "file")
    with pytest.raises(UnwritableFile, match=r"cannot write .*copy: No such file"):
        link(tmp_path / "file", tmp_path / "none" / "copy")


NOTED = """
from pathlib import Path

class Noted:
    def __init__(self, game): self.game = game
    def choose(self, state, random):
        Path(__file__).with_name("asked").touch()
        return self.game.actions(state)[0]
"""
"""A player who leaves a note when it is asked."""


def test_saved_games_are_replaced_only_with_force(tmp_path: Path) -> None:
    (tmp_path / "noted.py").write_text(NOTED)
    path = tmp_path / "games.jsonl"
    path.write_bytes(OLD)
    words = ["match", "tictactoe", f"{tmp_path / 'noted.py'}:Noted", "random", "--save", str(path)]
    assert "games.jsonl exists already: use --force to replace it" in refusal(2, *words)
    assert path.read_bytes() == OLD
    assert not (tmp_path / "asked").exists()
    assert call(*words, "--force").exit_code == 0
    assert (tmp_path / "asked").exists()
    assert call("replay", path).exit_code == 0


def test_games_are_saved_to_a_pipe() -> None:
    saved = run("match", "tictactoe", "random", "random", "--save", "/dev/stdout", "--json")
    game, result = saved.stdout.splitlines()
    assert (game.startswith('{"game": "tictactoe"'), result.startswith('{"players"')) == (True, True)


@pytest.mark.parametrize("at_once", [True, False])
def test_folders_are_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: bool) -> None:
    """On Linux a reader finds either the older files or the newer ones, whenever it looks."""
    if not at_once:
        monkeypatch.setattr(files, "_exchanged", lambda one, other: False)
    folder, seen, done = tmp_path / "folder", Counter[object](), Event()
    write_folder(folder, [("sign", b"0"), ("in/0", b"")], marker="sign")

    def read() -> None:
        while not done.is_set():
            try:
                seen[(folder / "sign").read_bytes()] += 1
            except FileNotFoundError:
                seen[None] += 1

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read)
        for number in range(1, 200):
            write_folder(folder, [("sign", b"%d" % number), (f"in/{number}", b"")], marker="sign")
        done.set()
        reading.result()
    assert [path.name for path in (folder / "in").iterdir()] == ["199"]
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    assert seen[None] == 0 or not at_once or sys.platform != "linux"
    assert len(seen) > 2


def test_interrupted_write_keeps_the_older_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write_folder(folder, [("sign", b"older")], marker="sign")

    def contents() -> Iterator[tuple[str, bytes]]:
        yield "sign", b"newer"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(folder, contents(), marker="sign")
    assert [(path.name, path.read_bytes()) for path in folder.iterdir()] == [("sign", b"older")]
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_ledger_is_saved_at_intervals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, path = [0.0], tmp_path / "ledger"
    monkeypatch.setattr("solver.system.ledger.monotonic", lambda: now[0])
    ledger, written = Ledger(path, "some"), list[list[int]]()
    for entry, now[0] in enumerate((0.1, 0.4, 0.6, 0.7, 1.05, 1.2)):
        ledger.add(entry)
        written.append(Ledger(path, "some").entries)
    assert ledger.entries == [0, 1, 2, 3, 4, 5]
    assert written == [[], [], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2, 3, 4, 5]]
    assert Ledger(path, "others").entries == []
    assert not path.exists()
