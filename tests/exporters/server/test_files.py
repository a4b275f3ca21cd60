"""A file may be replaced while it is served; damage to one file does not affect others."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from exporters.server.files import ServedFile, served_files
from solver.errors import DamagedFile, MissingFile, UsageError
from solver.rules.source.trust import trusting
from tests.exporters.server.conftest import client_of
from tests.support.rules_texts import RULES, made_in
from tests.support.solved import solved_file


@pytest.fixture
def folder(tmp_path: Path, path: Path) -> Path:
    shutil.copy(path, tmp_path / "a.db")
    shutil.copy(solved_file("nim"), tmp_path / "b.db")
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    with client_of(folder / "a.db", folder / "b.db") as client:
        yield client


def replaced_by_misere(path: Path) -> None:
    shutil.copy(solved_file("tictactoe", {"misere": True}), path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def test_replacement_of_a_file_is_served(folder: Path, client: TestClient) -> None:
    before = client.get("/games/a/positions")
    assert before.json()["value"] == 0
    replaced_by_misere(folder / "a.db")
    after = client.get("/games/a/positions")
    assert after.json()["parameters"] == {"misere": True, "wild": False}
    assert after.headers["etag"] != before.headers["etag"]


def test_changed_symlink_is_followed(folder: Path) -> None:
    (folder / "link.db").symlink_to(folder / "a.db")
    with client_of(folder / "link.db") as client:
        assert client.get("/games/link").json()["game"] == "tictactoe"
        (folder / "other").symlink_to(folder / "b.db")
        (folder / "other").replace(folder / "link.db")
        assert client.get("/games/link").json()["game"] == "nim"


def test_replaced_file_stays_open_for_its_last_reader(folder: Path) -> None:
    file = ServedFile(folder / "a.db")
    with file.database() as old:
        replaced_by_misere(folder / "a.db")
        with file.database() as new:
            assert (old[old.start].value, new.parameters["misere"]) == (0, True)
        assert {old[move.position].value for move in old[old.start].moves} == {0}
    with pytest.raises(Exception, match="has been closed"):
        old[old.start]
    file.close()


def test_damaged_file_is_refused_while_others_are_served(folder: Path, client: TestClient) -> None:
    shutil.copy(folder / "a.db", folder / "kept")
    (folder / "a.new").write_bytes((folder / "a.db").read_bytes()[:5000])
    (folder / "a.new").replace(folder / "a.db")
    refused = client.get("/games/a/positions")
    assert (refused.status_code, refused.json()["error"]["code"]) == (500, "damaged-file")
    assert refused.json()["error"]["message"].startswith("a.db ")
    assert client.get("/games/b/positions").status_code == 200
    listed = {item["id"]: item for item in client.get("/games").json()["games"]}
    assert (listed["a"]["error"]["code"], listed["b"]["game"]) == ("damaged-file", "nim")
    assert "a.db" in client.get("/").text
    (folder / "kept").replace(folder / "a.db")
    assert client.get("/games/a/positions").status_code == 200


def test_file_of_changed_rules_is_a_conflict(tmp_path: Path) -> None:
    made_in(tmp_path, RULES, [command := "solve count.py:Count -o count.db"])
    with trusting(), client_of(tmp_path / "count.db") as client:
        assert client.get("/games/count/positions").json()["to_move"] == "first"
        made_in(tmp_path, RULES.replace("state < 3", "state < 4"), [f"{command} --force"])
        refused = client.get("/games/count/positions")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "changed-rules")


def test_unservable_files_are_refused_at_the_start(folder: Path) -> None:
    with pytest.raises(MissingFile):
        served_files([str(folder / "none.db")])
    (folder / "c.db").write_bytes((folder / "a.db").read_bytes()[:5000])
    with pytest.raises(DamagedFile):
        served_files([str(folder / "c.db")])
    (folder / "a.sqlite").write_bytes((folder / "a.db").read_bytes())
    with pytest.raises(UsageError, match="would both be served as 'a': rename one of them"):
        served_files([str(folder / "a.db"), str(folder / "a.sqlite")])
