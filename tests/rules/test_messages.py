"""Messages of `check` and `solve` for mistakes in rules: the reason and the line."""

import os
from pathlib import Path

import pytest

from tests.support.commandline import call, refusal, run, start
from tests.support.rules_texts import PACKED, RULES

POSITION = "\n    def position(self, state):\n        return 'ABCDE'[state]\n"
NO_PARSE = "the rules have a position of their own, but no parse"

TEXTBOOK = RULES.replace("from solver import Game", "").replace("Count(Game)", "Count")
TEXTBOOK = TEXTBOOK.replace("utility(self, state)", "utility(self, state, player)")
TEXTBOOK += "\n    def is_terminal(self, state):\n        return state > 2\n"
"""The same rules, for the textbook's code."""

MISTAKES: dict[str, tuple[str, str, str | None]] = {
    "no parse": (RULES + POSITION, NO_PARSE, NO_PARSE),
    "no parse of texts": (
        RULES.replace("initial = 0", "initial = '0'")
        .replace("state % 2", "len(state) % 2")
        .replace("state < 3", "len(state) < 3")
        .replace("state + action", "state + str(action)")
        + "\n    def position(self, state):\n        return f'{state}.'\n",
        NO_PARSE,
        None,
    ),
    "a position that is no text": (
        RULES + "\n    def position(self, state):\n        return state\n",
        "position should be a text in one line",
        "position should be a text, not 0, in the state 0",
    ),
    "no return": (
        RULES.replace("return [1] if", "[1] if"),
        "actions should be a list or a tuple, not None",
        "actions should be a list or a tuple, not None, in the state 0",
    ),
    "no hash": (
        RULES.replace("initial = 0", "initial = []"),
        "make it a tuple or a text",
        "make it a tuple, a text or a frozen dataclass",
    ),
    "an exception": (
        RULES.replace("return state + action", "return state + {1: 1}[action + 1]"),
        "result raises KeyError: 2 (count.py, line 17)",
        "fail in result in the state 0: KeyError: 2 (count.py, line 17)",
    ),
    "an exception in a helper": (
        RULES.replace("return -1", "return worth(state)") + "\n\ndef worth(state):\n    return 1 / 0\n",
        "utility raises ZeroDivisionError: division by zero (count.py, line 24)",
        "fail in utility in the state 3: ZeroDivisionError: division by zero (count.py, line 24)",
    ),
    "symmetries without return": (
        RULES + "\n    def symmetries(self):\n        pass\n",
        "symmetries should be a list of Symmetry(state, action), not NoneType",
        None,
    ),
    "symmetries that are functions": (
        PACKED + "\n    def symmetries(self):\n        return [abs]\n",
        "symmetries should be a list of Symmetry(state, action), not builtin_function_or_method",
        None,
    ),
    "a branch in packed rules": (
        PACKED.replace("state > 3", "not state < 4"),
        "Use a.any() or a.all() (count.py, line 13)",
        None,
    ),
}
"""By mistake: rules, and what `check` and `solve` say of them; None where these can be solved."""

BROKEN = [
    (
        RULES.replace("    initial = 0", "    def initial(self):\n        return 0"),
        "initial of Count is a method: write @property above it",
    ),
    (RULES + "\n    symmetries = []\n", "symmetries of Count should be a method, not list"),
    (
        RULES + "\n    def players(self):\n        return ('a', 'b')\n",
        "players of Count is a method: write @property above it",
    ),
    (
        RULES.replace("return state + action", "return Said()")
        .replace("state % 2", "0")
        .replace("[1] if state < 3", "[1, 2] if state == 0")
        + "\n    def position(self, state):\n        return 'ab'[state == 0]\n"
        + "\n    def parse(self, text):\n        return 0 if text == 'b' else Said()\n"
        + "\n\nclass Said: pass\n",
        "two objects Said are never equal: make Said a frozen dataclass",
    ),
    (
        RULES.replace("return state + action", "return Said()")
        .replace("initial = 0", "initial = property(lambda self: Said())")
        .replace("state % 2", "0")
        + "\n\nclass Said: __lt__ = lambda self, other: False\n",
        "two objects Said are never equal: make Said a frozen dataclass",
    ),
    (
        RULES.replace("return [1] if state < 3 else []", "yield from [1] if state < 3 else []"),
        "actions should be a list or a tuple, not a generator",
    ),
    (TEXTBOOK.replace("return [1]", "[1]"), "actions should be a list or a tuple, not None, in the state 0"),
    (
        TEXTBOOK.replace("return state +", "state +"),
        "the action 1 leads to None, which cannot be a state, in the state 0",
    ),
    (TEXTBOOK.replace("return -1", "-1"), "utility should be a number, not None, in the state 3"),
    (TEXTBOOK.replace("return state %", "state %"), "to_move should be a player, not None, in the state 0"),
    (
        RULES.replace("return state + action", "import numpy\n        return (0, numpy.int64(1))")
        .replace("initial = 0", "initial = (0, 0)")
        .replace("state % 2", "state[0]")
        .replace("state < 3", "state[1] < 1"),
        "the rules need states without NumPy's numbers",
    ),
    (
        RULES.replace("return state + action", "frozen = Frozen()\n        frozen.field = action")
        + "\n\nfrom dataclasses import dataclass\n@dataclass(frozen=True)\nclass Frozen: pass\n",
        "cannot assign to field 'field' (count.py, line 18)",
    ),
    (f"{RULES}\n1 / 0\n", "count.py' fails: ZeroDivisionError: division by zero (count.py, line 22)"),
    (RULES.replace("return -1", "return False"), "should be an integer below 2**63, signs aside, not False"),
    (f"from .beside import other\n{RULES}", "line 1); name it as a module of its package, MODULE:CLASS"),
    (RULES.replace("return -1", "return 'lost'"), "should be an integer"),
    (RULES.replace("[1] if", "__import__('itertools').count() if"), "more than 100,000 actions"),
]
"""Rules, and what both say of them."""

