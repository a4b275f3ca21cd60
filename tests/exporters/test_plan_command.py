import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import solver
from exporters import nested_json, plan_json
from exporters.diagram import dot
from exporters.search_tree import plan_tree
from exporters.svg.plan_map import page as plan_map
from solver.plans.selection import Sized, choose_plan
from tests.support import commandline
from tests.support.commandline import call, refusal, silent, succeeded

run = partial(call, "plan")


def test_plan_is_printed_as_json(tictactoe_db_path: Path, tictactoe: solver.Database) -> None:
    result = silent(run(tictactoe_db_path, "xo.ox...."))
    assert result.stdout == plan_json.render(solver.make_plan(tictactoe, "xo.ox...."))


def test_owner_and_goal_can_be_chosen(tictactoe_db_path: Path) -> None:
    made = json.loads(run(tictactoe_db_path, "x........", "--for", "x", "--goal", "draw").stdout)
    assert (made["owner"], made["goal"], made["root"]) == ("x", "draw", "x........")


def test_smallest_plan_is_reported_as_proved_smallest(tictactoe_db_path: Path, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    result = run(tictactoe_db_path, "x.o......", "--smallest", "--goal", "draw", "-o", file)
    made = json.loads(file.read_text())
    size = len(made["states"]) + len(made["replies"]) + len(made["ends"])
    assert result.stderr == f"{file}: x wins in at most 5 plies; {size} positions, proved smallest\n"
    result = run(tictactoe_db_path, "x.o......", "--smallest", "--goal", "draw")
    assert (result.stdout, result.stderr) == (file.read_text(), f"{size} positions, proved smallest\n")


@pytest.mark.parametrize(
    ("name", "written"),
    [("nested-json", nested_json.render), ("map", plan_map.render), ("tree", plan_tree.written)],
)
def test_formats_of_whole_trees_write_the_smallest_tree(
    tictactoe_db_path: Path, tictactoe: solver.Database, name: str, written: Callable[..., str | bytes]
) -> None:
    result = run(tictactoe_db_path, ".x.......", "--smallest", "--format", name)
    assert result.stderr == "134 positions, proved smallest\n"
    assert result.stdout == written(solver.make_plan(tictactoe, ".x.......", smallest=True, tree=True))


def test_plan_not_proved_smallest_reports_lower_bound(tictactoe_db_path: Path) -> None:
    result = run(tictactoe_db_path, "--for", "o", "--smallest", "--time-limit", "0.1")
    assert re.fullmatch(r"4\d\d positions, at least 4\d\d\n", result.stderr)


@pytest.mark.parametrize(
    ("name", "begins"), [("plan.json", b"{"), ("plan.png", b"\x89PNG"), ("PLAN.SVG", b"<?xml")]
)
def test_file_suffix_selects_the_format(
    tictactoe_db_path: Path, tmp_path: Path, name: str, begins: bytes
) -> None:
    file = tmp_path / name
    result = run(tictactoe_db_path, "xo.ox....", "-o", file)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{file}: x wins in at most 1 ply; 2 positions\n"
    assert file.read_bytes().startswith(begins)
    assert list(tmp_path.iterdir()) == [file]


def test_format_option_overrides_the_suffix(tictactoe_db_path: Path, tmp_path: Path) -> None:
    succeeded(run(tictactoe_db_path, "xo.ox....", "-o", tmp_path / "plan.txt", "--format", "nested-json"))
    assert (tmp_path / "plan.txt").read_text() == '[8, "win"]\n'


def test_picture_is_written_to_standard_output(tictactoe_db_path: Path) -> None:
    result = silent(run(tictactoe_db_path, "xo.ox....", "-o", "-", "--format", "png"))
    assert result.stdout_bytes.startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ({"depth": 8}, ", at most 8 plies drawn"),
        ({"depth": 9}, ", at most 9 plies drawn"),
        ({"follow": "4 2"}, ", after the replies 4 2"),
    ],
)
def test_picture_shows_the_selected_part(
    tictactoe_db_path: Path, whole_plans: dict[str, solver.Plan], tmp_path: Path, part: Any, says: str
) -> None:
    file, ((option, value),) = tmp_path / "plan.gv", part.items()
    result = run(tictactoe_db_path, "--for", "o", f"--{option}", str(value), "-o", file)
    assert result.stderr == f"{file}: o never loses; 480 positions{says}\n"
    assert file.read_text("utf-8") == dot.render(whole_plans["o"], **part)


def test_output_to_symlink_writes_its_target(tictactoe_db_path: Path, tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link.json"
    link.symlink_to(file)
    assert run(tictactoe_db_path, "xo.ox....", "-o", link).exit_code == 0
    assert link.is_symlink()
    assert json.loads(file.read_text())


def test_output_to_device_does_not_replace_it(tictactoe_db_path: Path) -> None:
    words = "plan", tictactoe_db_path, "xo.ox....", "-o", "/dev/stdout", "--format", "nested-json"
    actual = commandline.run(*words)
    assert (actual.returncode, actual.stdout) == (0, '[8, "win"]\n')
    assert Path("/dev/stdout").exists()


@pytest.mark.parametrize("output", [[], ["-o", "plan.json"], ["-o", "plan.gv"]])
def test_plan_that_fails_its_proof_is_not_written(
    tictactoe_db_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: list[str]
) -> None:
    def broken(*arguments: Any, **options: Any) -> Sized:
        made = choose_plan(*arguments, **options)
        return replace(made, plan=replace(made.plan, moves={**made.plan.moves, "x...o....": 7}))

    monkeypatch.setattr("solver.plans.selection.choose_plan", broken)
    monkeypatch.chdir(tmp_path)
    line = refusal(1, "plan", tictactoe_db_path, "x........", "--for", "x", *output)
    assert line.startswith("Error: nothing is written: the plan that was made fails its proof, ")
    assert "after the moves" in line
    assert list(tmp_path.iterdir()) == []


def test_plan_too_large_to_prove_is_not_reported_as_wrong(
    tictactoe_db_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.proof.plan.reachable.MIN_MOVES", 5)
    monkeypatch.setattr("solver.proof.plan.reachable.MOVES_PER_CHOICE", 0)
    line = refusal(2, "plan", tictactoe_db_path, "-o", tmp_path / "plan.json")
    assert line.startswith("Error: more than 5 moves can follow the ")
    assert list(tmp_path.iterdir()) == []


def test_json_unplayable_without_rules_is_not_written(
    tictactoe_db_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(plan: solver.Plan) -> dict[str, Any]:
        written = document(plan)
        return {**written, "replies": {**written["replies"], "xo.ox...x": {"2": "xooox...x"}}}

    document = plan_json.document
    monkeypatch.setattr(plan_json, "document", broken)
    said = refusal(1, "plan", tictactoe_db_path, "xo.ox....")
    assert "the reply '2' in 'xo.ox...x', which is not legal" in said
