"""What is said while long work is done."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from solver.cli import main
from solver.progress import json_progress


def test_lines_of_json_tell_a_program_how_a_solve_goes_on(tmp_path: Path) -> None:
    command = ["solve", "connect", "rows=3", "columns=4", "--engine", "layers", "--json-progress"]
    result = CliRunner().invoke(main, [*command, "-o", str(tmp_path / "game.db")])
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
    forth = [line for line in lines if line["task"] == "finding states"]
    back = [line for line in lines if line["task"] == "labelling"]
    assert sorted({line["ply"] for line in forth}) == list(range(13))
    assert sorted({line["ply"] for line in back}, reverse=True) == list(range(12, -1, -1))
    assert forth[-1]["done"] == back[-1]["done"] == back[-1]["total"] == 12_031  # J. Tromp's count
    assert all(line["memory"] > 0 for line in lines)


def test_the_time_that_is_left_follows_from_the_speed_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([10.0, 12.0, 12.5, 20.0])
    monkeypatch.setattr("solver.progress.monotonic", lambda: next(clock))
    with json_progress() as progress:
        progress("labelling", 100, 1100, 9)
        progress("labelling", 300, 1100, 8)
        progress("labelling", 301, 1100, 8)  # within a second: nothing is said
        progress("labelling", 1100, 1100, 0)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["done"] for line in lines] == [100, 300, 1100]
    assert [line["per_second"] for line in lines] == [None, 100, 100]
    assert [line["seconds_left"] for line in lines] == [None, 8.0, 0.0]
