"""Loops over arrays as machine code, by llvmlite: what they read, write and keep from round to round."""

from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite import ir

from solver.engines.array_rules.instructions import WORD, Value

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
