"""The program as it is started."""

import subprocess
import sys
from pathlib import Path

from tests.support.commandline import start


def test_python_runs_it_as_a_module(tmp_path: Path) -> None:
    for words, status in ((["games", "nim"], 0), (["query", "no.db"], 4)):
        command = [sys.executable, "-m", "solver", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == status
        assert (done.stdout, done.stderr.count("\n")) == (start(*words).stdout, int(status > 0))
