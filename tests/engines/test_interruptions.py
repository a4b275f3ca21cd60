"""Solves by any engine, of rules with and without plies, tiers and symmetries, interrupted at any moment.

What happens to files is counted: each that is opened, renamed or removed, each folder that is made. A solve
is interrupted before one of these, by Ctrl-C, after which it tidies up, or by a kill, after which it does
nothing. An older file is still there, or the whole new one. The same solve then gives the file of one that
was not interrupted, and leaves nothing else.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from solver import load_game, open_database, solve, verify_database
from solver.errors import DamagedWork
from solver.games.connect import Connect
from solver.games.mnk import TicTacToe
from solver.games.quixo import Quixo
from solver.packed import Packed
from tests.engines.loops.test_solve import divided
from tests.support.altered import flipped
from tests.support.games.packed import Coins, Untold
from tests.support.killed import Killed

FEW, MANY = 5, 60
"""Moments at which each solve of the table is interrupted, the last of all among them."""


class Flat(Coins):
    """Coins without tiers."""

    def tier(self, state: Packed) -> Packed:
        return None


WINDOWS = {"solver.engines.layers.matching.MIN_STATES_FOR_WINDOWS": 1}
"""Small layers are made through windows, which are for large ones."""

LARGE = {"solver.engines.choose.MAX_STATES_FOR_READABLE": 0}
"""No game is small enough for memory."""

SOLVES: dict[str, tuple[Any, dict[str, Any], dict[str, int]]] = {
    "layers": (Connect(2, 3, 2), {"engine": "layers"}, {}),
    "layers folded": (Connect(2, 3, 2), {"engine": "layers", "fold": True}, {}),
    "layers without plies": (Untold(2, 3, 2), {"engine": "layers"}, {}),
    "layers without plies folded": (Untold(2, 3, 2), {"engine": "layers", "fold": True}, {}),
    "windows": (Connect(2, 3, 2), {"engine": "layers"}, WINDOWS),
    "windows folded": (Connect(2, 3, 2), {"engine": "layers", "fold": True}, WINDOWS),
    "windows without plies folded": (Untold(2, 3, 2), {"engine": "layers", "fold": True}, WINDOWS),
    "layers to readable": (Untold(2, 3, 2), {"engine": "layers", "layout": "readable"}, {}),
    "layers by choice": (Untold(2, 3, 2), {"layout": "packed"}, LARGE),
    "tiers unfolded": (Coins(), {"engine": "arrays"}, LARGE),
    "tiers folded": (Coins(), {"engine": "arrays", "fold": True}, LARGE),
    "tiers from a start that is not symmetric": (Coins(), {"engine": "arrays", "start": "2"}, LARGE),
    "loops unfolded": (Flat(), {"engine": "arrays"}, LARGE),
    "loops folded": (Flat(), {"engine": "arrays", "fold": True}, LARGE),
    "loops exchanged": (Quixo(2, 2, 2), {"engine": "arrays", "fold": True}, LARGE),
    "loops by choice": (Flat(), {"endless": "first", "layout": "packed"}, LARGE),
    "arrays": (Coins(), {"engine": "arrays", "layout": "readable"}, {}),
    "arrays packed": (TicTacToe(), {"engine": "arrays", "layout": "packed"}, {}),
    "graph": (load_game("nim"), {"engine": "graph", "fold": True}, {}),
}
"""The rules, the options, and what small games need to be solved as large ones are."""

COMBINED = {
    *("layers without plies", "layers without plies folded", "windows without plies folded"),
    *("layers by choice", "loops folded", "loops by choice"),
}
"""Solves of which the others together reach every step; they have the many moments only."""


class Watch:
    """Counts what is done to files in a folder, and interrupts before one of these."""

    def __init__(self) -> None:
        self.folder, self.count, self.moment, self.is_killed = "", 0, 0, False

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Hear of an event that Python audits."""
        if not self.folder or event not in ("open", "os.rename", "os.remove", "os.mkdir", "os.link"):
            return
        if not isinstance(arguments[0], str | os.PathLike) or not str(arguments[0]).startswith(self.folder):
            return
        if str(arguments[0]).endswith(".lock"):  # the system takes a lock from a process that is killed
            return
        self.count += 1
        if self.count == self.moment or (self.is_killed and self.count > self.moment):
            raise Killed


