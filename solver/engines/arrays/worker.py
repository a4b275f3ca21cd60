"""A worker process that asks the rules: it answers the questions of `solver.engines.arrays.rules_pool`."""

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from solver.engines.arrays.asking import Asker, asker
from solver.errors import BrokenRules, SolverError, summary_of
from solver.rules.loading import load_game
from solver.rules.source import trust
from solver.system.executors import OnProgress, serve

Opening: TypeAlias = tuple[str, dict[str, Any], bool, frozenset[str]]
"""Name and parameters of the game, whether states are folded, and the rules files that may run."""

Task: TypeAlias = tuple[str, bytes]
"""A method of `Asker`, and the pickled states to ask about."""


@contextmanager
def answerer(opening: Opening, on_progress: OnProgress) -> Iterator[Callable[[Task], object]]:
    """Yield what answers a question, be it with an error."""
    name, parameters, fold, rules = opening
    trust.allow(rules)
    made: Asker | None = None

    def answer(task: Task) -> object:
        nonlocal made
        question, states = task
        try:
            made = made or asker(load_game(name, parameters, trusted=False), fold=fold)
            return getattr(made, question)(pickle.loads(states))
        except SolverError as error:
            return error
        except (Exception, SystemExit) as error:
            return BrokenRules(f"the rules of {name} cannot be asked in another process: {summary_of(error)}")

    yield answer


if __name__ == "__main__":
    serve(answerer)
