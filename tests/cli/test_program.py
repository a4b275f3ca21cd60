"""The program as it is started, and what it answers to a name that is not known."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commandline import call, start


def test_python_runs_it_as_a_module(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-m", "solver", "games", "nim"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout == start("games", "nim").stdout
    refused = subprocess.run(
        [sys.executable, "-m", "solver", "query", "no.db"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (refused.returncode, refused.stderr.count("\n")) == (4, 1)


RULES = "from solver import Game\nclass Nim(Game): pass\nclass Kayles(Game): pass\n"


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["slove"], "solve"),
        (["solve", "tictaktoe"], "tictactoe"),
        (["solve", "Tic-Tac-Toe"], "tictactoe"),
        (["games", "conect"], "connect"),
        (["solve", "mnk", "row=3"], "rows"),
        (["solve", "mnk", "colums=3"], "columns"),
        (["solve", "rules.py:Nym"], "Nim"),
        (["search", "nim", "--with", "minmax"], "minimax"),
        (["match", "nim", "perfekt", "random"], "perfect"),
        (["match", "nim", "uct(playout=3)", "random"], "playouts"),
        (["play", "nim", "--against", "alphabeta"], "alpha-beta"),
        (["solve", "nim", "--forc"], "--force"),
    ],
)
def test_a_mistyped_name_is_answered_with_the_one_that_was_meant(
    arguments: list[str], meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text(RULES)
    found = call(*arguments)
    assert found.exit_code == 2
    assert re.search(f"id you mean .*{meant}", found.stderr.splitlines()[-1])
    assert os.listdir(tmp_path) == ["rules.py"]
