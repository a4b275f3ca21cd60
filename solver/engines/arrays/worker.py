"""A worker process that asks the rules, for `solver.engines.arrays.rules_pool`."""

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

from solver.engines.arrays.asking import Asker, asker
from solver.errors import BrokenRules, OtherWork, SolverError, summary_of
from solver.rules.loading import load_game
from solver.rules.named import fingerprint
from solver.rules.source import trust
from solver.system.executors import OnProgress, serve
from solver.system.plugins import release


class RulesOpening(NamedTuple):
    """The game, as a worker opens it."""

    name: str
    parameters: dict[str, Any]
    fold: bool
    """Whether states are folded."""
    trusted: frozenset[str]
    """The rules files that may run."""
    program: str
    """The release of the program."""
    play: str | None
    """The fingerprint of the rules; None for a worker that certainly sees the same files."""


Task: TypeAlias = tuple[str, bytes]
"""A method of `Asker`, and the pickled states to ask about."""


@contextmanager
def tasks(opening: RulesOpening, on_progress: OnProgress) -> Iterator[Callable[[Task], object]]:
    """Yield the function that does a task; it returns errors. Raises `OtherWork` for other rules."""
    name, parameters, fold, rules, program, play = opening
    if (own := release()) != program:
        raise OtherWork(f"it has perfectplay {own}, the solve is by {program}")
    if play is not None and not fingerprint(name).knows(play):
        raise OtherWork(f"it has other rules of {name}")
    trust.allow(rules)
    opened: Asker | None = None

    def answer(task: Task) -> object:
        nonlocal opened
        question, states = task
        try:
            opened = opened or asker(load_game(name, parameters, trusted=False), fold=fold)
            return getattr(opened, question)(pickle.loads(states))
        except SolverError as error:
            return error
        except (Exception, SystemExit) as error:
            return BrokenRules(f"the rules of {name} cannot be asked in another process: {summary_of(error)}")

    yield answer


if __name__ == "__main__":
    serve(tasks)
