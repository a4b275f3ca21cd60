import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exporters.plan_json import render
from solver import Database, cli, make_plan
from solver.system.plugins import EntryPoint, entries
from tests.support.commandline import call, refusal, run, silent, start, succeeded
from tests.support.rules_texts import HEAPS


def test_query_json_has_the_documented_form(tictactoe_db_path: Path) -> None:
    actual = json.loads(call("query", tictactoe_db_path, "xx./oo./...", "--json").stdout)
    moves = actual.pop("moves")
    assert actual == {
        "game": "tictactoe",
        "parameters": {"misere": False, "wild": False},
        "position": "xx.oo....",
        "to_move": "x",
        "value": 1,
        "outcome": "win",
        "remoteness": 1,
        "best_move": 2,
        "evaluation": {"value": -1, "terms": {"3*x2": 3, "x1": 0, "-3*o2": -3, "-o1": -1}},
    }
    assert moves[0] == {"move": 2, "position": "xxxoo....", "outcome": "win", "remoteness": 1, "best": True}
    assert [list(move) for move in moves] == [["move", "position", "outcome", "remoteness", "best"]] * 5
    assert [move["best"] for move in moves] == [True, False, False, False, False]


def test_query_json_says_null_where_nothing_is_known(tictactoe_db_path: Path) -> None:
    draw = json.loads(call("query", tictactoe_db_path, "--json").stdout)
    assert draw["position"] == "........."
    assert draw["remoteness"] is None
    assert {move["remoteness"] for move in draw["moves"]} == {None}
    end = json.loads(call("query", tictactoe_db_path, "xxxoo....", "--json").stdout)
    assert (end["best_move"], end["moves"], end["remoteness"]) == (None, [], 0)


def test_query_says_in_words_who_wins(tictactoe_db_path: Path) -> None:
    words = call("query", tictactoe_db_path, "xx.oo....").stdout
    assert " x | x | 2\n" in words
    assert "x to move: win in 1 ply\n" in words
    assert "best move: 2\n" in words
    assert "2 *   win in 1 ply     xxxoo....\n" in words
    assert "the game is over: x has won" in call("query", tictactoe_db_path, "xxxoo....").stdout


