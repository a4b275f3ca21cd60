"""Misbehaving rules: each command ends with one line and a documented status."""

import os
import signal
from enum import IntEnum
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

from solver.engines.graph_states import explore
from solver.errors import MAX_LENGTH, BrokenRules, shown, summary_of
from solver.rules import loading as plugins
from solver.search import SEARCHES
from tests.support.commandline import call, refusal, refused, run, start
from tests.support.games.misbehaving import MEMBERS, MISBEHAVIOURS, Odd, Sound, Unspeakable, broken, deep

GAME = "rules.py:Sound"

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("solve", GAME, "-o", "new.db", "--force", "--memory", "500M"),
    ("solve", GAME, "-o", "new.db", "--force", "--memory", "500M", "--engine", "graph", "--fold"),
    ("solve", GAME, "-o", "new.db", "--force", "--engine", "layers"),
    ("check", GAME),
    ("games", GAME),
    ("compare", GAME, "--nodes", "200"),
    ("match", GAME, "random", "minimax"),
    ("match", "game.db", "perfect", "uct(playouts=10)"),
    ("play", GAME),
    ("play", "plan.json"),
    *(("search", GAME, "--with", name, "--playouts", "20", "--json") for name in SEARCHES),
    ("query", "game.db"),
    ("query", "game.db", "-o", "value.svg"),
    ("query", "game.db", "--rank"),
    ("puzzles", "game.db", "-o", "new.html"),
    ("puzzles", "game.db", "-o", "new.pdf"),
    ("verify", "game.db"),
    ("verify", "plan.json"),
    ("verify", "game.strong"),
    ("certify", "game.db", "-o", "new"),
    ("stats", "game.db"),
    ("plan", "game.db", "-o", "new.json"),
    ("plan", "game.db", "--fold"),
    ("plan", "game.db", "-o", "new.svg"),
    ("plan", "game.db", "-o", "new.html"),
    ("plan", "game.db", "-o", "new.gv"),
    ("explore", "game.db", "-o", "new.html"),
    ("grade", "game.db", "minimax"),
    ("export", "game.db", "-o", "new.csv", "--force"),
    ("diff", "game.db", "game.db"),
    ("replay", "played.jsonl", "--show", "1"),
    ("annotate", "played.jsonl"),
    ("annotate", "game.db", "--moves", "1,1", "-o", "new.html"),
    ("convert", "game.db", "-o", "packed.db"),
)

TYPED = "hint\nwhy\n1\nboard\nhelp\nundo\n1\n2\n1\n"

SHARE = 3
"""So many of the commands are tried with each misbehaviour of each member, others with the next."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rules, and what was made while they were sound."""
    folder = tmp_path_factory.mktemp("misbehaving")
    (folder / "rules.py").write_text("from tests.support.games.misbehaving import Sound\n")
    for made in (
        ("solve", GAME, "-o", "game.db"),
        ("plan", "game.db", "-o", "plan.json"),
        ("certify", "game.db", "--strong", "-o", "game"),
        ("match", GAME, "random", "random", "--save", "played.jsonl"),
    ):
        assert call(*made, cwd=folder, input=TYPED).exit_code == 0
    return folder


def become(monkeypatch: pytest.MonkeyPatch, kind: type[Sound]) -> None:
    """Let the rules file have these rules from now on, with the fingerprint that it had."""
    real = plugins.game_class

    def changed(name: str, **options: Any) -> Any:
        return kind if name.endswith(":Sound") else real(name, **options)

    monkeypatch.setattr(plugins, "game_class", changed)
    monkeypatch.setattr("solver.commands.games.game_class", changed)


def hold(actual: Result) -> None:
    """Hold what a command did to what every command promises."""
    assert isinstance(actual.exception, SystemExit | None), repr(actual.exception)
    assert actual.exit_code in (0, 1, 2, 3, 4)
    # In a dialogue refused answers come before, each with an empty line behind it.
    refused_answers, _, error = actual.stderr.rpartition("\n\n")
    assert error.count("\n") == 1 or actual.exit_code < 2
    assert not refused_answers or actual.stdout
    assert "Traceback" not in actual.output
    assert len(actual.stderr) < 5000


TRIED = cycle(COMMANDS)

DEALT = [(*case, tuple(islice(TRIED, SHARE))) for case in product(MEMBERS, MISBEHAVIOURS)]


@pytest.mark.parametrize(("member", "misbehaviour", "commands"), DEALT)
def test_commands_report_misbehaving_rules_in_one_line(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    member: str,
    misbehaviour: str,
    commands: tuple[tuple[str, ...], ...],
) -> None:
    become(monkeypatch, broken(member, misbehaviour))
    for command in commands:
        hold(call(*command, cwd=folder, input=TYPED))


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("misbehaviour", ["raises", "exits", "recursion", "none", "odd"])
def test_check_reports_every_misbehaviour(
    folder: Path, monkeypatch: pytest.MonkeyPatch, member: str, misbehaviour: str
) -> None:
    become(monkeypatch, broken(member, misbehaviour))
    result = call("check", GAME, cwd=folder, input=TYPED)
    hold(result)
    absent = misbehaviour == "none" and member in ("board", "states_at_most")  # which may be None
    assert result.exit_code == (0 if absent else 1), result.output


