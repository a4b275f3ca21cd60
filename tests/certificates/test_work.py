"""Certificates of large files: interrupted work resumes, to the same bytes."""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from solver.analysis.certificates import selection
from tests.support.commandline import call, refusal
from tests.support.killed import GOES_ON, Killed
from tests.support.solved import solved_file

LARGE = {"rows": 4, "columns": 3, "k": 3}
"""The parameters of mnk with more states than a file that needs no work folder."""

CHOICES = 8
"""The certificates that are made for both players, in two ways, with symmetries and without."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files that are written without an interruption."""
    folder = tmp_path_factory.mktemp("whole")
    assert call("certify", packed(), "-o", folder / "out").exit_code == 0
    return written(folder)


def packed(parameters: dict[str, int] = LARGE) -> Path:
    """A file of mnk, which is read in less time than a readable one."""
    return solved_file("mnk", parameters, layout="packed")


def written(folder: Path) -> dict[str, bytes]:
    """The files in a folder, and nothing else."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def choices(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many choices may be made before the program is killed, and how many were made."""
    left, choose = [CHOICES, 0], selection._Selection._chosen

    def chosen(*arguments: object) -> object:
        if left[1] == left[0]:
            raise Killed
        made = choose(*arguments)  # type: ignore[arg-type]
        left[1] += 1
        return made

    monkeypatch.setattr(selection._Selection, "_chosen", chosen)
    return left


def test_choices_are_made_only_once(tmp_path: Path, whole: dict[str, bytes], choices: list[int]) -> None:
    out = tmp_path / "out"
    for most in range(CHOICES):
        choices[0] = most
        with pytest.raises(Killed):
            call("certify", packed(), "-o", out)
        assert [path.name for path in tmp_path.iterdir()] == ["out.work"]
        assert len([*(tmp_path / "out.work").glob("*.choice")]) == most
    choices[0] = CHOICES
    assert call("certify", packed(), "-o", out).exit_code == 0
    assert choices == [CHOICES, CHOICES]
    assert written(tmp_path) == whole


def test_refused_position_leaves_no_work_folder(tmp_path: Path) -> None:
    for words in [], ["--checker", "coq"]:
        said = refusal(2, "certify", packed(), "xx", *words, "-o", tmp_path / "out")
        assert "cannot read the position 'xx'" in said
    assert not [*tmp_path.iterdir()]


def test_work_of_another_certificate_is_not_reused(
    tmp_path: Path, whole: dict[str, bytes], choices: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    monkeypatch.setattr(selection, "RESUMABLE_FROM", 1)
    after = json.loads(call("query", packed(), "--json").stdout)["moves"][0]["position"]
    for file, *position in ((packed(), after), (packed({"rows": 4, "columns": 3, "k": 4}),)):
        choices[:] = [3, 0]
        with pytest.raises(Killed):
            call("certify", file, *position, "-o", out)
    monkeypatch.setattr(selection, "release", lambda: "another release")
    choices[:] = [7, 0]
    with pytest.raises(Killed):
        call("certify", packed(), "-o", out)
    monkeypatch.undo()
    assert call("certify", packed(), "-o", out).exit_code == 0
    assert written(tmp_path) == whole


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))])
def test_killed_process_resumes_to_the_same_files(seed: int, tmp_path: Path, whole: dict[str, bytes]) -> None:
    rng, latest, file = random.Random(seed), 1.0, packed()
    for _ in range(50):
        command = [sys.executable, "-m", "solver", "certify", str(file), "-o", str(tmp_path / "out")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                process.wait(rng.uniform(0.2, latest))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                latest *= 1.2
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
    assert process.returncode == 0
    assert written(tmp_path) == whole


def test_killed_coq_proof_resumes(tmp_path: Path, choices: list[int]) -> None:
    command = "certify", packed(), "--checker", "coq", "-o"
    assert call(*command, tmp_path / "whole.v").exit_code == 0
    choices[:] = [5, 0]
    with pytest.raises(Killed):
        call(*command, tmp_path / "out.v")
    choices[:] = [CHOICES - 5, 0]
    assert call(*command, tmp_path / "out.v").exit_code == 0
    assert written(tmp_path).keys() == {"whole.v", "out.v"}
    assert written(tmp_path)["out.v"] == written(tmp_path)["whole.v"]


def test_interruption_message_announces_the_resumption(tmp_path: Path) -> None:
    with patch.object(selection._Selection, "_chosen", side_effect=KeyboardInterrupt):
        assert GOES_ON in refusal(130, "certify", packed(), "-o", tmp_path / "out")


def test_printed_proof_leaves_no_work_folder(tmp_path: Path, choices: list[int]) -> None:
    choices[0] = 1
    with pytest.raises(Killed):
        call("certify", packed().resolve(), "--checker", "coq", "-o", "-", cwd=tmp_path)
    assert written(tmp_path) == {}


def test_foreign_work_folder_is_left_unchanged(tmp_path: Path) -> None:
    (tmp_path / "out.work").write_text("mine")
    refusal(2, "certify", packed(), "-o", tmp_path / "out")
    assert written(tmp_path) == {"out.work": b"mine"}
    (tmp_path / "out.work").unlink()
    (tmp_path / "out.work").mkdir()
    (tmp_path / "out.work" / "notes").write_text("mine")
    assert call("certify", packed(), "-o", tmp_path / "out").exit_code == 0
    assert [path.name for path in (tmp_path / "out.work").iterdir()] == ["notes"]


def test_small_file_leaves_no_work_folder(tmp_path: Path, choices: list[int]) -> None:
    choices[0] = 2
    with pytest.raises(Killed):
        call("certify", solved_file("tictactoe"), "-o", tmp_path / "out")
    assert written(tmp_path) == {}
