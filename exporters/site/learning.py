"""Learns which bits of a state decide which slots of what is written of it: see `texts.py`."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import combinations, product
from random import Random
from typing import Any

from solver.errors import SolverError, UsageError
from solver.packed import STATE_BITS

MAX_BITS, MAX_HIDDEN = 12, 3
"""The most bits of a group, whose table then has 4,096 rows; the most bits that are hidden."""

RARE, BASES = 2, 9
"""States for either value of a bit, in which bits are changed; states in which groups get all values."""

COMPARED = 12
"""States by which bits are compared."""

Cells = Sequence[str] | None
"""The text in each slot; None if the text has another shape, or the rules cannot write the state."""

Table = dict[str, Any]
"""Members `blank`, the slots; `groups`, `hidden` and `rest`, all other bits; `shape`, `runs` of a text; or
`rows`, the lengths of the rows of a board. The table of a group has `[flips, slot, symbol, ...]` by value.
"""


class Unlearnable(UsageError):
    """Raised if the texts of a game are not of this kind."""


def value_in(group: dict[str, Any], state: int) -> int:
    """The bits of a group in a state, as a number."""
    return sum((state >> bit & 1) << nth for nth, bit in enumerate(group["bits"]))


def written(table: Table, state: int) -> Cells:
    """What is in the slots of a state by a table; None for a state that it does not know."""
    slots = [*table["blank"]]
    for group in table["groups"]:
        if (known := group["table"].get(str(value_in(group, state)))) is None:
            return None
        for slot, symbol in zip(known[1::2], known[2::2], strict=True):
            slots[slot] = symbol
    return slots


def _united(bits: Sequence[int], linked: Callable[[int, int], bool]) -> list[list[int]]:
    """The bits in the smallest groups such that linked ones are together."""
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
    """All states with none but these bits; the nth has the bits of n, spread over these places."""
    return [sum((value >> nth & 1) << bit for nth, bit in enumerate(bits)) for value in range(1 << len(bits))]


def with_each_bit(states: Sequence[int]) -> list[int]:
    """Some of the states: a few with each value of each bit in which the states differ."""
    random, some = Random(0), list[int]()
    for bit, wanted in product(_differing(states), (0, 1)):
        having = [state for state in states if state >> bit & 1 == wanted]
        some += random.sample(having, min(RARE, len(having)))
    return some


class Learner:
    """Finds the groups of bits by which slots follow from states; raises `Unlearnable`."""

    def __init__(
        self,
        states: Sequence[int],
        cells: Callable[[int], Cells],
        groups: Sequence[Sequence[int]] | None = None,
    ) -> None:
        """Learn what `cells` has in its slots from some states; the groups may be known."""
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
        """The first of the states, and some with either value of each bit."""

    def _cells(self, state: int) -> Cells:
        """The text in the slots of a state; None if the rules cannot write it, as it may be no real state."""
        try:
            return self._write(state)
        except SolverError:
            return None

    @cached_property
    def touched(self) -> dict[int, set[int]]:
        """For each bit in which states differ the slots that change with it."""
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
        """The bits that change the same slots; where these are many, those that depend on each other."""
        shown, groups = [bit for bit, slots in self.touched.items() if slots], list[list[int]]()
        for group in _united(shown, lambda one, other: bool(self.touched[one] & self.touched[other])):
            groups += [group] if len(group) <= MAX_BITS else _united(group, self._depend)
        if max(map(len, groups), default=0) > MAX_BITS:
            raise Unlearnable(f"a part of its texts depends on {max(map(len, groups))} bits")
        return sorted(groups)

    def _depend(self, one: int, other: int) -> bool:
        """Whether the texts of two bits depend on each other: in most states compared, not just in some."""
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
        """The new text in each slot that changes with some bits; None if the rules cannot write that."""
        was, now = self.cells(state) or [], self.cells(state ^ bits)
        return None if now is None else {slot: now[slot] for slot in self.varying if now[slot] != was[slot]}

    def table(self) -> Table:
        """What a page needs to write states."""
        if len(self.hidden) > MAX_HIDDEN:
            raise Unlearnable(f"its texts do not show {len(self.hidden)} bits of its states")
        seen, groups = {*self.states}, list[dict[str, Any]]()
        written_by = [self._written_by(bits) for bits in self.groups]
        for nth, bits in enumerate(self.groups):
            slots, others = (
                sorted(written_by[nth]),
                set[int]().union(*written_by[:nth], *written_by[nth + 1 :]),
            )
            groups.append({"bits": bits, "slots": slots, "table": self._group(bits, slots, others, seen)})
        table = {"blank": self.blank, "groups": groups, "hidden": self.hidden}
        for state, known in zip(self.states, self.known, strict=True):
            if written(table, state) != known:
                raise Unlearnable(f"the text of the state {state} does not follow from single groups of bits")
        return table

    def _written_by(self, bits: Sequence[int]) -> set[int]:
        """The slots that change with some of these bits: with each of them, and with all of their values."""
        slots, values = set[int]().union(*(self.touched[bit] for bit in bits)), _values(bits)
        for base, value in product(self.some[:2], values):
            slots |= {*(self._change(base, (base ^ value) & values[-1]) or ())}
        return slots

    def _group(
        self, bits: Sequence[int], slots: Sequence[int], others: set[int], seen: set[int]
    ) -> dict[str, Any]:
        """The table of a group; other groups write those of its slots that are among `others`, too.

        In these it writes for a value what most states with it have. Of values that write the same, the table
        of a text, which is read by it, has those that were seen in states, or one of them if none was.
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
