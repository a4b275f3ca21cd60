"""Commands say in one line why they are slow, where that can be changed."""

import re
from pathlib import Path

import pytest

from solver import load_game, solve
from solver.system.plugins import how_to_install
from tests.engines.test_choose import WALK
from tests.support.commandline import call, python, silent, succeeded
from tests.support.solved import solved_file

COMMANDS = ["verify {}", "report {} --sample 4", "plan {} --for first", "query {}"]
"""Commands for a file, and which of them ask the rules about so many states that compiling them pays."""

ASKING_MUCH = COMMANDS[:2]

SLOW = "this is slower than it could be: "


@pytest.fixture
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.analysis.packed_moves.COMPILED_FROM", 0)
    monkeypatch.setattr("solver.engines.array_rules.MAX_QUICK", 0)
    monkeypatch.setattr("solver.proof.packed.verify.PARALLEL_FROM", 0)
    monkeypatch.setattr("solver.proof.packed.verify.cores", lambda: 1)


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rules = tmp_path_factory.mktemp("walk") / "rules.py"
    rules.write_text(WALK)
    solve(load_game(f"{rules}:Walk"), path := rules.with_name("walk.db"), layout="packed")
    return path


@pytest.fixture(scope="module")
def compiled() -> Path:
    return solved_file("mnk", {"rows": 2, "columns": 3, "k": 2}, layout="packed")


@pytest.mark.parametrize("command", COMMANDS)
def test_uncompilable_rules_are_named_with_line(command: str, walk: Path, all_are_large: None) -> None:
    said = succeeded(call(*command.format(walk).split())).stderr
    why = f"{SLOW}the rules of Walk cannot be compiled, which takes operators only: .* on a state"
    assert re.fullmatch(rf"{why} \(rules\.py, line 16\)\n" if command in ASKING_MUCH else "", said)


@pytest.mark.parametrize("command", COMMANDS)
def test_small_files_and_compiled_rules_print_no_warning(
    command: str, walk: Path, compiled: Path, request: pytest.FixtureRequest
) -> None:
    silent(call(*command.format(walk).split()))
    request.getfixturevalue("all_are_large")
    silent(call(*command.format(compiled).split()))


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
from solver.analysis import packed_moves
from solver.cli import main
from solver.engines import array_rules
from solver.proof.packed import verify
packed_moves.COMPILED_FROM = array_rules.MAX_QUICK = verify.PARALLEL_FROM = 0
verify.cores = lambda: 1
for command in sys.argv[1:]:
    print(command, file=sys.stderr)
    main(command.split(), standalone_mode=False)
"""


def test_missing_compiler_is_reported_with_install_command(compiled: Path) -> None:
    verify, report, plan, query = (command.format(compiled) for command in COMMANDS)
    slow = f"{SLOW}compiling the rules needs llvmlite: {how_to_install('fast')}"
    said = python(WITHOUT_NUMBA, verify, report, plan, query).stderr
    assert said.splitlines() == [verify, slow, report, slow, plan, query]