MISTAKES |= {f"{nth}: {words}": (rules, words, words) for nth, (rules, words) in enumerate(BROKEN)}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_in_rules_are_explained(tmp_path: Path, mistake: str) -> None:
    rules, checked, solved = MISTAKES[mistake]
    (tmp_path / "count.py").write_text(rules)
    result = call("check", "count.py:Count", cwd=tmp_path)
    assert result.exit_code in (1, 2)
    assert checked in result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    if solved is not None:
        assert solved in refusal(2, "solve", "count.py:Count", cwd=tmp_path)
        assert {item.name for item in tmp_path.iterdir()} <= {"count.py", "__pycache__"}
    elif "symmetries" in mistake:
        assert checked in refusal(2, "solve", "count.py:Count", "--fold", cwd=tmp_path)


def test_mistake_in_a_module_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "count.py").write_text(MISTAKES["an exception"][0])
    done = start("check", "count:Count", cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert "result raises KeyError: 2 (count.py, line 17)" in done.stdout, done.stderr


FLOATS = RULES.replace("state + action", "state / 1 + action").replace("state % 2", "int(state) % 2")


@pytest.mark.parametrize(
    ("rules", "engine", "layout", "words"),
    [
        (RULES + POSITION, "graph", "readable", NO_PARSE),
        (RULES + POSITION, "arrays", "readable", NO_PARSE),
        (PACKED + POSITION, "graph", "readable", NO_PARSE),
        (PACKED + POSITION, "arrays", "packed", NO_PARSE),
        (PACKED + POSITION, "layers", "packed", NO_PARSE),
        (FLOATS, "graph", "readable", "cannot read the position '3.0': it should be like '0'"),
        (FLOATS, "arrays", "readable", "cannot read the position '3.0': it should be like '0'"),
    ],
)
def test_unreadable_own_position_is_refused(
    tmp_path: Path, rules: str, engine: str, layout: str, words: str
) -> None:
    (tmp_path / "count.py").write_text(rules)
    said = refusal(2, "solve", "count.py:Count", "--engine", engine, "--layout", layout, cwd=tmp_path)
    assert words in said
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["count.py"]
    assert not (tmp_path / "Count.db.work").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("check", "count.py:Count", "--traceback"),
        ("--traceback", "solve", "count.py:Count"),
        ("solve", "--traceback", "count.py:Count", "--json"),
    ],
)
def test_traceback_is_printed_on_request(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "count.py").write_text(MISTAKES["an exception"][0])
    result = run(*command, cwd=tmp_path)
    assert result.returncode == (1 if "check" in command else 2)
    assert "Traceback (most recent call last)" in result.stderr
    assert 'count.py", line 17, in result' in result.stderr


GROWING = {
    "texts": ("initial = 'x'", "return state + state + str(action)"),
    "tuples": ("initial = (0,)", "return (*state, *state, action)"),
    "nested": ("initial = ()", "return (state, action)"),
    "numbers": ("initial = 2", "return state ** 2 + action"),
}
"""How states may grow for ever: the first one, and the next."""


@pytest.mark.parametrize("growing", GROWING)
def test_check_of_unbounded_states_says_there_are_more(tmp_path: Path, growing: str) -> None:
    initial, result = GROWING[growing]
    rules = RULES.replace("initial = 0", initial).replace("return state + action", result)
    rules = rules.replace("return state % 2", "return 0").replace("[1] if state < 3 else []", "[1, 2]")
    (tmp_path / "count.py").write_text(rules)
    actual = run("check", "count.py:Count", "--states", "300", cwd=tmp_path)
    assert "states; the game has more" in actual.stdout, actual.stdout + actual.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("games {}", "at most 10**3001 states"),
        ("solve {}", "up to 10**3001 states"),
        ("solve {} --dry-run", "arrays: at most 10**3001 states, over 20,000"),
        ("sweep {} size=1..2", "not tried: at most 10**3001 states"),
    ],
)
def test_commands_shorten_a_bound_of_thousands_of_digits(tmp_path: Path, command: str, words: str) -> None:
    rules = RULES.replace("class", "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass")
    rules = rules.replace("    initial = 0", "    initial = 0\n    size: int = 3")
    (tmp_path / "count.py").write_text(
        f"{rules}\n    def states_at_most(self):\n        return 2 * 10**3000\n"
    )
    done = run(*command.format("count.py:Count").split(), cwd=tmp_path)
    assert words in done.stdout + done.stderr
    assert "000,000,000" not in done.stdout + done.stderr