WATCH = Watch()
sys.addaudithook(WATCH)


@contextmanager
def watched(folder: Path, moment: int = sys.maxsize, *, is_killed: bool = False) -> Iterator[None]:
    """Count what is done to files in a folder, and interrupt before the event of this number, from 1 on."""
    WATCH.folder, WATCH.count, WATCH.moment, WATCH.is_killed = f"{folder}{os.sep}", 0, moment, is_killed
    try:
        yield
    finally:
        WATCH.folder = ""


@pytest.mark.parametrize(
    ("name", "most"),
    [
        *((name, FEW) for name in SOLVES if name not in COMBINED),
        *(pytest.param(name, MANY, marks=pytest.mark.slow) for name in SOLVES),
    ],
)
def test_repeating_an_interrupted_solve_writes_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    game, options, patches = SOLVES[name]
    for item, number in patches.items():
        monkeypatch.setattr(item, number)
    path = tmp_path / "game.db"
    with watched(tmp_path):
        solve(game, path, **options)
    events, whole = WATCH.count, path.read_bytes()
    for nth, moment in enumerate(sorted({max(1, events * nth // most) for nth in range(1, most + 1)})):
        path.unlink()
        if has_older := bool(nth & 2):
            path.write_bytes(b"older")
        with suppress(Killed), watched(tmp_path, moment, is_killed=bool(nth & 1)):
            solve(game, path, force=has_older, **options)
            assert WATCH.count < moment  # threads may open a file twice
        assert path.exists() >= has_older
        assert not path.exists() or path.read_bytes() in (b"older", whole)
        solve(game, path, force=path.exists(), **options)
        assert path.read_bytes() == whole, f"interrupted before event {moment} of {events}"
        assert [item.name for item in tmp_path.iterdir()] == ["game.db"]


def changed(content: bytes, random: Random) -> bytes:
    """The content of a file with a bit flipped, cut off, or with more after it."""
    place = random.randrange(len(content))
    more = random.choice([bytes(1), bytes(8), content])
    return random.choice([flipped(content, place, random), content[:place], content + more])


@pytest.mark.parametrize("most", [1, pytest.param(9, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["layers", "windows folded", "tiers unfolded", "loops exchanged"])
def test_work_that_changed_meanwhile_is_refused_or_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    """A file of every kind, if there is little memory, in which nothing is held."""
    (game, options, patches), random = SOLVES[name], Random(name)
    ledger, labelling = "solver.system.ledger", "solver.engines.loops.labels.labelling"
    patches = patches | {f"{module}.SECONDS_TO_REPEAT": 0 for module in (ledger, labelling)}
    for item, number in patches.items():
        monkeypatch.setattr(item, number)
    monkeypatch.setattr("solver.engines.storage.resumable.memory_for_files", lambda _: 100)
    path, work, before = (tmp_path / part for part in ("game.db", "game.db.work", "before"))
    with divided():
        with watched(tmp_path):
            solve(game, path, **options)
        events, whole, left = WATCH.count, path.read_bytes(), dict[str, int]()
        for moment in random.sample(range(events), min(events, 8 * most)):
            path.unlink(missing_ok=True)
            shutil.rmtree(work, ignore_errors=True)
            with suppress(Killed), watched(tmp_path, moment, is_killed=True):
                solve(game, path, **options)
            shutil.rmtree(before, ignore_errors=True)
            shutil.copytree(work, before) if work.exists() else before.mkdir()
            for file in sorted(before.iterdir()):
                kind = re.sub(r"\d+", "", file.name)
                if file.suffix == ".part" or not file.stat().st_size or left.setdefault(kind, most) == 0:
                    continue
                left[kind] -= 1
                path.unlink(missing_ok=True)
                shutil.rmtree(work, ignore_errors=True)
                shutil.copytree(before, work)
                (work / file.name).write_bytes(changed(file.read_bytes(), random))
                refused = ""
                try:
                    solve(game, path, **options)
                except DamagedWork as error:
                    refused = str(error)
                assert refused == "" or re.fullmatch(rf"[^\n]*: remove the folder( {work})?", refused)
                if not refused and path.read_bytes() != whole:
                    assert file.name == "database"  # it has bytes that are not used
                    with open_database(path) as db:
                        assert verify_database(db) == []
    assert len(left) > 8
