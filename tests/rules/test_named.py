"""Rules files are named without a folder, and searched in documented places."""

import json
import os
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from exporters.server.app import application
from exporters.server.files import served_files
from solver.players.game_record import read_games
from solver.rules.source import trust
from solver.rules.source.modules import file_fingerprint
from solver.rules.source.trust import trusting
from tests.support.commandline import refused, run, silent, succeeded
from tests.support.hostile_files.databases import set_about
from tests.support.rules_texts import RULES, made_in

MADE = {
    "count.db": "solve count.py:Count -o count.db",
    "plan.json": "plan count.db --for second -o plan.json",
    "games.jsonl": "match count.db random random --games 3 --seed 1 --save games.jsonl",
}
"""How each kind of file that names rules is made."""

READ = {"count.db": "query", "plan.json": "verify", "games.jsonl": "replay"}
"""A command that needs the rules, by file."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with rules and the files that they made there."""
    return made_in(tmp_path_factory.mktemp("made"), RULES, MADE.values())


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of this folder, of a user who has run the rules there."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    rules = shutil.copytree(made, tmp_path / "here") / "count.py"
    trust.remember(file_fingerprint(str(rules)), str(rules))
    return rules.parent


def test_bytes_do_not_depend_on_the_folder(folder: Path, tmp_path: Path) -> None:
    other = made_in(tmp_path / "there", RULES, MADE.values())
    for name in MADE:
        assert (folder / name).read_bytes() == (other / name).read_bytes()
        assert str(tmp_path).encode() not in (folder / name).read_bytes()


@pytest.mark.parametrize("name", READ)
def test_rules_file_is_searched_in_documented_places(folder: Path, tmp_path: Path, name: str) -> None:
    away, rules = tmp_path / "away", tmp_path / "rules"
    away.mkdir()
    rules.mkdir()
    shutil.copy(folder / name, away / name)
    command = [READ[name], away / name]
    assert run(*command).returncode == 0  # where the user has run them
    shutil.move(folder / "count.py", rules / "count.py")
    said = refused(4, run(*command))
    assert "there is no rules file 'count.py' beside it, in the current folder" in said
    assert "--rules FILE.py" in said
    assert run(*command, cwd=rules).returncode == 0  # in the current folder
    assert run(*command, "--rules", rules / "count.py").returncode == 0
    assert run(*command).returncode == 0  # where they have run since
    shutil.copy(rules / "count.py", away / "count.py")
    assert run(*command).returncode == 0  # beside it


def test_given_rules_run_without_trust(folder: Path, tmp_path: Path) -> None:
    given = tmp_path / "renamed.py"
    shutil.move(folder / "count.py", given)
    given.write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n{RULES}")
    assert "renamed.py has changed since" in refused(4, run("query", folder / "count.db", "--rules", given))
    assert not (tmp_path / "executed").exists()
    given.write_text(RULES.replace("return -1", "return -1  # the same"))
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "another user")}
    shutil.copy(given, folder / "count.py")
    assert "not run before" in run("query", folder / "count.db", env=environment).stderr
    assert run("query", folder / "count.db", "--rules", given, env=environment).returncode == 0
    said = refused(2, run("query", folder / "count.db", "--rules", "none.py", env=environment))
    assert "there is no rules file 'none.py'" in said


def test_plan_is_made_outside_the_folder_of_the_rules(folder: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "nobody"), "PERFECTPLAY_TRUST_RULES": "1"}
    command = ("plan", folder / "count.db", "--for", "second", "-o", tmp_path / "plan.json")
    succeeded(run(*command, cwd=tmp_path, env=environment))
    assert (tmp_path / "plan.json").read_bytes() == (folder / "plan.json").read_bytes()


def test_invalid_rules_digests_in_saved_games_are_ignored(folder: Path) -> None:
    lines = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
    strange: list[object] = [[], {}, 5, None, "x", True]
    for value in strange:
        odd = "".join(json.dumps(line | {"rules": value, "play": value}) + "\n" for line in lines)
        (folder / "games.jsonl").write_text(odd)
        with trusting():
            assert [game.initial for game, _ in read_games(folder / "games.jsonl")] == [0] * len(lines)


def test_diff_takes_two_rules_files(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "four.py").write_text(RULES.replace("state < 3", "state < 4"))
    other = made_in(tmp_path, RULES, ["solve four.py:Count -o four.db"])
    rules = tmp_path / "rules"
    rules.mkdir()
    given = []
    for path in (other / "four.py", folder / "count.py"):
        given += ["--rules", shutil.move(path, rules / path.name)]
    (other / "count.py").unlink()
    result = run("diff", folder / "count.db", other / "four.db", *given, "--json")
    assert result.returncode == 1, result.stderr
    assert json.loads(result.stdout)["a"]["game"] == "count.py:Count"


def test_labels_of_different_rules_with_one_name_are_refused(folder: Path, tmp_path: Path) -> None:
    other = made_in(tmp_path / "other", RULES.replace("state < 3", "state < 4"))
    said = refused(2, run("compare", "count.py:Count", "--database", folder / "count.db", cwd=other))
    assert "other rules" in said
    said = refused(2, run("match", "count.py:Count", f"plan({folder / 'plan.json'})", "random", cwd=other))
    assert "other rules" in said


def test_service_names_games_without_folders(folder: Path) -> None:
    with trusting():
        files = served_files([str(folder / "count.db")])
    with TestClient(application(files)) as client:
        (listed,) = client.get("/games").json()["games"]
        assert listed["game"] == "count.py:Count"
        (game,) = client.get("/universal/v1/").json()
        assert game["id"] == "count.py:Count"
        assert client.get(f"/universal/v1/{game['id']}/").json()["variants"][0]["id"] == "count"
        response = client.get(f"/universal/v1/{game['id']}/count/positions/?p=1")
        assert (response.status_code, response.json()["position"]) == (200, "1")
        shutil.copy(folder / "count.db", folder / "new.db")
        set_about(folder / "new.db", "play", "other")
        os.replace(folder / "new.db", folder / "count.db")
        refused = client.get("/games/count/positions")
        assert refused.status_code == 409
        assert "count.py has changed since" in refused.text
        assert str(folder) not in refused.text


def test_solve_works_without_a_configuration_folder(folder: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CONFIG_HOME": "/dev/null/nowhere"}
    rules, target = f"{folder / 'count.py'}:Count", tmp_path / "own.db"
    silent(run("solve", rules, "-o", target, cwd=tmp_path, env=environment))
    assert target.read_bytes() == (folder / "count.db").read_bytes()
    played = run("match", rules, "random", "perfect", "--json", cwd=tmp_path, env=environment)
    assert (json.loads(played.stdout)["wins"], played.stderr) == ([0, 1], "")
