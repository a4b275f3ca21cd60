"""Fingerprints of rules: files are bound to them, and changed rules are refused."""

from pathlib import Path

import pytest

from solver import open_database
from solver.errors import ChangedRules
from solver.rules.named import fingerprint
from solver.rules.source.modules import Fingerprint
from tests.support.commandline import MAIN, refused, run
from tests.support.rules_texts import RULES, made_in


@pytest.fixture
def solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the rules file `count.py` and the database `count.db` that it made."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return made_in(tmp_path, RULES, ["solve count.py:Count -o count.db"])


def test_database_stores_the_fingerprint_of_its_rules(solved: Path) -> None:
    with open_database(solved / "count.db") as db:
        made = fingerprint(f"{solved}/count.py:Count")
        assert (db.about["rules"], db.about["play"]) == (made.code, made.play)


def test_changed_rules_are_refused_and_not_executed(solved: Path) -> None:
    (solved / "count.py").write_text(f"open({str(solved / 'executed')!r}, 'w')\n{RULES}")
    for command in (["query"], ["verify"], ["plan"], ["stats"]):
        said = refused(4, run(*command, "count.db", cwd=solved))
        assert "was made by other rules" in said
        assert "count.py has changed since" in said
        assert "solve the game again, or restore the rules" in said
    assert not (solved / "executed").exists()
    (solved / "count.py").write_text(RULES)
    assert run("query", "count.db", cwd=solved).returncode == 0


def test_changed_installed_rules_are_named(tictactoe_db_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.rules.named.fingerprint", lambda name: Fingerprint({}))
    with open_database(tictactoe_db_path) as db, pytest.raises(ChangedRules, match="source of tictactoe"):
        db["........."]


def test_open_database_uses_the_rules_as_loaded(solved: Path) -> None:
    with open_database(solved / "count.db") as db:
        assert db["0"].value == -1
        (solved / "count.py").write_text("nonsense(")
        assert db["1"].value == -1
    with open_database(solved / "count.db") as again:
        assert again["2"].value == -1


def test_unbounded_rules_are_refused_before_memory_runs_out(tmp_path: Path) -> None:
    """Also where no memory is named; test_bounds.py has other ways to grow."""
    (tmp_path / "count.py").write_text(RULES.replace("if state < 3 else []", ""))
    little = f"from solver.system import resources\nresources.available = lambda: 30_000_000\n{MAIN}"
    said = refused(2, run("solve", "count.py:Count", cwd=tmp_path, program=little))
    assert " states, the last of them " in said
    assert not list(tmp_path.glob("*.db*"))
