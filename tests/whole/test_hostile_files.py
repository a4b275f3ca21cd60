"""Databases of strangers: a status and one line, in little time and memory."""

import random
import resource
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from solver import load_game, solve
from tests.commands.test_json import SMALL
from tests.support.commandline import call, run_one_by_one
from tests.support.hostile_files.bombs import endless_pages
from tests.support.hostile_files.databases import Case, all_cases, made, swollen

SOUND = {"readable": SMALL, "packed": SMALL, "packed, with loops": ("ponghauki", {})}
"""The game of each kind of file, and its parameters."""

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("query", "FILE"),
    ("query", "FILE", "xo....", "--json"),
    ("query", "FILE", "--rank"),
    ("puzzles", "FILE"),
    ("stats", "FILE"),
    ("verify", "FILE"),
    ("plan", "FILE"),
    ("export", "FILE", "-o", "out.csv", "--force"),
    ("convert", "FILE", "-o", "other.db", "--force"),
    ("diff", "FILE", "sound.db"),
    ("diff", "sound.db", "FILE"),
    ("play", "FILE"),
    ("grade", "FILE", "random"),
    ("explore", "FILE", "-o", "out.html"),
)

FEW = 120
"""So many calls of commands there are in the usual test for each layout."""

SECONDS, BYTES = 5, 500_000_000
"""What a process may take, as the system counts it."""


@pytest.fixture(params=SOUND)
def sound(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is all right, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "sound.db"
    solve(load_game(*SOUND[request.param]), path, engine="graph", layout=request.param.split(",")[0])
    return path


def said(command: tuple[str, ...], case: Case) -> None:
    """Call a command with the file of the case: it may refuse, by one line."""
    words = ["lies.db" if word == "FILE" else word for word in command]
    result = call(*words, input="1\nhint\nquit\n")
    where = f"{' '.join(words)} of {case.name}"
    if result.exc_info is not None and not isinstance(result.exception, SystemExit | None):
        raise AssertionError(where) from result.exception
    assert result.exit_code in (0, 1, 2, 3, 4), where
    if result.exit_code > 1:
        assert result.stderr.count("\n") == 1, (where, result.stderr)
        assert len(result.stderr) < 5000, where


def calls(sound: Path, seed: int) -> Iterator[tuple[tuple[str, ...], Case]]:
    """Each case with each command, in an order that follows from the seed."""
    every = list(all_cases(sound))
    rng = random.Random(seed)
    for case in rng.sample(every, len(every)):
        if made(sound, case, Path("lies.db")):
            for command in rng.sample(COMMANDS, len(COMMANDS)):
                yield command, case


def test_commands_handle_a_sample_of_forged_files(sound: Path) -> None:
    begun = set[str]()
    for command, case in islice(calls(sound, 1), 0, 3 * FEW + 1, 3):  # more cases with fewer commands each
        begun.add(command[0])
        said(command, case)
    assert begun == {command[0] for command in COMMANDS}


@pytest.mark.slow
def test_commands_handle_every_forged_file(sound: Path) -> None:
    for command, case in calls(sound, 2):
        said(command, case)


def spoil_by_views(path: Path) -> None:
    case = next(case for case in all_cases(path) if case.name.startswith("about: create view about"))
    assert made(path.with_name("sound.db"), case, path)


def spoil_by_pages(path: Path) -> None:
    for table in ("positions", "moves", "blocks", "counts"):
        endless_pages(path, table)


@pytest.mark.parametrize("sound", ["readable", "packed"], indirect=True)
@pytest.mark.parametrize("spoil", [spoil_by_views, partial(swollen, size=500_000), spoil_by_pages])
def test_forged_files_take_little_time_and_memory(sound: Path, spoil: Callable[[Path], None]) -> None:
    def restrict() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))

    path = sound.with_name("lies.db")
    shutil.copy(sound, path)
    spoil(path)
    actual = run_one_by_one(
        *((command, path.name) for command in ("query", "stats", "verify")),
        ("export", path.name, "-o", "o.csv"),
        cwd=path.parent,
        preexec_fn=restrict,
        env={"OPENBLAS_NUM_THREADS": "1", "PATH": ""},
    )
    assert len(actual) == 4
    for item in actual:
        assert item.status in (0, 1, 4), item
        assert item.stderr.count("\n") == (1 if item.status == 4 else 0), item
