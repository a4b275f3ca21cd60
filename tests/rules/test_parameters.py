"""Parameters of every storable type, as text and as JSON; others are refused before any work."""

import json
import re
import sys
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from runpy import run_path
from typing import Any, Literal, Optional

import pytest
from click.testing import Result

from solver import load_game, solve
from solver.errors import BadParameter, BrokenRules
from solver.rules.loading import game_parameters
from solver.rules.parameters import MAX_CHARACTERS, MAX_ITEMS, converted
from solver.system.plugins import EntryPoint, entries
from tests.support.commandline import call, refusal, silent, succeeded
from tests.support.games.misbehaving import Fork
from tests.support.solved import solving


class Colour(Enum):
    RED = (255, 0, 0)
    BLUE = (0, 0, 255)


@dataclass(frozen=True)
class Motley(Fork):
    """A game with parameters of many types."""

    number: int = 1
    flag: bool = False
    sizes: tuple[int, ...] = (1, 2)
    words: tuple[str, ...] = ()
    limit: int | None = None
    word: Optional[str] = "some"  # noqa: UP045 (people write it so)
    side: Literal["left", "right", 3] = "left"
    colour: Colour = Colour.RED
    pair: tuple[int, str] = (1, "a")
    rows: tuple[tuple[int, ...], ...] = ((1, 2), (3,))
    colours: tuple[Colour, ...] = (Colour.BLUE,)
    share: float = 0.5

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError("a number below 0")


NIM = (
    "from dataclasses import dataclass\nfrom solver.games.nim import Nim\n"
    "@dataclass(frozen=True)\nclass Game(Nim):\n    pass"
)

MISSPELT = """
from solver import Game as Rules
class Game(Rules):
    initial = 0
    def to_move(self, state): return 0
    def actions(self, state): return []
    def result(self, state, action): return 0
    def utilty(self, state): return 0
"""

MOTLEY = f"{__file__}:Motley"


@pytest.mark.parametrize(
    ("name", "text", "stored", "value"),
    [
        ("number", "5", 5, 5),
        ("number", 5, 5, 5),
        ("flag", "true", True, True),
        ("flag", "FALSE", False, False),
        ("flag", True, True, True),
        ("sizes", "3", [3], (3,)),
        ("sizes", "1,3,5,7", [1, 3, 5, 7], (1, 3, 5, 7)),
        ("sizes", [1, 3], [1, 3], (1, 3)),
        ("words", "a,b", ["a", "b"], ("a", "b")),
        ("word", "two words", "two words", "two words"),
        ("word", "1,2", "1,2", "1,2"),
        ("limit", "5", 5, 5),
        ("limit", "none", None, None),
        ("word", "none", None, None),
        ("word", "other", "other", "other"),
        ("side", "right", "right", "right"),
        ("side", "3", 3, 3),
        ("colour", "BLUE", "BLUE", "BLUE"),
        ("pair", "7,b", [7, "b"], (7, "b")),
        ("colours", "BLUE,RED", ["BLUE", "RED"], ("BLUE", "RED")),
        ("share", "0.25", 0.25, 0.25),
    ],
)
def test_parameter_is_read_from_text_and_json(name: str, text: Any, stored: Any, value: Any) -> None:
    game = load_game(MOTLEY, {name: text})
    left = json.loads(json.dumps(game_parameters(game)))
    assert left[name] == stored
    assert load_game(MOTLEY, left) == game
    assert _named(getattr(game, name)) == value


def _named(value: Any) -> Any:
    return tuple(map(_named, value)) if isinstance(value, tuple) else getattr(value, "name", value)


def test_database_restores_the_parameters() -> None:
    game = Motley(limit=None, side=3, colour=Colour.BLUE, rows=((), (1,)))
    with solving(game) as db:
        assert game_parameters(db.game) == db.parameters == game_parameters(game)
        assert db["root"].value == 1


