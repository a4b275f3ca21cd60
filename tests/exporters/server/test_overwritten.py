"""A file that is overwritten in place while it is served: answers come from one file, or are refused."""

import os
import random
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import httpx2
import pytest

from exporters.server.files import SETTLED_AFTER, ServedFile
from solver import load_game, open_database, solve
from solver.database.wording import entry_as_dict
from solver.errors import BusyFile
from tests.exporters.server.conftest import client_of
from tests.support.served_program import serving
from tests.support.solved import solved_file

CLIENTS = 4

RULES = {"normal": False, "misere": True}
"""Of two files with the same positions and, packed, the same size, but other values."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("overwritten")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.database.packed.writer.PAGES", ((1 << 63, 65536),))  # not full
        for name, misere in RULES.items():
            rules = load_game("mnk", {"rows": 3, "columns": 3, "misere": misere})
            solve(rules, folder / f"{name}.db", layout="packed")
    copy(solved_file("tictactoe"), folder / "other.db")
    assert (folder / "normal.db").stat().st_size == (folder / "misere.db").stat().st_size
    return folder


@pytest.fixture(scope="module")
def answers(folder: Path) -> dict[str, dict[str, Any]]:
    """What each of the two files answers about some positions."""
    seen = {}
    for name in RULES:
        with open_database(folder / f"{name}.db") as db:
            seen[name] = {text: entry_as_dict(db, db[text]) for text in random.Random(0).sample([*db], 300)}
    assert list(seen["normal"]) == list(seen["misere"])
    return seen


def copy(new: Path, served: Path) -> None:
    subprocess.run(["cp", str(new), str(served)], check=True)


def write_in_pieces(new: Path, served: Path) -> None:
    """Overwrite a file from its end to its beginning, which leaves its size as it is."""
    data = new.read_bytes()
    with served.open("r+b", buffering=0) as file:
        for at in reversed(range(0, len(data), len(data) // 8)):
            file.seek(at)
            file.write(data[at : at + len(data) // 8])
            time.sleep(0.02)


@pytest.mark.parametrize("pause", [0.01, pytest.param(0, marks=pytest.mark.slow)])
def test_clients_get_no_wrong_answer_while_file_is_overwritten(
    folder: Path, tmp_path: Path, answers: dict[str, dict[str, Any]], pause: float
) -> None:
    """Each file is overwritten while answers come from it, and read as soon as it is said to have settled."""
    served, counts, over = tmp_path / "a.db", Counter[str](), Event()
    copy(folder / "normal.db", served)

    def ask(number: int, port: int) -> None:
        chance = random.Random(number)
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}") as client:
            while not over.wait(pause):
                text = chance.choice(list(answers["normal"]))
                response = client.get("/games/a/positions", params={"position": text})
                if response.status_code == 200:
                    counts[next(name for name in RULES if answers[name][text] == response.json())] += 1
                else:
                    assert (response.status_code, "busy-file" in response.text) == (503, True), response.text
                    counts["refused"] += 1
                assert client.get("/games/other").status_code == 200

    def wait_for(kind: str) -> None:
        """Wait until each client can have got some more answers of a kind."""
        most, until = counts[kind] + 3 * CLIENTS, time.monotonic() + 60
        while counts[kind] < most and time.monotonic() < until and not any(item.done() for item in asking):
            time.sleep(0.01)

    with serving(served, folder / "other.db") as (program, port), ThreadPoolExecutor(CLIENTS) as pool:
        asking = [pool.submit(ask, number, port) for number in range(CLIENTS)]
        try:
            wait_for("normal")
            for name, write in (("misere", copy), ("normal", write_in_pieces), ("misere", write_in_pieces)):
                write(folder / f"{name}.db", served)
                wait_for("refused")
                settled = time.time() - SETTLED_AFTER
                os.utime(served, (settled, settled))
                wait_for(name)
        finally:
            over.set()
        assert program.poll() is None
        assert [item.result() for item in asking] == [None] * CLIENTS
        assert min(counts["normal"], counts["misere"], counts["refused"]) > 3 * CLIENTS, counts
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}") as client:
            for text, expected in answers["misere"].items():
                assert client.get("/games/a/positions", params={"position": text}).json() == expected


def test_lookup_raises_if_file_is_overwritten_meanwhile(folder: Path, tmp_path: Path) -> None:
    copy(folder / "normal.db", tmp_path / "a.db")
    file = ServedFile(tmp_path / "a.db")

    def ask() -> int:
        with file.database() as db:
            copy(folder / "misere.db", tmp_path / "a.db")
            return db[db.start].value

    with pytest.raises(BusyFile, match=r"^a\.db is being overwritten"):
        ask()
    file.close()


def test_overwritten_file_is_read_once_it_has_settled(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    copy(folder / "normal.db", path)
    file = ServedFile(path)
    copy(folder / "misere.db", path)
    with pytest.raises(BusyFile), file.database():
        pass
    settled = time.time() - SETTLED_AFTER
    os.utime(path, (settled, settled))
    with file.database() as db:
        assert db.parameters["misere"]
    file.close()


def test_list_of_games_has_an_overwritten_file_once(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    copy(folder / "normal.db", path)
    with client_of(path, folder / "other.db") as client:
        copy(folder / "misere.db", path)
        listed = client.get("/games").json()["games"]
    assert [item["id"] for item in listed] == ["a", "other"]
    assert listed[0]["error"]["code"] == "busy-file"
