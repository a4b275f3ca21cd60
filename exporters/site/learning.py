"""Learns which bits of a state decide which slots of its text: see `texts.py`."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import combinations, product
from random import Random
from typing import Any

from solver.errors import SolverError, UsageError
from solver.packed import STATE_BITS

MAX_BITS, MAX_HIDDEN = 12, 3
"""The most bits of a group, whose table then has 4,096 rows, and the most hidden bits."""

RARE, BASES = 2, 9
"""The states, per value of each bit, in which bits are changed, and the states in which groups are varied."""

COMPARED = 12
"""The most states in which two bits are compared."""

Cells = Sequence[str] | None
"""The text in each slot; None if the text has another shape, or the rules cannot write the state."""

Table = dict[str, Any]
"""The members `blank`, the slots; `groups`, `hidden` and `rest`, all other bits; and `shape` and `runs` of a
text, or `rows`, the lengths of a board's rows. A group's table has `[flips, slot, symbol, ...]` by value.
"""


class Unlearnable(UsageError):
    """The texts of a game are not determined by groups of bits."""


def value_in(group: dict[str, Any], state: int) -> int:
    """The value of a group in a state: its bits as a number."""
    return sum((state >> bit & 1) << nth for nth, bit in enumerate(group["bits"]))


def written(table: Table, state: int) -> Cells:
    """The slots of a state according to a table; None for a state that it does not cover."""
    slots = [*table["blank"]]
    for group in table["groups"]:
        if (known := group["table"].get(str(value_in(group, state)))) is None:
            return None
        for slot, symbol in zip(known[1::2], known[2::2], strict=True):
            slots[slot] = symbol
    return slots


def _united(bits: Sequence[int], linked: Callable[[int, int], bool]) -> list[list[int]]:
    """The partition of the bits into the smallest groups that keep linked bits together."""
    groups = {bit: [bit] for bit in bits}
    for one, other in combinations(bits, 2):
        if groups[one] is not groups[other] and linked(one, other):
            whole = groups[one] + groups[other]
            groups.update(dict.fromkeys(whole, whole))
    return [sorted(group) for bit, group in groups.items() if bit == group[0]]


def _differing(states: Sequence[int]) -> list[int]:
    """The bits in which states differ."""
    differ = 0
    for state in states:
        differ |= state ^ states[0]
    return [bit for bit in range(STATE_BITS) if differ >> bit & 1]


def _values(bits: Sequence[int]) -> list[int]:
    """All states with only these bits; the nth one has the bits of n at their places."""
    return [sum((value >> nth & 1) << bit for nth, bit in enumerate(bits)) for value in range(1 << len(bits))]


def with_each_bit(states: Sequence[int]) -> list[int]:
    """A few of the states for each value of each bit in which the states differ."""
    random, some = Random(0), list[int]()
    for bit, wanted in product(_differing(states), (0, 1)):
        having = [state for state in states if state >> bit & 1 == wanted]
        some += random.sample(having, min(RARE, len(having)))
    return some


class Learner:
    """Finds the groups of bits that determine the slots of states; raises `Unlearnable`."""

    def __init__(
        self,
        states: Sequence[int],
        cells: Callable[[int], Cells],
        groups: Sequence[Sequence[int]] | None = None,
    ) -> None:
        """Learn from states the slots that `cells` returns; the groups may be given."""
        self._given = groups is not None
        if groups is not None:
            self.groups = groups
        self._write, self.states = cells, states
        self.cells, self._change = cache(self._cells), cache(self._changed)
        self.known: list[Sequence[str]] = [self.cells(state) or () for state in states]
        if len({*map(len, self.known)}) > 1:
            raise Unlearnable("its boards have different numbers of cells")
        columns = [*zip(*self.known, strict=True)]
        self.blank = [Counter(column).most_common(1)[0][0] for column in columns]
        self.varying = {slot for slot, column in enumerate(columns) if len({*column}) > 1}
        self.some = [*dict.fromkeys([*states[:1], *with_each_bit(states)])]
        """The first state, and some states with either value of each bit."""

    def _cells(self, state: int) -> Cells:
        """The text in the slots of a state; None if the rules cannot write it, as it may not be reachable."""
        try:
            return self._write(state)
        except SolverError:
            return None

    @cached_property
    def touched(self) -> dict[int, set[int]]:
        """The slots that change with each bit in which states differ."""
        touched = dict[int, set[int]]()
        for bit in _differing(self.states):
            changes = (self._change(state, 1 << bit) for state in self.some)
            touched[bit] = {slot for change in changes if change for slot in change}
        return touched

    @cached_property
    def hidden(self) -> list[int]:
        """The bits that change no slot."""
        return [] if self._given else [bit for bit, slots in self.touched.items() if not slots]

    @cached_property
    def groups(self) -> Sequence[Sequence[int]]:
        """The groups of bits that change the same slots; a large group is split into dependent bits."""
        shown, groups = [bit for bit, slots in self.touched.items() if slots], list[list[int]]()
        for group in _united(shown, lambda one, other: bool(self.touched[one] & self.touched[other])):
            groups += [group] if len(group) <= MAX_BITS else _united(group, self._depend)
        if max(map(len, groups), default=0) > MAX_BITS:
            raise Unlearnable(f"a part of its texts depends on {max(map(len, groups))} bits")
        return sorted(groups)

    def _depend(self, one: int, other: int) -> bool:
        """Whether the effects of two bits depend on each other in most of the compared states."""
        compared = differing = 0
        for state in self.some:
            a, b = self._change(state, 1 << one), self._change(state, 1 << other)
            if compared > COMPARED or a == {} or b == {}:
                continue
            both = self._change(state, 1 << one | 1 << other)
            if a and b and both is not None:
                was = self.cells(state) or []
                expected = {slot: {had[slot] for had in (a, b) if slot in had} for slot in {*a, *b, *both}}
                compared += 1
                differing += any(both.get(slot, was[slot]) not in known for slot, known in expected.items())
            elif (both is None) != (a is None or b is None):
                compared, differing = compared + 1, differing + 1
        return 2 * differing > compared

    def _changed(self, state: int, bits: int) -> dict[int, str] | None:
        """The new text of each slot that `bits` change; None if the rules cannot write the new state."""
        was, now = self.cells(state) or [], self.cells(state ^ bits)
        return None if now is None else {slot: now[slot] for slot in self.varying if now[slot] != was[slot]}

    def table(self) -> Table:
        """The table from which a page writes states."""
        if len(self.hidden) > MAX_HIDDEN:
            raise Unlearnable(f"its texts do not show {len(self.hidden)} bits of its states")
        seen, groups = {*self.states}, list[dict[str, Any]]()
        written_by = [self._written_by(bits) for bits in self.groups]
        for nth, bits in enumerate(self.groups):
            slots = sorted(written_by[nth])
            others = set[int]().union(*written_by[:nth], *written_by[nth + 1 :])
            groups.append({"bits": bits, "slots": slots, "table": self._group(bits, slots, others, seen)})
        table = {"blank": self.blank, "groups": groups, "hidden": self.hidden}
        for state, known in zip(self.states, self.known, strict=True):
            if written(table, state) != known:
                raise Unlearnable(f"the text of the state {state} does not follow from single groups of bits")
        return table

    def _written_by(self, bits: Sequence[int]) -> set[int]:
        """The slots that change with these bits: with each single bit, and with all values of the group."""
        slots, values = set[int]().union(*(self.touched[bit] for bit in bits)), _values(bits)
        for base, value in product(self.some[:2], values):
            slots |= {*(self._change(base, (base ^ value) & values[-1]) or ())}
        return slots

    def _group(
        self, bits: Sequence[int], slots: Sequence[int], others: set[int], seen: set[int]
    ) -> dict[str, Any]:
        """The table of a group; the slots in `others` are also written by other groups.

        For a slot in `others`, a value gets the text of most states with this value. As tables of texts are
        also used to read them, of several values with the same effect they have those that were seen in
        states, or one of them if none was seen.
        """
        placed, effects = _values(bits), dict[tuple[Any, ...], list[int]]()
        mask = placed[-1]
        known, most = {state & mask for state in seen}, BASES if others & {*slots} else 2
        for value, bits_set in enumerate(placed):
            put = (self.cells(base & ~mask | bits_set) for base in self.some[:most])
            texts = [text for text in put if text]
            effect = list[Any]()
            for slot in slots if texts else ():
                votes = texts if slot in others else texts[:1]
                symbol = Counter(text[slot] for text in votes).most_common(1)[0][0]
                effect += [slot, symbol] * (symbol != self.blank[slot])
            if texts:
                effects.setdefault(tuple(effect), []).append(value)
        listed = [
            (value, effect)
            for effect, values in effects.items()
            for value in [one for one in values if self._given or placed[one] in known] or values[:1]
        ]
        return {str(value): [None, *effect] for value, effect in sorted(listed)}
