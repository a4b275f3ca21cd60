"""Solves stay within their memory, whatever rules do, and say what was going on when they stop."""

import re
import sys
from pathlib import Path

import pytest

from solver.system import resources
from tests.support.commandline import python

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems know no such limit")

SCRIPT = """
import sys
from solver.cli import main
try:
    main(sys.argv[1:])
finally:
    (peak,) = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
    print("peak", int(peak) * 1024)
"""

GROWING = """
from itertools import count
from solver import Game, PackedGame

class Growing(Game):
    initial = "x"
    def to_move(self, state): return 0
    def actions(self, state): return (1,)
    def result(self, state, action): return "x" * 143 if state == "x" else state * 2
    def utility(self, state): return 0

class Starts(Growing):
    def initial_states(self): return count()

class Actions(Growing):
    def actions(self, state): return [str(number) * 1000 for number in count()]

class Late(Growing):
    def actions(self, state): return (1,) if state == "x" else ()
    def result(self, state, action): return "y"
    def position(self, state): return state * 10**9 if state == "y" else state

class Packed(PackedGame):
    initial, action_count = 0, 1
    def initial_states(self): return count()
    def to_move(self, state): return 0
    def is_terminal(self, state): return state > 0
    def legal(self, state, action): return True
    def result(self, state, action): return state + 1
    def utility(self, state): return 0
"""

MOST = 400
"""Megabytes that the processes may hold; what they have mapped from files does not count."""

MARGIN = 60


def run(folder: Path, *arguments: str) -> tuple[int, str, float]:
    """The status of a command, what it says on stderr, and the megabytes that it held at most."""
    result = python(SCRIPT, *arguments, cwd=folder, check=False)
    return result.returncode, result.stderr, int(result.stdout.rpartition("peak ")[2]) / 1e6


@pytest.mark.parametrize(
    ("name", "engine", "words"),
    [
        ("Growing", "graph", "states"),
        ("Growing", "arrays", "states"),
        ("Starts", "arrays", "states"),
        ("Actions", "arrays", "the rules of Actions were asked for actions in the state 'x'"),
        ("Late", "graph", "the rules of Late were asked for position in the state 'y'"),
        ("Late", "arrays", "the rules of Late were asked for position in the state 'y'"),
        ("Packed", "layers", "the rules of Packed were asked for initial_states"),
    ],
)
def test_growing_rules_stop_at_the_memory_limit(tmp_path: Path, name: str, engine: str, words: str) -> None:
    (tmp_path / "growing.py").write_text(GROWING)
    solve = ("solve", f"growing.py:{name}", "--engine", engine, "--memory", f"{MOST}M")
    status, said, peak = run(tmp_path, *solve)
    assert (status, said.count("\n")) == (2, 1), said
    assert words in said
    assert peak < MOST + MARGIN
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".db"] == []


@pytest.mark.parametrize("engine", ["arrays", pytest.param("graph", marks=pytest.mark.slow)])
def test_too_little_memory_error_suggests_a_minimum(tmp_path: Path, engine: str) -> None:
    solve = ("solve", "hexapawn", "rows=4", "columns=4", "--engine", engine, "--memory")
    status, said, peak = run(tmp_path, *solve, "10M")
    assert (status, said.count("\n")) == (2, 1), said
    least = int(re.findall(r"give it ([\d,]+) MB or more", said)[0])
    assert 10 < peak < least
    status, said, peak = run(tmp_path, *solve, f"{least}M")
    assert (status, said) == (0, "") or (status, said.count("\n"), "more than" in said) == (2, 1, True), said
    assert peak < least + MARGIN
    status, said, peak = run(tmp_path, *solve, f"{MOST}M", "--force")
    assert (status, said) == (0, "")
    assert peak < MOST + MARGIN


def test_bounded_restores_the_memory_limit() -> None:
    with resources.bounded(resources.used() + 50_000_000):
        with pytest.raises(MemoryError):
            bytearray(200_000_000)
        assert len(bytearray(1_000_000)) == 1_000_000
    assert len(bytearray(200_000_000)) == 200_000_000
