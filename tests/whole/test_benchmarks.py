"""The benchmarks work, at the smallest sizes."""

import re
import subprocess
import sys
from itertools import pairwise

import pytest

from tests.benchmarks.__main__ import HOURS, USUAL
from tests.benchmarks.growth import drawn, slope
from tests.support.pages import ROOT


@pytest.mark.slow
def test_every_benchmark_table_can_be_generated() -> None:
    names = [
        name for name in [*USUAL, *HOURS, "versions"] if name != "others"
    ]  # which installs other solvers
    command = [sys.executable, "-m", "tests.benchmarks", "--small", *names]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name, table in zip(names, printed.split("\n\n| ")[1:], strict=True):
        lines = table.splitlines()
        assert lines[1].startswith("| ---"), name
        assert len([line for line in lines if line.startswith("|")]) > 1, name


def test_slope_returns_the_exponent_of_growth() -> None:
    assert slope([(states, 3 * states**1.5) for states in (10, 1_000, 50_000)]) == pytest.approx(1.5)
    assert slope([(10, 7), (100, 7), (1_000, 7)]) == pytest.approx(0)


def test_power_law_is_drawn_as_a_straight_line() -> None:
    svg = drawn({"Time": {"a game": [(10, 0.01), (100, 0.1), (1_000, 1), (10_000, 10)]}})
    marks = re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="4"', svg)[:4]
    places = [(float(across), float(down)) for across, down in marks]
    steps = [(x - left, y - top) for (left, top), (x, y) in pairwise(places)]
    assert steps == [pytest.approx((340 / 3, -260 / 3), abs=0.01)] * 3
    assert re.findall(r">([\d.,]+)</text>", svg) == ["0.01", "0.1", "1", "10", "10", "100", "1,000", "10,000"]
    assert ">a game: slope 1.00</text>" in svg
