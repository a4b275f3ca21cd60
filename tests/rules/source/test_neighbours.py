"""Rules files import modules beside them, from any current folder."""

import py_compile
import sys
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from solver import load_game
from solver.errors import BrokenRules
from solver.rules.source import rules_file
from tests.support.commandline import start, succeeded

RULES = """
from heaps.sizes import LARGEST
from solver import Game

class Count(Game):
    @property
    def initial(self): return LARGEST
    def to_move(self, state): return state % 2
    def actions(self, state):
        from late_rules import STEPS
        return [step for step in STEPS if step <= state]
    def result(self, state, action): return state - action
    def utility(self, state): return 1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with rules in four files; what was imported from it is forgotten afterwards."""
    before = set(sys.modules)
    monkeypatch.setattr(rules_file._Neighbours, "files", {})
    written(tmp_path / "game", largest=7)
    yield tmp_path / "game"
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("heaps", "late_rules"):
            del sys.modules[name]


def written(folder: Path, *, largest: int) -> None:
    (folder / "heaps").mkdir(parents=True)
    (folder / "rules.py").write_text(RULES)
    (folder / "heaps" / "__init__.py").write_text("")
    (folder / "heaps" / "sizes.py").write_text(f"LARGEST = {largest}")
    (folder / "late_rules.py").write_text("STEPS = (1, 2)")


def test_game_of_several_files_is_solved_from_any_folder(folder: Path, tmp_path: Path) -> None:
    for words in (["solve", f"{folder / 'rules.py'}:Count", "-o", "count.db"], ["verify", "count.db"]):
        done = succeeded(start(*words, cwd=tmp_path))
    assert "All 8 positions" in done.stdout
    assert not list(folder.rglob("__pycache__"))


@pytest.mark.parametrize("module", ["rules.py", "heaps/sizes.py"])
def test_compiled_files_beside_a_module_are_not_run(folder: Path, tmp_path: Path, module: str) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit")
    compiled = cache_from_source(str(folder / module))
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(tmp_path / "evil.py"), compiled, invalidation_mode=mode)
    game = load_game(f"{folder / 'rules.py'}:Count")
    assert (game.initial, game.actions(7)) == (7, [1, 2])


def test_modules_with_the_same_name_are_not_confused(folder: Path, tmp_path: Path) -> None:
    load_game(f"{folder / 'rules.py'}:Count")
    written(tmp_path / "other", largest=9)
    with pytest.raises(BrokenRules, match=r"needs another name: another module '.*' is loaded already"):
        load_game(f"{tmp_path / 'other' / 'rules.py'}:Count")
