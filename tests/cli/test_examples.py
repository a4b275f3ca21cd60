"""The examples in the help of each command work, in the order in which they are listed."""

import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from solver.system.plugins import entries
from tests.support.commandline import call, programs_here
from tests.support.served_program import serving

COMMANDS = sorted(entries("commands"))


def examples(command: str) -> list[str]:
    """What the help shows as examples, as somebody copies it."""
    _, _, shown = call(command, "--help").stdout.partition("\n\n  Examples:\n")
    assert re.fullmatch(r"(    \S.*\n)+", shown), f"the help of {command} ends with no examples"
    return [line.strip() for line in shown.splitlines()]


def typed(line: str, folder: Path) -> None:
    """Do what a line says; fail where it is refused."""
    program, *words = shlex.split(line)
    if words[0] == "serve":
        with serving(*words[1:], cwd=folder) as (service, _):
            service.send_signal(signal.SIGINT)
            assert service.wait(20) == 130
    elif program == "perfectplay":
        done = call(*words, cwd=folder, input="hint\nquit\n")
        assert isinstance(done.exception, SystemExit | None), repr(done.exception)
        assert done.exit_code <= (words[0] == "diff"), done.output
        assert not re.search("^(Error|Usage)", done.stderr, re.MULTILINE), done.stderr
    else:
        subprocess.run(line, shell=True, cwd=folder, check=True)


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the examples of `solve` were typed."""
    folder = tmp_path_factory.mktemp("solved")
    for line in examples("solve"):
        typed(line, folder)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_of_each_command_run_in_order(
    command: str, solved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == "sweep":  # `batch` runs its own as programs
        programs_here(monkeypatch)
    folder = shutil.copytree(solved, tmp_path / "typed")
    lines = examples(command)
    assert 1 <= len(lines) <= 3
    assert any(line.split()[:2] == ["perfectplay", command] for line in lines)
    for line in lines:
        typed(line, folder)
