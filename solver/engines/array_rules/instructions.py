"""Steps, loops and stream compaction as LLVM instructions: an integer has 64 bits, a boolean a single bit.

    5  1 | 3          %5 = or i64 %1, %3
    8  7 == 9         %8 = icmp eq i64 %7, %9

They have the semantics of NumPy's operators for int64: sums and products wrap around, and a shift by 64
places or more, or by a negative number of places, gives 0 (or -1, for a negative number shifted right). Loops
go over arrays, with instructions to read and write elements and variables that keep a value between
iterations. Compaction extracts the legal children from a buffer of all:

    child    4    ?   11           mark: the mover, plus 2 if the child is legal
    mark     3    0    2
    out      4   11                and for each child the code of its parent: 2 * index + mover

One by one, every child is written, and overwritten by the next one unless it is legal, so there is no branch
to mispredict. With AVX-512, children are compacted in groups of eight: eight are written, and the next eight
begin after the legal ones. So the arrays need room for eight more.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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


CHILDREN_AT_ONCE = 1024
"""Children that are computed before they are compacted."""

LANES = 8
"""Children that a vector instruction compacts at a time."""

MARKS, BITS = ir.VectorType(BYTE, LANES), ir.VectorType(ir.IntType(1), LANES)
WORDS, HALVES = ir.VectorType(WORD, LANES), ir.VectorType(HALF, LANES)


@dataclass(frozen=True)
class Output:
    """The output arrays of a kernel, and the number of children in them."""

    children: Value
    parents: Value
    total: Variable


class ChildBuffer:
    """The children of consecutive states, and their marks."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        """Allocate the buffer, with room for zeros at its end."""
        self._builder = builder
        self._children = room(builder, WORD, CHILDREN_AT_ONCE + LANES)
        self._marks = room(builder, BYTE, CHILDREN_AT_ONCE + LANES)

    def put(self, at: Value, child: Value, legal: Value, mover: Value) -> Value:
        """Store a child and its mark; return nonzero if it is legal but negative, or its mover not 0 or 1."""
        builder = self._builder
        child, mover, legal = word(builder, child), word(builder, mover), truth(builder, legal)
        write(builder, self._children, at, child, WORD)
        mark = builder.add(builder.shl(word(builder, legal), WORD(1)), builder.and_(mover, WORD(1)))
        write(builder, self._marks, at, mark, BYTE)
        wrong = builder.or_(builder.ashr(child, WORD(63)), builder.and_(mover, WORD(~1)))
        return builder.select(legal, wrong, WORD(0))

    def compress_one_by_one(self, length: Value, parent: Value, out: Output) -> None:
        """Append the legal ones of `length` children to `out`; `parent` is the index of the first state."""
        builder = self._builder
        with loop(builder, length) as at:
            mark, total = read(builder, self._marks, at, BYTE), out.total.get()
            twice = builder.shl(builder.add(parent, at), WORD(1))
            write(builder, out.children, total, read(builder, self._children, at, WORD), WORD)
            write(builder, out.parents, total, builder.add(twice, builder.and_(mark, WORD(1))), HALF)
            out.total.set(builder.add(total, builder.lshr(mark, WORD(1))))

    def compress_eight_at_once(self, length: Value, parent: Value, out: Output) -> None:
        """Do what `compress_one_by_one` does by vector instructions."""
        builder = self._builder
        end = place_of(builder, self._marks, length, BYTE)
        builder.store(MARKS(None), builder.bitcast(end, MARKS.as_pointer()), align=1)
        with loop(builder, length, LANES) as at:
            marks = self._eight(self._marks, at, BYTE, MARKS)
            legal = builder.icmp_unsigned(">=", marks, MARKS([2] * LANES))
            movers = builder.zext(builder.and_(marks, MARKS([1] * LANES)), HALVES)
            parents = builder.add(self._twice_from(builder.add(parent, at)), movers)
            total = out.total.get()
            self._write_legal(self._eight(self._children, at, WORD, WORDS), legal, out.children, total)
            self._write_legal(parents, legal, out.parents, total)
            count = builder.ctpop(builder.bitcast(legal, BYTE))
            out.total.set(builder.add(total, builder.zext(count, WORD)))

    def _eight(self, array: Value, at: Value, kind: ir.Type, vector: ir.VectorType) -> Value:
        place = place_of(self._builder, array, at, kind)
        return self._builder.load(place, typ=vector, align=1)

    def _twice_from(self, parent: Value) -> Value:
        """A vector of 2 * parent, 2 * (parent + 1) ... 2 * (parent + 7)."""
        builder = self._builder
        first = builder.trunc(builder.shl(parent, WORD(1)), HALF)
        lanes = builder.insert_element(HALVES(ir.Undefined), first, HALF(0))
        spread = builder.shuffle_vector(lanes, HALVES(ir.Undefined), HALVES([0] * LANES))
        return builder.add(spread, HALVES([2 * lane for lane in range(LANES)]))

    def _write_legal(self, values: Value, legal: Value, array: Value, total: Value) -> None:
        """Store the legal ones of eight values from index `total` on, followed by undefined ones."""
        builder, kind = self._builder, values.type
        name = f"llvm.experimental.vector.compress.v{LANES}i{kind.element.width}"
        compress = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(kind, [kind, BITS, kind]), name
        )
        pushed = builder.call(compress, [values, legal, kind(ir.Undefined)])
        builder.store(pushed, place_of(builder, array, total, kind.element), align=kind.element.width // 8)
