"""Steps and loops as LLVM instructions: an integer is a word of 64 bits, a boolean a single bit.

    5  1 | 3          %5 = or i64 %1, %3
    8  7 == 9         %8 = icmp eq i64 %7, %9

They have the semantics of NumPy's operators for int64: sums and products wrap around, and a shift by 64
places or more, or by a negative number of places, gives 0 (or -1, for a negative number shifted right). Loops
go over arrays, with instructions to read and write elements and variables that keep a value between
iterations.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from llvmlite import ir

from solver.engines.array_rules.tracing import COMPARISONS, Operation

WORD, BIT = ir.IntType(64), ir.IntType(1)

Value: TypeAlias = Any
"""The result of an instruction; llvmlite has no types."""

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
    steps: Sequence[Operation],
    state: Value,
    constants: Sequence[Value],
) -> list[Value]:
    """Add the instructions for all steps and return their results."""
    values: list[Value] = []
    for step in steps:
        if step.symbol == "state":
            values.append(state)
        elif step.symbol == "constant":
            number = constants[step.left]
            values.append(builder.trunc(number, BIT) if step.is_boolean else number)
        else:
            values.append(_result(builder, step, values[step.left], values[step.right]))
    return values


def word(builder: ir.IRBuilder, value: Value) -> Value:
    """Convert a value to an integer: a boolean becomes 0 or 1."""
    return builder.zext(value, WORD) if value.type == BIT else value


def truth(builder: ir.IRBuilder, value: Value) -> Value:
    """Convert a value to a boolean: whether an integer is not 0."""
    return value if value.type == BIT else builder.icmp_signed("!=", value, WORD(0))


def _result(builder: ir.IRBuilder, step: Operation, left: Value, right: Value) -> Value:
    if not step.is_boolean or step.symbol in COMPARISONS:
        left, right = word(builder, left), word(builder, right)
    if step.symbol in COMPARISONS:
        return builder.icmp_signed(step.symbol, left, right)
    if step.symbol in ("<<", ">>"):
        return _shift(builder, step.symbol, left, right)
    return _OPERATORS[step.symbol](builder, left, right)


def _shift(builder: ir.IRBuilder, symbol: str, left: Value, places: Value) -> Value:
    """A shift by any number of places; LLVM's own shifts are undefined by 64 places or more."""
    is_short = builder.icmp_unsigned("<", places, WORD(64))
    shifted = _OPERATORS[symbol](builder, left, builder.select(is_short, places, WORD(0)))
    beyond = WORD(0) if symbol == "<<" else builder.ashr(left, WORD(63))
    return builder.select(is_short, shifted, beyond)


BYTE, HALF, PLACE = ir.IntType(8), ir.IntType(32), ir.PointerType()
"""The integers of 8 and of 32 bits, and the address of an array."""


class Variable:
    """A mutable word, initially 0, which the compiler keeps in a register."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        self._builder = builder
        self._place = room(builder, WORD, 1)
        self.set(WORD(0))

    def get(self) -> Value:
        """The current value."""
        return self._builder.load(self._place, typ=WORD)

    def set(self, value: Value) -> None:
        """Assign a value."""
        self._builder.store(value, self._place)

    def add_bits(self, value: Value) -> None:
        """Assign the bitwise OR of the current value and `value`."""
        self.set(self._builder.or_(self.get(), value))


@contextmanager
def loop(builder: ir.IRBuilder, count: Value, step: int = 1) -> Iterator[Value]:
    """Add a loop over 0, `step`, 2 * `step` ... below `count`, whose body is the block; yields the index."""
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
    """Allocate an array on the stack of the function."""
    with builder.goto_entry_block():
        return builder.alloca(kind, size=count)


def place_of(builder: ir.IRBuilder, array: Value, nth: Value, kind: ir.Type) -> Value:
    """The address of the nth element of an array of this type."""
    return builder.gep(array, [nth], source_etype=kind)


def read(builder: ir.IRBuilder, array: Value, nth: Value, kind: ir.Type) -> Value:
    """Load the nth element of an array as a word; shorter integers are unsigned."""
    number = builder.load(place_of(builder, array, nth, kind), typ=kind)
    return builder.zext(number, WORD) if kind != WORD else number


def write(builder: ir.IRBuilder, array: Value, nth: Value, value: Value, kind: ir.Type) -> None:
    """Store a word as the nth element of an array, truncated to its type."""
    number = builder.trunc(value, kind) if kind != WORD else value
    builder.store(number, place_of(builder, array, nth, kind))