@pytest.mark.parametrize("member", ["to_move", "actions", "result", "utility", "canonical"])
@pytest.mark.parametrize("misbehaviour", ["raises", "exits", "unspeakable", "recursion"])
def test_error_names_rules_member_and_state(member: str, misbehaviour: str) -> None:
    says = rf"the rules of Broken fail in {member} in the state \([01], \d\): "
    with pytest.raises(BrokenRules, match=says):
        explore(broken(member, misbehaviour)(), fold=True)


@pytest.mark.parametrize("member", ["initial", "to_move", "actions", "result", "utility"])
@pytest.mark.parametrize("name", SEARCHES)
def test_searches_name_the_failing_rules(
    folder: Path, monkeypatch: pytest.MonkeyPatch, member: str, name: str
) -> None:
    become(monkeypatch, broken(member, "raises"))
    said = refused(2, call("search", GAME, "--with", name, cwd=folder))
    assert f"the rules of Broken fail in {member}" in said
    assert "ZeroDivisionError" in said


class Taken(IntEnum):
    ONE = 1
    TWO = 2


class Plain(Sound):
    """Rules that answer with NumPy's integers, truths, enumerations and iterators that can be used once."""

    def to_move(self, state: Any) -> Any:
        return np.int8(state[0])

    def actions(self, state: Any) -> Any:
        return map(Taken, super().actions(state))

    def utility(self, state: Any) -> Any:
        return np.bool_(True) if state[0] else np.int64(-1)

    def is_terminal(self, state: Any) -> Any:
        return np.bool_(not state[1])

    def board(self, state: Any) -> Any:
        return (iter(row) for row in super().board(state))

    def evaluate(self, state: Any) -> Any:
        return np.float64(0.5)

    def states_at_most(self) -> Any:
        return np.int64(10)

    def symmetries(self) -> Any:
        return iter(super().symmetries())


