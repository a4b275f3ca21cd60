"""The answers of packed rules for arrays of states, by machine code or by the rules themselves.

Answers for arrays are compared with those for single states: for all states of a small file, and for an
evenly spaced sample of a large one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.errors import BrokenRules, shown
from solver.packed import PackedGame
from solver.proof.answers import actions_by_name, contradictions, has_own_list, misread
from solver.proof.packed.machine_code import Formula, KernelSpec, NoFormula, compiled, formula
from solver.rules.arrays import Keys, array_type
from solver.rules.folding import SignedMap

Question: TypeAlias = tuple[Any, ...]
"""The name of a rule and its arguments besides the state; ("image", n) for the nth symmetry."""

COMPILED_FROM = 1 << 20
"""The states of the smallest file for which rules are compiled, which takes up to some seconds."""

ALL_ALONE = 1 << 16
"""The largest file, in states times actions, of which every state is also asked about alone."""

MIN_ALONE, MAX_APART = 32, 1 << 18
"""In larger files: the fewest states asked about alone, and the greatest distance between two of them."""

TRUTHS = ("legal", "is_terminal")
"""The rules whose answers are bools."""


class ArrayAnswers:
    """The answers of the rules of one game."""

    def __init__(
        self, game: PackedGame, symmetries: Sequence[SignedMap], states: int, *, for_lookups: bool = False
    ) -> None:
        """Ask the rules about a file with this number of `states`; for a large one compile what can be.

        `for_lookups` also proves the answers that lookups need, for the states that are asked about alone.
        """
        self._game, self._symmetries, self._type = game, symmetries, array_type(game)
        is_small = states * game.action_count <= ALL_ALONE
        self._step = 1 if is_small else max(1, min(states // MIN_ALONE, MAX_APART))
        self._asked, self._for_lookups = Counter[Question](), for_lookups
        self._compiled = _kernels(self._questions(), self._rule) if states >= COMPILED_FROM else {}

    def __call__(self, keys: Keys, *question: Any) -> Any:
        """The answer for each state; raises `BrokenRules` if the answer for a state alone differs."""
        if not len(keys) and question[0] != "tier":
            return keys
        if (kernel := self._compiled.get(question)) is not None:
            answer = kernel(keys)
        else:
            answer = self._rule(question)(keys.view(self._type))
        if answer is None:
            return None
        before = self._asked[question]
        self._asked[question] += len(keys)
        if (first := -before % self._step) < len(keys):
            self._ask_alone(question, keys, np.asarray(answer), range(first, len(keys), self._step))
        return np.asarray(answer)

    def obstacle(self) -> Exception | None:
        """The reason why the rules cannot be compiled: `NoFormula`, or an ImportError; None if they can."""
        try:
            for question in self._questions():
                if question[0] not in ("tier", "image"):
                    formula(self._rule(question))
            import llvmlite  # noqa: F401
        except (NoFormula, ImportError) as error:
            return error
        return None

    def _ask_alone(self, question: Question, keys: Keys, answers: NDArray[Any], places: range) -> None:
        """Ask about the states at these places alone; raises `BrokenRules` if an answer differs."""
        take, ask, game = bool if question[0] in TRUTHS else int, self._rule(question), self._game
        answers = answers if answers.shape == keys.shape else np.broadcast_to(answers, keys.shape)
        for state, answer in zip(keys[places].tolist(), answers[places].tolist(), strict=True):
            if take(alone := ask(state)) != take(answer):
                raise BrokenRules(
                    f"the rules of {type(game).__name__} say {shown(alone)} for {question[0]} of the "
                    f"state {state} alone, but {answer} for it in an array"
                )
            if self._for_lookups and question[0] == "is_terminal":
                actions = [*actions_by_name(game, state).values()]
                wrong = contradictions(game, state, actions, listed=has_own_list(game))
                for problem in chain(wrong, misread(game, state)):
                    raise BrokenRules(f"in the state {state} {problem}")

    def _rule(self, question: Question) -> Callable[[Any], Any]:
        name, *arguments = question
        if name == "image":
            return self._symmetries[arguments[0]].state
        member = getattr(self._game, name)
        return lambda keys: member(keys, *arguments)

    def _questions(self) -> Iterator[Question]:
        for name in ("legal", "result"):
            for action in range(self._game.action_count):
                yield name, action
        for name in ("is_terminal", "utility", "to_move", "tier"):
            yield (name,)
        for nth in range(len(self._symmetries)):
            yield "image", nth


def _kernels(
    questions: Iterable[Question], rule: Callable[[Question], Callable[[Any], Any]]
) -> dict[Question, partial[Any]]:
    """The kernels of the questions that can be compiled; empty if llvmlite is missing or cannot compile."""
    formulas: dict[Question, Formula] = {}
    groups: dict[tuple[Any, ...], list[Question]] = {}
    for question in questions:
        with suppress(NoFormula):
            formulas[question] = traced = formula(rule(question))
            groups.setdefault((question[0], traced.steps, traced.answer), []).append(question)
    try:
        specs = []
        for nth, group in enumerate(groups.values()):
            columns = zip(*(formulas[question].constants for question in group), strict=True)
            given = frozenset(number for number, column in enumerate(columns) if len({*column}) > 1)
            specs.append(KernelSpec(f"rule{nth}", formulas[group[0]], given, group[0][0] in TRUTHS))
        kernels = compiled(specs)
    except (ImportError, RuntimeError, OSError):
        return {}
    return {
        question: partial(kernels[spec.name], constants=np.array(formulas[question].constants, np.int64))
        for spec, group in zip(specs, groups.values(), strict=True)
        for question in group
    }
