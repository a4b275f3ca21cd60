"""Words of the command line as values."""

import json
import re
from pathlib import Path

import psutil
import pytest

from solver.commands.arguments import MAX_BYTES, byte_size
from solver.commands.solve import file_name
from tests.support.commandline import call, refusal, succeeded
from tests.support.rules_texts import PACKED
from tests.support.solved import solved_file


@pytest.mark.parametrize(
    ("text", "size"),
    [("0", 0), ("4G", 4 * 10**9), ("2.5k", 2500), ("1TB", 10**12), ("9" * 15 + "T", MAX_BYTES)],
)
def test_byte_size_reads_decimal_units(text: str, size: int) -> None:
    assert byte_size(text) == size


@pytest.mark.parametrize("memory", ["9" * 15 + "T", "9" * 400])
def test_memory_above_the_available_is_accepted(memory: str) -> None:
    file = solved_file("nim", {"heaps": (1, 2)})
    for words in (["solve", "nim", "--dry-run"], ["report", file, "-o", "-"]):
        said, usual = (succeeded(call(*words, *more)).stdout for more in (["--memory", memory], []))
        assert re.sub(r"\S+ .B are free", "", said) == re.sub(r"\S+ .B are free", "", usual)
    dry = succeeded(call("solve", "nim", "--dry-run", "--json", "--memory", memory)).stdout
    assert json.loads(dry)["needs"]["memory_free"] <= psutil.virtual_memory().total


@pytest.mark.parametrize("start", ["-1", str(2**63)])
def test_commands_refuse_start_outside_packed_range(start: str, tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(PACKED)
    game = f"{tmp_path / 'rules.py'}:Count"
    for words in (
        ["search", game, "--with", "minimax", "--", start],
        ["compare", game, "--", start],
        ["match", game, "random", "random", f"--start={start}"],
        ["play", game, "--against", "random", f"--start={start}"],
    ):
        assert "states are from 0 to below 2**63" in refusal(2, *words)


@pytest.mark.parametrize(
    ("game", "file"),
    [
        ("tictactoe", "tictactoe.db"),
        ("openspiel:nim(pile_sizes=1;2)", "nim-pile_sizes-1-2.db"),
        ("a/b.py:Count most=2.5", "Count-most-2.5.db"),
        ("a/b.py:Komi komi=-1", "Komi-komi--1.db"),
        ("dots-and-boxes rows=1", "dots-and-boxes-rows-1.db"),
        ("a/b.py", "b.db"),
        ("rules.py:Größe", "Größe.db"),
        ("rules.py:碁", "碁.db"),
    ],
)
def test_file_name_follows_game_and_parameters_in_any_script(game: str, file: str) -> None:
    assert file_name(game) == file
