"""What tests of commands share."""

import shlex
from collections.abc import Callable, Sequence
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from solver.cli import main
from solver.commands.batch import run as batch_run
from solver.commands.batch.run import Finished
from solver.errors import SolverError


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that are run, which run in this process, where they start at once."""
    commands: list[str] = []

    def run_here(words: Sequence[str], folder: Path, progress: Callable[..., object]) -> Finished:
        commands.append(shlex.join([words[0], *words[2 if words[0] != "solve" else 1 :]]))
        with chdir(folder):
            found = CliRunner().invoke(main, list(words))
        if found.exit_code:
            raise SolverError(found.output.strip().splitlines()[-1])
        return Finished(found.output.strip(), 0.0, None)

    monkeypatch.setattr(batch_run, "run_program", run_here)
    return commands
