"""Advice to take another engine can be followed: it names one that takes the game at any size."""

import ast
from pathlib import Path

import solver
from tests.support.commandline import run

TWO_WAYS = """
from solver import PackedGame


class Steps(PackedGame):
    initial = 0
    action_count = 2

    def to_move(self, state):
        return state & 0

    def is_terminal(self, state):
        return state > 4

    def legal(self, state, action):
        return state < 5

    def result(self, state, action):
        return state + 1 + action

    def utility(self, state):
        return 1 + 0 * state
"""
"""Rules in which states are reached in different numbers of plies."""


def test_a_game_that_layers_cannot_take_is_solved_by_the_engine_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "steps.py").write_text(TWO_WAYS)
    refused = run("solve", "steps.py:Steps", "--engine", "layers", cwd=tmp_path)
    assert refused.returncode == 2
    advice = refused.stderr.strip().rpartition("use ")[2].split()
    assert advice == ["--engine", "arrays"]
    solved = run("solve", "steps.py:Steps", *advice, cwd=tmp_path)
    assert solved.returncode == 0, solved.stderr


def test_no_message_sends_a_game_to_the_engine_for_small_ones() -> None:
    for path in Path(solver.__file__).parent.glob("**/*.py"):
        constants = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
        assert not [node.value for node in constants if "engine graph" in str(node.value)], path