UNFIT: list[tuple[Any, ...]] = [
    ("number", "an integer", "five", "", None, "9" * 5000),
    ("number", "a number below 0", "-1"),
    ("flag", "true or false", "yes"),
    ("sizes", "a list with commas, each an integer", "1,x"),
    ("sizes", "a list with commas", "1,,2", 5),
    ("size", "number, flag, sizes, words, limit, word, side, colour, pair", "3"),
    ("initial", "it has number", "1"),
    ("limit", "an integer or none, not 'few'", "few"),
    ("limit", "an integer or none", True, 1.0, {}),
    ("side", "one of left, right, 3, not 'up'", "up"),
    ("side", "one of left, right, 3", [], True),
    ("colour", "one of RED, BLUE, not 'GREEN'", "GREEN"),
    ("colour", "one of RED, BLUE", [255, 0, 0]),
    ("pair", "a list with commas, an integer, a word", "1", "1,a,b"),
    ("rows", "a list with commas", {"0": [1]}),
    ("share", "a number", "nan", "inf", 10**400, False),
    ("word", "a word or none", ["a"]),
    ("word", "at most 1,000,000 characters", "a" * (MAX_CHARACTERS + 1)),
    ("rows", "at most 1,000,000 characters, or 100,000 items of a list", [[]] * (MAX_ITEMS + 1)),
    ("colours", "a list with commas", "RED," * MAX_ITEMS),
]
"""A parameter, what is said of values that it cannot have, and these."""


@pytest.mark.parametrize(
    ("name", "hint", "value"), [(name, hint, value) for name, hint, *values in UNFIT for value in values]
)
def test_values_outside_the_type_are_refused_briefly(name: str, hint: str, value: Any) -> None:
    with pytest.raises(BadParameter) as caught:
        load_game(MOTLEY, {name: value})
    assert hint in str(caught.value)
    assert len(str(caught.value)) < len(MOTLEY) + 300


def test_deeply_nested_value_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for wanted in (str, int, tuple[int, ...], tuple[tuple[int, ...], ...]):
        with pytest.raises(BadParameter):
            converted("it", "deep", deep, wanted)


UNKNOWN = ("frozenset[int]", "dict[str, int]", "list[int]", "tuple", "int | str", "object", "bytes")

FIELDS = [
    ("set[int] = frozenset()", "it should be int, float, bool, str, a Literal, an Enum,"),
    ("tuple = ()", "if it is no parameter, write odd = ... without a type"),
    *(
        (f"{kind} = None", f"the parameter odd of Odd is {kind}:")
        for kind in (*UNKNOWN, "tuple[set[int], ...]")
    ),
    ("Literal[b'x'] = b'x'", "the parameter odd of Odd is typing.Literal[b'x']"),
    ("'Nowhere' = 1", "the annotations of Odd cannot be read: NameError: name 'Nowhere' is not defined"),
    ("'1 +' = 1", "the annotations of Odd cannot be read: SyntaxError"),
    ("int = 1.5j", "the parameter odd of Odd is 1.5j, which a database cannot hold"),
    ("float = float('nan')", "the parameter odd of Odd is nan, which a database cannot hold"),
    ("int = 10 ** 5000", "the parameter odd of Odd is int(...), which a database cannot hold"),
    ("tuple[int, ...] = ({1},)", "the parameter odd of Odd is {1}, which a database cannot hold"),
]


@pytest.mark.parametrize(("field", "hint"), FIELDS)
def test_unstorable_parameters_are_refused_before_work(tmp_path: Path, field: str, hint: str) -> None:
    path = tmp_path / "rules.py"
    path.write_text(
        "from dataclasses import dataclass\nfrom typing import Literal\nfrom solver.games.nim import Nim\n"
        "@dataclass(frozen=True)\nclass Odd(Nim):\n"
        "    'Written here: some Pythons fail to make a text of the number.'\n"
        f"    odd: {field}\n"
        "    def actions(self, state):\n        raise RuntimeError('work')\n"
    )
    kind = run_path(str(path))["Odd"]
    for work in (lambda: load_game(f"{path}:Odd"), lambda: solve(kind(), tmp_path / "odd.db")):
        with pytest.raises(BrokenRules) as caught:
            work()
        assert hint in str(caught.value)


