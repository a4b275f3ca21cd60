"""The fingerprint of play ignores definitions that only display; in doubt they count."""

from pathlib import Path

import pytest

from solver.rules.named import fingerprint
from solver.rules.source.modules import UNKNOWN, Fingerprint
from solver.system.plugins import entries

RULES = '''
from dataclasses import dataclass
from functools import cached_property

from solver import Game
from solver.game import Look

NAMES = "abc"

@dataclass(frozen=True)
class Count(Game):
    """Count to three."""
    last: int = 3
    initial = 0
    look = Look(glyphs={"x": "X"})
    title = "Count"
    def to_move(self, state):
        return state % 2
    def actions(self, state): return [1] if state < self.last else []
    def result(self, state, action): return state + action
    def utility(self, state): return -1
    def position(self, state): return str(state)
    def parse(self, text): return int(text)
    def board(self, state): return [["x"] * state]
    def show(self, state):
        return f"the sum is {state}"
    @cached_property
    def cell_names(self): return [list(NAMES)]
    def evaluate(self, state): return 0.5
    def states_at_most(self): return 4
'''


def fingerprint_of(folder: Path, text: str, **beside: str) -> Fingerprint:
    """The fingerprint of a rules file of this text, with modules of these names beside it."""
    number = len(list(folder.iterdir()))
    place = folder / str(number)  # as each file is read once in a process
    place.mkdir()
    for name, source in beside.items():
        (place / f"{name}.py").write_text(source)
    (place / "count.py").write_text(text)
    return fingerprint(f"{place / 'count.py'}:Count")


SHOWS = {
    "show": ('f"the sum is {state}"', '"*" * state'),
    "board": ('[["x"] * state]', '[["o", *"x" * state]]'),
    "look": ('"X"', '"o"'),
    "title": ('"Count"', '"Count to three"'),
    "cell_names": ("[list(NAMES)]", '[list("def")]'),
    "evaluate": ("return 0.5", "return state / 3"),
    "states_at_most": ("return 4", "return self.last + 1"),
    "one more": ("    initial = 0", "    initial = 0\n\n    def show(self, state):\n        return 'twice'"),
    "none": ('    title = "Count"\n', ""),
    "a variable of that name": ('[["x"] * state]', '[["x"] * (board := state)]'),
}
"""By what is changed: what is replaced in the rules, and by what."""


PLAYS = {
    "to_move": ("state % 2", "1 - state % 2"),
    "actions": ("[1] if", "[1, 2] if"),
    "utility": ("return -1", "return 1"),
    "position": ("return str(state)", 'return f"{state}."'),
    "parse": ("int(text)", "int(text) + 0"),
    "a parameter": ("last: int = 3", "last: int = 4"),
    "what is called by what shows": ('"abc"', '"abd"'),
}


@pytest.mark.parametrize(
    ("before", "after", "plays"),
    [(*change, changes is PLAYS) for changes in (SHOWS, PLAYS) for change in changes.values()],
    ids=[*SHOWS, *PLAYS],
)
def test_fingerprint_of_play_ignores_display(tmp_path: Path, before: str, after: str, plays: bool) -> None:
    assert before in RULES
    was, now = fingerprint_of(tmp_path, RULES), fingerprint_of(tmp_path, RULES.replace(before, after))
    assert now.code != was.code
    assert (now.play != was.play) is plays
    assert now.knows(was.play) is not plays
    assert not now.knows(was.code)


REACHED = {
    "called": ("return str(state)", "return self.show(state)"),
    "called through another member that shows": (
        "return str(state)",
        "return str(self.board(state))\n\n    def board(self, state):\n        return [[self.show(state)]]",
    ),
    "called by a function of the module": ("NAMES =", "def text(game):\n    game.show(1)\n\n\nNAMES ="),
    "named in the class": ("    def board", "    drawn = show = None\n\n    def board"),
    "another name in the class": ("    def evaluate", "    write = show\n\n    def evaluate"),
    "named by a text": ("return str(state)", 'return getattr(self, "show")(state)'),
    "named at run time": ("return str(state)", 'return getattr(self, "sh" + "ow")(state)'),
    "among all members": ("return str(state)", "return vars(type(self))[NAMES](state)"),
    "matched": (
        "return state % 2",
        "match self:\n            case Count(show=x):\n                return state % 2",
    ),
    "decorated": ("    def show", "    @print\n    def show"),
    "in a decorated class": ("@dataclass(frozen=True)", "@print"),
    "in a class with a metaclass": ("Count(Game)", "Count(Game, metaclass=Meta)"),
    "a default that is computed": ("show(self, state)", "show(self, state, seen=NAMES.upper())"),
    "it changes the game": ("def show(self, state):", "def show(self, state):\n        self.seen = 1"),
    "it changes the module": ("def show(self, state):", "def show(self, state):\n        global NAMES"),
    "a base from elsewhere": ("from solver import Game", "from pytest import Game"),
    "a base that is a game that comes along": (
        "from solver import Game",
        "from solver.games.nim import Nim as Game",
    ),
}
"""By the way in which play may reach `show`: what is replaced in the rules, and by what."""


@pytest.mark.parametrize("way", REACHED)
def test_fingerprint_of_play_covers_what_play_reaches(tmp_path: Path, way: str) -> None:
    before, after = REACHED[way]
    assert before in RULES
    reached = RULES.replace(before, after, 1)
    other = reached.replace("the sum is", "the count is")
    assert other != reached
    assert fingerprint_of(tmp_path, other).play != fingerprint_of(tmp_path, reached).play


def test_fingerprint_of_play_covers_neighbouring_modules(tmp_path: Path) -> None:
    rules = RULES.replace("from solver import Game", "from base import Base as Game")
    plays = "from solver import Game\nclass Base(Game):\n    def position(self, state):\n        return {}\n"
    for text, counts in (("self.show(state)", True), ("str(state)", False)):
        other, base = rules.replace("the sum is", "the count is"), plays.format(text)
        made = [fingerprint_of(tmp_path, item, base=base).play for item in (rules, other)]
        assert (made[0] != made[1]) is counts


def test_class_with_only_display_members_has_the_same_play(tmp_path: Path) -> None:
    variant = f"{RULES}\n\nclass Variant(Count):\n    pass\n"
    shown = f'{RULES}\n\nclass Variant(Count):\n    title = "Another"\n'
    assert fingerprint_of(tmp_path, variant).play == fingerprint_of(tmp_path, shown).play


@pytest.mark.parametrize("name", entries("games"))
def test_every_built_in_game_has_a_fingerprint_of_play(name: str) -> None:
    made = fingerprint(name)
    assert made == fingerprint(name)
    assert fingerprint(f"{name}-of-no-file:Game").code == UNKNOWN
    assert len(made.play) == len(made.code) == 64
    assert made.knows(made.play)
    assert made.knows(made.code)


def test_source_that_is_no_code_counts_as_a_whole(tmp_path: Path) -> None:
    made = fingerprint_of(tmp_path, "nonsense(")
    assert made.play == made.code
