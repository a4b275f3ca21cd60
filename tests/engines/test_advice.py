"""Advice to take another engine can be followed: it names one that takes the game at any size."""

import ast
from pathlib import Path

import pytest

import solver
from tests.support.commandline import call, refusal
from tests.support.rules_texts import PACKED

TWO_WAYS = PACKED.replace("action_count = 1", "action_count = 2").replace("state + 1", "state + 1 + action")
"""Rules in which states are reached in different numbers of plies."""


def test_a_game_that_layers_cannot_take_is_solved_by_the_engine_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "steps.py").write_text(TWO_WAYS)
    advice = refusal(2, "solve", "steps.py:Count", "--engine", "layers").strip().rpartition("use ")[2].split()
    assert advice == ["--engine", "arrays"]
    assert call("solve", "steps.py:Count", *advice).exit_code == 0


def test_no_message_sends_a_game_to_the_engine_for_small_ones() -> None:
    for path in Path(solver.__file__).parent.glob("**/*.py"):
        constants = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
        assert not [node.value for node in constants if "engine graph" in str(node.value)], path