BROKEN = [
    ("raise SystemExit", "SystemExit"),
    ("raise SystemExit('two\\nlines')", "SystemExit: two lines"),
    ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
    ("1 +", "SyntaxError"),
    ("raise BaseException('odd')", "BaseException: odd"),
    ("class Mute(Exception):\n    def __str__(self): raise ValueError\nraise Mute", "Mute"),
    ("def __getattr__(name): raise OSError('none')", "OSError: none"),
    ("class Game: pass", "is not a game: it should be a class that inherits from solver.Game"),
    ("Game = 5", "is not a game"),
    ("from solver import Game", "lack actions, initial, result, to_move, utility"),
    (MISSPELT, "lack utility; did you mean utility by utilty?"),
    (f"{NIM}\n    players = 4", "should name two different players, not 4"),
    (f"{NIM}\n    odd: 'Nowhere' = 1", "the annotations of Game cannot be read: NameError"),
    (f"{NIM}\n    odd: set = None", "the parameter odd of Game is set"),
]


COMMANDS = ("games", "solve", "check", "compare", "play", "search --with uct", "match random random")


@pytest.mark.parametrize(("text", "hint"), BROKEN)
def test_broken_game_is_refused_alike_by_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, hint: str
) -> None:
    (tmp_path / "broken_rules.py").write_text(text)
    broken = {"games": {"broken": EntryPoint("broken", "broken_rules:Game", "perfectplay.games")}}
    for module in ("rules.loading", "commands.games"):
        monkeypatch.setattr(f"solver.{module}.entries", lambda group: entries(group) | broken.get(group, {}))
    monkeypatch.syspath_prepend(tmp_path)
    for game in ("broken", f"{tmp_path}/broken_rules.py:Game"):
        said = set()
        for command in COMMANDS:
            name, *more = command.split()
            actual = _called(name, game, *more)
            assert (actual.exit_code, actual.stdout, actual.stderr.count("\n")) == (2, "", 1), actual.output
            said.add(actual.stderr)
        assert len(said) == 1
        assert hint in said.pop()
    actual = silent(_called("games"))
    assert re.search(rf"^broken +broken: .*{re.escape(hint)}", actual.stdout, re.MULTILINE)
    assert len(actual.stdout.splitlines()) == len(entries("games")) + 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_a_rules_file_with_one_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("heaps.py").write_text(NIM)
    name, *more = command.split()
    succeeded(call(name, "heaps.py", *more))


@pytest.mark.parametrize("head", ["class Mine(Game)", "@dataclass(frozen=True)\nclass Mine(Nim)"])
def test_docstring_is_not_inherited_as_description(head: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from dataclasses import dataclass\nfrom solver import Game\nfrom solver.games.nim import Nim\n\n"
        f"{head}:\n    initial = 0\n    to_move = actions = result = utility = lambda self, *given: 0\n"
    )
    shown = silent(call("games", f"{path}:Mine")).stdout
    assert shown.startswith(f"{path}:Mine: no description, as the class has no docstring\n\nplayers ")
    assert json.loads(silent(call("games", f"{path}:Mine", "--json")).stdout)["description"] is None


def _called(*words: str) -> Result:
    """What a command does in a program that has not imported the broken game yet."""
    sys.modules.pop("broken_rules", None)
    return call(*words)


def test_players_of_the_instance_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(f"{NIM}\n    @property\n    def players(self):\n        return [self.misere, 1]\n")
    with pytest.raises(BrokenRules, match=r"two different players, not \[False, 1\]"):
        load_game(f"{path}:Game")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("1 / 0", "fail in states_at_most: ZeroDivisionError"),
        ("'many'", "states_at_most should be a number, not 'many'"),
        ("[1]", "states_at_most should be a number, not [1]"),
    ],
)
def test_invalid_bound_of_states_is_refused(tmp_path: Path, answer: str, says: str) -> None:
    path = tmp_path / "rules.py"
    path.write_text(f"{NIM}\n    def states_at_most(self):\n        return {answer}\n")
    assert says in refusal(2, "games", f"{path}:Game")