def test_exit_statuses_and_errors_are_those_of_the_process(tictactoe_db_path: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    foreign.write_text("hello")
    assert start("query", tictactoe_db_path, "zzz").returncode == 2
    for status, arguments in (
        (0, ["query", tictactoe_db_path]),
        (2, ["query", tictactoe_db_path, "zzz"]),
        (3, ["query", tictactoe_db_path, "xxx...... o"]),
        (4, ["query", foreign]),
        (4, ["stats", foreign]),
        (4, ["verify", foreign]),
        (2, ["query", tictactoe_db_path, b"\xff".decode(errors="surrogateescape")]),
    ):
        result = run(*arguments)
        assert (result.returncode, result.stderr.count("\n")) == (status, int(status > 0)), result
        assert bool(result.stdout) == (status == 0)


def test_games_are_listed_and_explained() -> None:
    names = [line.split()[0] for line in call("games").stdout.splitlines()]
    assert names == list(entries("games"))
    assert {"mnk", "tictactoe"} <= set(names)
    words = call("games", "mnk").stdout
    for field in ("rows (int, default 3)", "k (int, default 3)", "misere (bool, default false)", "x, o"):
        assert field in words


def test_solve_names_the_file_after_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = succeeded(call("solve", "mnk", "rows=2", "columns=2", "k=2"))
    assert "x to move: win in 3 plies" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["mnk.db"]
    assert "mnk.db, up to date" in call("solve", "mnk", "rows=2", "columns=2", "k=2").stdout
    assert "--force" in refusal(2, "solve", "mnk", "rows=2", "columns=3", "k=2")
    assert call("solve", "mnk", "rows=2", "columns=2", "k=2", "--force").exit_code == 0


def test_solve_writes_the_same_bytes_to_standard_output(tmp_path: Path) -> None:
    arguments = ["solve", "mnk", "rows=2", "columns=2", "k=2", "-o"]
    program = Path(sys.executable).with_name("perfectplay")
    result = subprocess.run(
        [program, *arguments, "-"], capture_output=True, check=True, cwd=tmp_path, timeout=60
    )
    assert list(tmp_path.iterdir()) == []
    assert b"win in 3 plies" in result.stderr
    assert call(*arguments, tmp_path / "game.db").exit_code == 0
    assert result.stdout == (tmp_path / "game.db").read_bytes()


def test_a_rules_file_is_solved_asked_and_proved(tmp_path: Path) -> None:
    path, rules = tmp_path / "heap.db", tmp_path / "rules.py"
    rules.write_text(HEAPS)
    result = succeeded(call("solve", f"{rules}:Heap", "sizes=3,1", "-o", path))
    assert "first to move: win in 3 plies" in result.stdout
    entry = json.loads(call("query", path, "--json").stdout)
    assert (entry["parameters"], entry["position"]) == ({"sizes": [3, 1]}, "3+1 first")
    assert entry["best_move"] == "0:2"
    assert call("verify", path).exit_code == 0
    assert json.loads(call("stats", path, "--json").stdout)["value"] == 1
    rules.unlink()
    assert "no rules file" in run("query", path).stderr
    assert run("query", path).returncode == 4


def test_verify_tells_a_plan_from_a_database(tictactoe: Database, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    plan = json.loads(render(make_plan(tictactoe)))

    def verify(change: Callable[[], object]) -> Result:
        change()
        path.write_text(json.dumps(plan))
        return call("verify", path)

    actual = silent(verify(lambda: None))
    assert actual.stdout == (
        f"{path}: proved. From '.........' x never loses; wins in at most 7 plies, 5 at the soonest, if o "
        "errs (15 of 20 replies lose). 141 positions can arise; 47 ends: 45 won, 2 drawn.\n"
    )
    ends = plan.pop("ends")
    assert verify(lambda: None).stdout.endswith("It can be played only with the rules: it lacks 'ends'.\n")
    plan["ends"] = ends
    lie = verify(lambda: plan["ends"].update({"xxxoo....": 0}))
    assert (lie.exit_code, lie.stdout) == (1, "")
    assert lie.stderr == "Error: by the plan 'xxxoo....' is an end with utility 0, but it is 1\n"
    ends["xxxoo...."] = 1
    assert verify(lambda: plan["states"].update({"xo.......": {"move": 99}})).exit_code in (0, 1)
    broken = verify(lambda: plan["states"].pop("........."))
    assert (broken.exit_code, broken.stdout, broken.stderr.count("\n")) == (1, "", 1)
    assert "no move for x in '.........'" in broken.stderr
    assert verify(lambda: plan.pop("owner")).exit_code == 1
    assert verify(lambda: plan.pop("schema")).exit_code == 4


def test_a_command_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"dance": EntryPoint("dance", "no.such.module:dance", "perfectplay.commands")}
    monkeypatch.setattr(cli, "entries", lambda group: entries(group) | broken)
    for arguments in ((), ("floor.db", "--far"), ("--help",)):
        assert "the command dance cannot be loaded" in refusal(2, "dance", *arguments)
    listed = succeeded(CliRunner().invoke(cli.main, ["--help"]))
    assert re.search(r"^  dance +cannot be loaded: ModuleNotFoundError", listed.output, re.MULTILINE)
    assert re.search(r"^  solve +", listed.output, re.MULTILINE)


def test_a_pipe_that_closes_early_is_no_traceback(tictactoe_db_path: Path) -> None:
    program = Path(sys.executable).with_name("perfectplay")
    script = f"{program} query {tictactoe_db_path} --json | true"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("output", "rest"), [("game.db", ": nothing is kept, the same command begins again"), ("-", "")]
)
def test_a_small_solve_that_is_interrupted_says_that_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, rest: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.engines.graph_solve.write_graph", interrupted)
    monkeypatch.chdir(tmp_path)
    result = call("solve", "tictactoe", "-o", output)
    assert (result.exit_code, result.stderr) == (130, f"Error: interrupted{rest}\n")
    assert not any(tmp_path.iterdir())
