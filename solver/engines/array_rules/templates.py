"""Actions that do the same with other numbers: one list of steps for all of them, and a table of the numbers.

    result(state, 2)    (state ^ 1) + (8 << 9 * (state & 1))
    result(state, 3)    (state ^ 1) + (16 << 9 * (state & 1))

    one family          (state ^ 1) + (row[0] << 9 * (state & 1))      rows: action 2  [8]
                                                                             action 3  [16]

A number that is the same for all of them stays where it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solver.engines.array_rules.tracing import Step, Trace


@dataclass(frozen=True)
class Template:
    """What some actions have in common."""

    steps: tuple[Step, ...]
    answers: tuple[int, ...]
    numbers: tuple[tuple[int, ...], ...]
    """For each place of a number what stands there, action by action."""
    actions: tuple[int, ...]

    @property
    def columns(self) -> list[tuple[int, ...]]:
        """The columns of the table: what stands in places where it depends on the action."""
        return list(dict.fromkeys(each for each in self.numbers if len(set(each)) > 1))

    def row(self, action: int) -> list[int]:
        """The row of an action in the table."""
        nth = self.actions.index(action)
        return [column[nth] for column in self.columns]


def families(traces: Mapping[int, Trace]) -> list[Template]:
    """The actions in families, given what the rules do for each of them."""
    alike: dict[tuple[Sequence[Step], Sequence[int]], list[int]] = {}
    for action, trace in traces.items():
        alike.setdefault((trace.steps, trace.answers), []).append(action)
    return [
        Template(
            trace.steps,
            trace.answers,
            tuple(zip(*(traces[action].numbers for action in actions), strict=True)),
            tuple(actions),
        )
        for actions in alike.values()
        for trace in (traces[actions[0]],)
    ]
