"""The program as it is started."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commandline import PROGRAM, python, start
from tests.support.solved import solved_file


def test_program_runs_as_a_python_module(tmp_path: Path) -> None:
    for words, status in ((["games", "nim"], 0), (["query", "no.db"], 4)):
        command = [sys.executable, "-m", "solver", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == status
        assert (done.stdout, done.stderr.count("\n")) == (start(*words).stdout, int(status > 0))


@pytest.mark.parametrize(
    ("line", "status"),
    [
        *(("query DB >&-", 0), ("query DB - <&-", 0), ("play nim <&-", 0)),
        *(("query none.db 2>&- >&-", 4), ("export DB -o - 2>&- >&-", 2)),
    ],
)
def test_closed_standard_stream_acts_as_null_device(line: str, status: int) -> None:
    typed = f"{shlex.quote(str(PROGRAM))} {line.replace('DB', shlex.quote(str(solved_file('tictactoe'))))}"
    result = subprocess.run(typed, shell=True, capture_output=True, text=True, check=False, timeout=60)
    assert (result.returncode, result.stderr) == (status, "")


@pytest.mark.parametrize("words", ["--help", "--version", "solve --help", "games", "games --json"])
def test_full_disk_on_output_is_reported_in_one_line(words: str) -> None:
    said = "cannot write the output: No space left on device"
    error = {"error": {"code": "disk-full", "message": said}}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([PROGRAM, *words.split()], stdout=full, stderr=subprocess.PIPE, check=False)
    expected = json.dumps(error) if "--json" in words else f"Error: {said}"
    assert (done.returncode, done.stderr.decode()) == (4, f"{expected}\n")


@pytest.mark.parametrize(
    ("words", "status"), [("query none.db", 4), ("query none.db --json", 4), ("games none", 2), ("games", 4)]
)
def test_error_keeps_its_status_when_stderr_is_full(words: str, status: int) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([PROGRAM, *words.split()], stdout=full, stderr=full, check=False)
    assert done.returncode == status


INTERRUPTED_EARLY = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
runpy.run_module("solver", run_name="__main__")
"""


INTERRUPTED_TWICE = """
import os, runpy, signal
from solver import cli
from solver.commands import games

def press(*_):
    os.kill(os.getpid(), signal.SIGINT)
    return "interrupted"

games.entries = cli.interruption = press
runpy.run_module("solver", run_name="__main__")
"""

ENDED_EARLY = INTERRUPTED_EARLY.replace("SIGINT", "SIGTERM")


@pytest.mark.parametrize("script", [INTERRUPTED_EARLY, ENDED_EARLY, INTERRUPTED_TWICE])
def test_early_and_repeated_interrupts_print_one_line(script: str) -> None:
    for words, message in (
        (["games"], "Error: interrupted\n"),
        (["games", "--json"], '{"error": {"code": "interrupted", "message": "interrupted"}}\n'),
    ):
        done = python(script, *words, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (130, "", message)
