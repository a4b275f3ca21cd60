"""What measures the tables of the documentation works, at the smallest sizes."""

import subprocess
import sys

import pytest

from tests.benchmarks.__main__ import HOURS, USUAL
from tests.support.pages import ROOT


@pytest.mark.slow
def test_every_table_can_be_made() -> None:
    names = [name for name in USUAL + HOURS if name != "others"]  # which installs other solvers
    command = [sys.executable, "-m", "tests.benchmarks", "--small", *names]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name, table in zip(names, printed.split("\n\n| ")[1:], strict=True):
        lines = table.splitlines()
        assert lines[1].startswith("| ---"), name
        assert len([line for line in lines if line.startswith("|")]) > 1, name
