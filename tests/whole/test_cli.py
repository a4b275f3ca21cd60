import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exporters.plan_json import render
from solver import Database, cli, make_plan
from solver.system.plugins import EntryPoint, entries
from tests.support.commandline import PROGRAM, call, refusal, run, start, succeeded


def test_process_exits_with_the_documented_status(tictactoe_db_path: Path, tmp_path: Path) -> None:
    (tmp_path / "foreign.db").write_text("hello")
    assert start("query", tictactoe_db_path, "zzz").returncode == 2
    for status, arguments in (
        (0, ["query", tictactoe_db_path]),
        (2, ["query", tictactoe_db_path, "zzz"]),
        (3, ["query", tictactoe_db_path, "xxx...... o"]),
        (4, ["verify", tmp_path / "foreign.db"]),
        (2, ["query", tictactoe_db_path, b"\xff".decode(errors="surrogateescape")]),
    ):
        result = run(*arguments)
        assert (result.returncode, result.stderr.count("\n")) == (status, int(status > 0)), result
        assert bool(result.stdout) == (status == 0)


def test_solve_names_the_file_after_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    solve = ("solve", "mnk", "rows=2", "k=2")
    assert "x to move: win in 3 plies" in succeeded(call(*solve, "columns=2")).stdout
    assert [path.name for path in tmp_path.iterdir()] == ["mnk.db"]
    assert "mnk.db, up to date" in call(*solve, "columns=2").stdout
    assert "--force" in refusal(2, *solve, "columns=3")
    succeeded(call(*solve, "columns=2", "--force"))


def test_solve_writes_the_same_bytes_to_standard_output(tmp_path: Path) -> None:
    arguments = ["solve", "mnk", "rows=2", "columns=2", "k=2", "-o"]
    result = subprocess.run([PROGRAM, *arguments, "-"], capture_output=True, check=True, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert b"win in 3 plies" in result.stderr
    assert call(*arguments, tmp_path / "game.db").exit_code == 0
    assert result.stdout == (tmp_path / "game.db").read_bytes()


def test_verify_recognizes_plan_files(tictactoe: Database, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    plan = json.loads(render(make_plan(tictactoe)))

    def verify(change: Callable[[], object]) -> Result:
        change()
        path.write_text(json.dumps(plan))
        return call("verify", path)

    lacking = verify(lambda: plan.pop("ends")).stdout
    assert lacking.endswith("It can be played only with the rules: it lacks 'ends'.\n")
    broken = verify(lambda: plan["states"].pop("........."))
    assert (broken.exit_code, broken.stdout, broken.stderr.count("\n")) == (1, "", 1)
    assert "no move for x in '.........'" in broken.stderr
    assert verify(lambda: plan.pop("owner")).exit_code == 1
    assert verify(lambda: plan.pop("schema")).exit_code == 4


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("no.such.module:dance", "cannot be loaded: ModuleNotFoundError"),
        ("builtins:True", "should be a click.Command, not True"),
        ("builtins:len", "should be a click.Command, not <built-in function len>"),
    ],
)
def test_command_that_fails_to_load_is_reported(
    entry: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = {"dance": EntryPoint("dance", entry, "perfectplay.commands")}
    monkeypatch.setattr(cli, "entries", lambda group: entries(group) | broken)
    for arguments in ((), ("floor.db", "--far"), ("--help",)):
        assert f"the command dance {says}" in refusal(2, "dance", *arguments)
    listed = succeeded(CliRunner().invoke(cli.main, ["--help"]))
    assert re.search(rf"^  dance +{says}", listed.output, re.MULTILINE)
    assert re.search(r"^  solve +", listed.output, re.MULTILINE)


def test_closed_pipe_prints_no_traceback(tictactoe_db_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run(
        [PROGRAM, "query", tictactoe_db_path, "--json"], stdout=writer, stderr=subprocess.PIPE, timeout=60
    )
    os.close(writer)
    assert (result.returncode, result.stderr) == (1, b"")


@pytest.mark.parametrize(
    ("output", "rest"), [("game.db", ": nothing is kept, the same command begins again"), ("-", "")]
)
def test_interrupted_small_solve_exits_130_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, rest: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.engines.graph_solve.write_graph", interrupted)
    monkeypatch.chdir(tmp_path)
    result = call("solve", "tictactoe", "-o", output)
    assert (result.exit_code, result.stderr) == (130, f"Error: interrupted{rest}\n")
    assert not any(tmp_path.iterdir())
