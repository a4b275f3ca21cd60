"""The texts of rules files: short games that tests write to files and alter."""

from collections.abc import Iterable
from pathlib import Path

from tests.support.commandline import run


def made_in(folder: Path, rules: str, commands: Iterable[str] = ()) -> Path:
    """The folder, with these rules as `count.py` and what commands make there."""
    folder.mkdir(exist_ok=True)
    (folder / "count.py").write_text(rules)
    for command in commands:
        done = run(*command.split(), cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


RULES = '''
from solver import Game


class Count(Game):
    """Count to three; whoever says three loses."""

    initial = 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return [1] if state < 3 else []

    def result(self, state, action):
        return state + action

    def utility(self, state):
        return -1
'''

PACKED = """
from solver import PackedGame


class Count(PackedGame):
    initial = 0
    action_count = 1

    def to_move(self, state):
        return state & 1

    def is_terminal(self, state):
        return state > 3

    def legal(self, state, action):
        return state < 4

    def result(self, state, action):
        return state + 1

    def utility(self, state):
        return 1
"""

HEAPS = '''
from dataclasses import dataclass
from solver import Game


@dataclass(frozen=True)
class Heap(Game):
    """Take one or two; whoever takes the last one wins."""

    sizes: tuple[int, ...] = (4,)

    @property
    def initial(self):
        return f"{'+'.join(map(str, self.sizes))} first"

    def to_move(self, state):
        return int(state.endswith("second"))

    def actions(self, state):
        heaps = map(int, state.split()[0].split("+"))
        return [f"{at}:{n}" for at, heap in enumerate(heaps) for n in (1, 2) if n <= heap]

    def result(self, state, action):
        heaps = [int(heap) for heap in state.split()[0].split("+")]
        at, taken = map(int, action.split(":"))
        heaps[at] -= taken
        return f"{'+'.join(map(str, heaps))} {'first' if self.to_move(state) else 'second'}"

    def utility(self, state):
        return 1 if self.to_move(state) else -1
'''
"""Rules with a parameter, and without a bound on the states."""
