"""Steps and loops as machine instructions, by llvmlite: a number is a word of 64 bits, a truth a single bit.

    5  1 | 3          %5 = or i64 %1, %3
    8  7 == 9         %8 = icmp eq i64 %7, %9

They mean what the operators of NumPy do for int64: sums and products wrap around, and a shift by 64 places or
more, or by fewer than none, leaves nothing (or -1, of a negative number going down). Loops go over arrays:
what they read, write and keep from round to round.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from llvmlite import ir

from solver.engines.array_rules.tracing import COMPARISONS, Step
from solver.engines.array_rules.value_ranges import Bounds, bounds

WORD, BIT = ir.IntType(64), ir.IntType(1)

Value: TypeAlias = Any
"""What an instruction makes, as llvmlite has it."""

_OPERATORS: dict[str, Callable[[ir.IRBuilder, Value, Value], Value]] = {
    "&": ir.IRBuilder.and_,
    "|": ir.IRBuilder.or_,
    "^": ir.IRBuilder.xor,
    "+": ir.IRBuilder.add,
    "-": ir.IRBuilder.sub,
    "*": ir.IRBuilder.mul,
    "<<": ir.IRBuilder.shl,
    ">>": ir.IRBuilder.ashr,
}


def results(
    builder: ir.IRBuilder,
    steps: Sequence[Step],
    state: Value,
    numbers: Sequence[Value],
    possible: Sequence[Sequence[int]],
) -> list[Value]:
    """The results of all steps; `possible` has, for each of `numbers`, all that it can be."""
    ranges = bounds(steps, possible)
    found: list[Value] = []
    for step in steps:
        if step.symbol == "state":
            found.append(state)
        elif step.symbol == "number":
            number = numbers[step.left]
            found.append(builder.trunc(number, BIT) if step.is_truth else number)
        else:
            found.append(_result(builder, step, found[step.left], found[step.right], ranges[step.right]))
    return found


def word(builder: ir.IRBuilder, value: Value) -> Value:
    """A value as a number: a truth becomes 0 or 1."""
    return builder.zext(value, WORD) if value.type == BIT else value


def truth(builder: ir.IRBuilder, value: Value) -> Value:
    """A value as a truth: whether a number is not 0."""
    return value if value.type == BIT else builder.icmp_signed("!=", value, WORD(0))


def _result(builder: ir.IRBuilder, step: Step, left: Value, right: Value, places: Bounds) -> Value:
    if not step.is_truth or step.symbol in COMPARISONS:
        left, right = word(builder, left), word(builder, right)
    if step.symbol in COMPARISONS:
        return builder.icmp_signed(step.symbol, left, right)
    if step.symbol in ("<<", ">>") and not (places[0] >= 0 and places[1] < 64):
        return _long_shift(builder, step.symbol, left, right)
    return _OPERATORS[step.symbol](builder, left, right)


def _long_shift(builder: ir.IRBuilder, symbol: str, left: Value, places: Value) -> Value:
    """A shift by any number of places; the instruction alone would then give anything."""
    is_short = builder.icmp_unsigned("<", places, WORD(64))
    shifted = _OPERATORS[symbol](builder, left, builder.select(is_short, places, WORD(0)))
    rest = WORD(0) if symbol == "<<" else builder.ashr(left, WORD(63))
    return builder.select(is_short, shifted, rest)


BYTE, HALF, PLACE = ir.IntType(8), ir.IntType(32), ir.PointerType()
"""The integers of 8 and of 32 bits, and where in memory an array begins."""


class Variable:
    """A word that changes, 0 at first; the compiler keeps it in a register."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        """Make room for it."""
        self._builder = builder
        self._place = room(builder, WORD, 1)
        self.set(WORD(0))

    def get(self) -> Value:
        """What it is now."""
        return self._builder.load(self._place, typ=WORD)

    def set(self, value: Value) -> None:
        """Change it."""
        self._builder.store(value, self._place)

    def add_bits(self, value: Value) -> None:
        """Set the bits that are set in `value`, too."""
        self.set(self._builder.or_(self.get(), value))


@contextmanager
def loop(builder: ir.IRBuilder, count: Value, step: int = 1) -> Iterator[Value]:
    """The body of a loop over 0, `step`, 2 * `step` ... below `count`; gives the number."""
    number = Variable(builder)
    head, body, done = (builder.append_basic_block(name) for name in ("head", "body", "done"))
    builder.branch(head)
    builder.position_at_end(head)
    now = number.get()
    builder.cbranch(builder.icmp_signed("<", now, count), body, done)
    builder.position_at_end(body)
    yield now
    number.set(builder.add(now, WORD(step)))
    builder.branch(head)
    builder.position_at_end(done)


def room(builder: ir.IRBuilder, kind: ir.Type, count: int) -> Value:
    """An array of the function's own."""
    with builder.goto_entry_block():
        return builder.alloca(kind, size=count)


def place_of(builder: ir.IRBuilder, array: Value, nth: Value, kind: ir.Type) -> Value:
    """Where the nth number of an array of numbers of this kind is."""
    return builder.gep(array, [nth], source_etype=kind)


def read(builder: ir.IRBuilder, array: Value, nth: Value, kind: ir.Type) -> Value:
    """The nth number of an array, as a word; those of fewer bits are not negative."""
    number = builder.load(place_of(builder, array, nth, kind), typ=kind)
    return builder.zext(number, WORD) if kind != WORD else number


def write(builder: ir.IRBuilder, array: Value, nth: Value, value: Value, kind: ir.Type) -> None:
    """Make a word the nth number of an array, cut off to the bits that it has room for."""
    number = builder.trunc(value, kind) if kind != WORD else value
    builder.store(number, place_of(builder, array, nth, kind))