@pytest.mark.parametrize("command", [item for item in COMMANDS if "layers" not in item])
def test_commands_accept_numpy_integers_and_iterators(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    sound = call(*command, cwd=folder, input=TYPED)
    become(monkeypatch, Plain)
    result = call(*command, cwd=folder, input=TYPED)
    hold(result)
    assert result.exit_code == sound.exit_code, result.output


def test_explore_stores_plain_integers() -> None:
    nodes = explore(Plain()).nodes.values()
    assert {type(node["to_move"]) for node in nodes} == {int}
    utilities = [node["utility"] for node in nodes if "utility" in node]
    assert ({*utilities}, {*map(type, utilities)}) == ({1, -1}, {int})


class Strange:
    """A state that is sound but for one method."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __eq__(self, other: object) -> Any:
        return isinstance(other, Strange) and self.left == other.left

    def __hash__(self) -> int:
        return 5


class Unequal(Strange):
    __hash__ = Strange.__hash__

    def __eq__(self, other: object) -> Any:
        raise ArithmeticError("not to be compared")


class Elementwise(Strange):
    __hash__ = Strange.__hash__

    def __eq__(self, other: object) -> Any:
        return np.array([True, False])


class Unhashed(Strange):
    def __hash__(self) -> int:
        raise ArithmeticError("not to be hashed")


@pytest.mark.parametrize("kind", [Unequal, Elementwise, Unhashed])
@pytest.mark.parametrize("command", ["solve", "check", "search", "match"])
def test_incomparable_states_are_reported_as_broken_rules(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: type[Strange], command: str
) -> None:
    class Counting(Sound):
        initial_states = lambda self: [kind(4)]  # noqa: E731
        initial = property(lambda self: kind(4))
        to_move = lambda self, state: state.left % 2  # noqa: E731
        actions = lambda self, state: [1, 2] if state.left > 1 else []  # noqa: E731
        result = lambda self, state, action: kind(state.left - action)  # noqa: E731
        utility = lambda self, state: 1  # noqa: E731
        is_terminal = lambda self, state: state.left < 2  # noqa: E731
        position = lambda self, state: str(state.left)  # noqa: E731
        parse = lambda self, text: kind(int(text))  # noqa: E731

    Counting.__qualname__ = "Counting"  # as if it were not inside a function
    become(monkeypatch, Counting)
    words = {"solve": "-o new.db --force", "search": "--with minimax-table", "match": "random random"}
    actual = call(command, GAME, *words.get(command, "").split(), cwd=folder, input=TYPED)
    hold(actual)
    assert actual.exit_code == (1 if command == "check" else 2), actual.output
    assert command == "check" or "Counting" in actual.output or f"{kind.__name__}.__" in actual.output


def test_shown_limits_the_length_of_any_value() -> None:
    for value in (deep(), 10**6000, Odd(), "x" * 10**7, [Odd()], {Unspeakable(): deep()}):
        assert 0 < len(shown(value)) <= MAX_LENGTH


def test_shown_returns_the_repr_of_short_values() -> None:
    for value in ("root", (0, (1, 2)), frozenset({1}), {"a": [1]}, np.int64(5), 2**63, None):
        assert shown(value) == repr(value)
    assert summary_of(Unspeakable()) == "Unspeakable: ..."
    assert summary_of(ValueError("x" * 1000)).startswith("ValueError: xxx")
    assert len(summary_of(ValueError("x" * 1000))) < 2 * MAX_LENGTH


LOOPING = """
import os, signal
from solver import Game

def loop():
    os.kill(os.getpid(), signal.SIGINT)
    while True: pass

class Loop(Game):
    initial = (7, 8)
    def to_move(self, state): return 0
    def actions(self, state): return (1,)
    def result(self, state, action): return loop()
    def utility(self, state): return 0

class Endless(Loop):
    def initial_states(self): return loop()

class Turn(Loop):
    def to_move(self, state): return loop()

class Name(Loop):
    def actions(self, state): return (1,) if state == (7, 8) else ()
    def result(self, state, action): return (7, 9)
    def action_name(self, action): return loop()

class End(Name):
    def utility(self, state): return loop()
"""

ANEW = ": nothing is kept, the same command begins again\n"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("solve loop.py:Loop", " while the rules of Loop were asked for result in the state (7, 8)"),
        ("solve loop.py:Endless", " while the rules of Endless were asked for initial_states"),
        ("solve loop.py:Turn", f" while the rules of Turn were asked for to_move in the state (7, 8){ANEW}"),
        ("solve loop.py:Name", f" while the rules of Name were asked for action_name of the action 1{ANEW}"),
        ("solve loop.py:End", f" while the rules of End were asked for utility in the state (7, 9){ANEW}"),
        ("solve once.py:Loop", "\n"),
        ("solve late.py:Loop", "\n"),
        ("check loop.py:Loop", " while the rules of Loop were asked for result in the state (7, 8)"),
        ("check loop.py:Endless", " while the rules of Endless were asked for initial_states"),
        ("search loop.py:Loop --with uct", " while the rules of Loop were asked for result"),
        ("match loop.py:Loop random random", " while the rules of Loop were asked for result"),
    ],
)
def test_interrupt_message_names_the_running_rule(tmp_path: Path, command: str, words: str) -> None:
    once = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass\n"
    (tmp_path / "loop.py").write_text(LOOPING)
    (tmp_path / "once.py").write_text(once)
    (tmp_path / "late.py").write_text(LOOPING + once)
    ended = run(*command.split(), cwd=tmp_path)
    assert (ended.returncode, ended.stderr.count("\n")) == (130, 1)
    assert ended.stderr.startswith(f"Error: interrupted{words}"), ended.stderr
    assert not list(tmp_path.glob("*.db*"))


def test_sigterm_ends_like_ctrl_c_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOPING.replace("SIGINT", "SIGTERM"))
    (tmp_path / "temporary").mkdir()
    environment = os.environ | {"TMPDIR": str(tmp_path / "temporary")}
    said = refused(130, start("solve", "loop.py:Loop", "-o", "-", cwd=tmp_path, env=environment))
    assert said.startswith("Error: interrupted while the rules of Loop were asked for result")
    assert not list((tmp_path / "temporary").iterdir())


LATE = """
import os, signal
from solver.games.mnk import MNK

class Late(MNK):
    def to_move(self, state): return self._asked() or super().to_move(state)
    def utility(self, state): return super().utility(self._asked() or state)
    def _asked(self):
        if os.environ.get("FAILS") == "rules": raise ValueError("late")
        if os.environ.get("FAILS") == "memory": raise MemoryError
        if os.environ.get("FAILS"): os.kill(os.getpid(), int(os.environ["FAILS"]))
"""


STATUSES = {"rules": 2, "memory": 2, str(int(signal.SIGINT)): 130, str(int(signal.SIGTERM)): 130, "9": -9}
"""The status of a solve by what `Late` does in it, by itself or by a signal to its process."""


@pytest.mark.parametrize(
    ("engine", "layout"),
    [
        ("graph", "readable"),
        ("layers", "packed"),
        pytest.param("graph", "packed", marks=pytest.mark.slow),
        pytest.param("layers", "readable", marks=pytest.mark.slow),
    ],
)
def test_older_database_survives_a_failed_or_killed_solve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, layout: str
) -> None:
    (tmp_path / "late.py").write_text(LATE)
    words = f"solve late.py:Late rows=2 columns=3 k=2 -o late.db --engine {engine} --layout {layout} --force"
    monkeypatch.chdir(tmp_path)
    assert call(*words.split()).exit_code == 0
    before = (tmp_path / "late.db").read_bytes()
    for fails, status in STATUSES.items():
        monkeypatch.setenv("FAILS", fails)
        if status == 2:  # of rules or memory, not of a signal to a process
            refusal(status, *words.split())
        else:
            ended = run(*words.split())
            assert (ended.returncode, ended.stderr.count("\n")) == (status, int(status > 0)), ended.stderr
        assert (tmp_path / "late.db").read_bytes() == before
