"""Groups the actions whose expressions differ in constants only.

Each group has one expression, and a table with a row of constants per action:

    result(state, 2)    (state ^ 1) + (8 << 9 * (state & 1))
    result(state, 3)    (state ^ 1) + (16 << 9 * (state & 1))

    one template        (state ^ 1) + (row[0] << 9 * (state & 1))      rows: action 2  [8]
                                                                             action 3  [16]

A constant that all actions share stays in the expression.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.engines.array_rules.tracing import Operation, Trace


@dataclass(frozen=True)
class Template:
    """The expression that some actions have in common."""

    steps: tuple[Operation, ...]
    answers: tuple[int, ...]
    """The indices of the steps whose results are the answers of the rules."""
    constants: tuple[tuple[int, ...], ...]
    """For each place of a constant its value for each of `actions`."""
    actions: tuple[int, ...]

    @cached_property
    def columns(self) -> list[tuple[int, ...]]:
        """The columns of the table: the values of each constant that depends on the action."""
        return list(dict.fromkeys(each for each in self.constants if len(set(each)) > 1))

    def rows(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each action with its row in the table."""
        for nth, action in enumerate(self.actions):
            yield action, [column[nth] for column in self.columns]


def templates(traces: Mapping[int, Trace]) -> list[Template]:
    """The templates of all actions, given the trace of each action's rules."""
    alike: dict[tuple[Sequence[Operation], Sequence[int]], list[int]] = {}
    for action, trace in traces.items():
        alike.setdefault((trace.steps, trace.answers), []).append(action)
    return [
        Template(
            trace.steps,
            trace.answers,
            tuple(zip(*(traces[action].constants for action in actions), strict=True)),
            tuple(actions),
        )
        for actions in alike.values()
        for trace in (traces[actions[0]],)
    ]
