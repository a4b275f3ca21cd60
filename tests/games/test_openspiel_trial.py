"""OpenSpiel's games that kill their process kill a trial process instead."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from solver.errors import BadParameter
from solver.games import openspiel_trial
from solver.games.openspiel import OpenSpiel
from tests.support.commandline import refused, run, silent

DEADLY = [
    ("hex(num_cols=3,num_rows=2,swap=true)", "it ended the process"),
    ("connect_four(rows=0)", "it ended the process"),
    ("connect_four(rows=100000,columns=100000)", "with 2,000,000,000 bytes of memory"),
    ("misere(game=connect_four(rows=0))", "it ended the process"),
]


@pytest.mark.parametrize(("name", "words"), DEADLY)
def test_game_that_kills_its_process_is_refused(name: str, words: str) -> None:
    for command in (["solve", f"openspiel:{name}"], ["play", "openspiel", f"game={name}"]):
        said = refused(2, run(*command))
        assert words in said
        assert f"'{name}'" in said


def test_game_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel_trial, "SECONDS", 0.001)
    with pytest.raises(BadParameter, match=r"does not make 'hex\(board_size=3\)' within 0.001 seconds"):
        OpenSpiel("hex(board_size=3)")


def test_only_games_with_parameters_are_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    openspiel_trial.refuse_deadly.cache_clear()
    tried = list[Any]()
    run_it = subprocess.run

    def noted(command: Any, **options: Any) -> Any:
        tried.append(options["input"])
        return run_it(command, **options)

    monkeypatch.setattr(subprocess, "run", noted)
    for name in ("hex(board_size=2)", "tic_tac_toe", "hex(board_size=2)"):
        OpenSpiel(name)
    assert tried == [b"hex(board_size=2)"]


def test_trial_imports_nothing_from_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "pyspiel.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')")
    assert run("games", "openspiel", cwd=tmp_path).returncode == 0
    silent(run("check", "openspiel:hex(board_size=2)", cwd=tmp_path))
    assert not (tmp_path / "executed").exists()
