"""The rules of a packed game, asked about arrays of states: by machine code, or as they are.

Each kernel first answers together with the rules, for some states. If the answers differ, the rules are asked
from then on.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.game import Symmetry
from solver.packed import PackedGame
from solver.proof.packed.compiled.formulas import Formula, NoFormula, formula
from solver.rules.arrays import Keys

Question: TypeAlias = tuple[Any, ...]
"""The name of a rule and what it takes besides a state; ("image", n) for the nth symmetry."""

COMPARED_FIRST = 1 << 10
"""States for which a kernel answers together with the rules."""

TRUTHS = ("legal", "is_terminal")
"""The rules whose answers are truths."""


class _Answered(NamedTuple):
    """A question that machine code answers."""

    kernel: Callable[[Keys, Keys], Any]
    constants: Keys


class ArrayAnswers:
    """The answers of the rules of one game."""

    def __init__(self, game: PackedGame, symmetries: Sequence[Symmetry[Any, int]], *, compiled: bool) -> None:
        """Ask the rules as they are, or compile what can be compiled."""
        self._game, self._symmetries = game, symmetries
        self._unused = _kernels(self._questions(), self._rule) if compiled else {}
        self._used: dict[Question, _Answered] = {}
        self._compared = Counter[Question]()

    def __call__(self, keys: Keys, *question: Any) -> Any:
        """The answer to a question for each state, as the rules give it."""
        if (known := self._used.get(question)) is not None:
            return known.kernel(keys, known.constants)
        answer = self._rule(question)(keys)
        if question in self._unused:
            self._compare(question, keys, answer)
        return answer

    def _compare(self, question: Question, keys: Keys, answer: Any) -> None:
        """Hold the answer of machine code against that of the rules."""
        new = self._unused[question]
        if not _agrees(new.kernel(keys, new.constants), answer):
            del self._unused[question]
            return
        self._compared[question] += len(keys)
        if self._compared[question] >= COMPARED_FIRST:
            self._used[question] = self._unused.pop(question)

    def _rule(self, question: Question) -> Callable[[Any], Any]:
        """The rule that answers a question about a state, or about an array of states."""
        name, *arguments = question
        if name == "image":
            return self._symmetries[arguments[0]].state
        return lambda keys: getattr(self._game, name)(keys, *arguments)

    def _questions(self) -> Iterator[Question]:
        """Yield all questions."""
        for name in ("legal", "result"):
            for action in range(self._game.action_count):
                yield name, action
        for name in ("is_terminal", "utility", "to_move", "exchanged", "tier"):
            yield (name,)
        for nth in range(len(self._symmetries)):
            yield "image", nth


def _agrees(found: NDArray[Any], answer: Any) -> bool:
    """Whether machine code has found the answer of a rule."""
    return bool((found == np.asarray(answer).astype(found.dtype)).all())


def _kernels(
    questions: Iterable[Question], rule: Callable[[Question], Callable[[Any], Any]]
) -> dict[Question, _Answered]:
    """What machine code answers; nothing where llvmlite is missing or cannot compile."""
    found: dict[Question, Formula] = {}
    for question in questions:
        try:
            found[question] = formula(rule(question))
        except NoFormula:
            continue
    alike: dict[tuple[Any, ...], list[Question]] = {}
    for question, each in found.items():
        alike.setdefault((question[0], each.steps, each.answer), []).append(question)
    try:
        from solver.proof.packed.compiled.machine_code import KernelSpec, compiled

        specs = []
        for nth, same in enumerate(alike.values()):
            formulas = [found[question] for question in same]
            columns = zip(*(each.constants for each in formulas), strict=True)
            given = frozenset(number for number, column in enumerate(columns) if len({*column}) > 1)
            specs.append(KernelSpec(f"rule{nth}", formulas[0], given, same[0][0] in TRUTHS))
        kernels = compiled(specs)
    except (ImportError, RuntimeError, OSError):
        return {}
    return {
        question: _Answered(kernels[spec.name], np.array(found[question].constants, np.int64))
        for spec, same in zip(specs, alike.values(), strict=True)
        for question in same
    }
