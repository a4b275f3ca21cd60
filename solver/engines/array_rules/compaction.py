"""From a block of children, of which some are legal, to those alone: as machine code, in either of two ways.

    child    4    ?   11           mark: 1 for the mover, 2 where it is legal
    mark     3    0    2
    out      4   11                and with each child 2 * index of the parent + mover

One by one, each is written, and the next over it unless it was legal: no branch is ever guessed wrong. Where
the processor can push the legal ones of eight together, eight are written, and the next from after the legal
ones on; so the arrays need room for eight more.
"""

from dataclasses import dataclass

from llvmlite import ir

from solver.engines.array_rules.instructions import (
    BYTE,
    HALF,
    WORD,
    Value,
    Variable,
    loop,
    place_of,
    read,
    room,
    truth,
    word,
    write,
)

CHILDREN_AT_ONCE = 1024
"""How many children are computed before they are compressed."""

LANES = 8
MARKS, BITS = ir.VectorType(BYTE, LANES), ir.VectorType(ir.IntType(1), LANES)
WORDS, HALVES = ir.VectorType(WORD, LANES), ir.VectorType(HALF, LANES)


@dataclass(frozen=True)
class Output:
    """The arrays of a kernel, and how much is in them."""

    children: Value
    parents: Value
    total: Variable


class ChildBuffer:
    """The children of some states that follow each other, and their marks."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        """Make room for it, and for the zeros at its end."""
        self._builder = builder
        self._children = room(builder, WORD, CHILDREN_AT_ONCE + LANES)
        self._marks = room(builder, BYTE, CHILDREN_AT_ONCE + LANES)

    def put(self, at: Value, child: Value, legal: Value, mover: Value) -> Value:
        """Keep a child with its mark; 0 unless it is legal and negative, or its mover neither 0 nor 1."""
        builder = self._builder
        child, mover, legal = word(builder, child), word(builder, mover), truth(builder, legal)
        write(builder, self._children, at, child, WORD)
        mark = builder.add(builder.shl(word(builder, legal), WORD(1)), builder.and_(mover, WORD(1)))
        write(builder, self._marks, at, mark, BYTE)
        wrong = builder.or_(builder.ashr(child, WORD(63)), builder.and_(mover, WORD(~1)))
        return builder.select(legal, wrong, WORD(0))

    def compress_one_by_one(self, length: Value, parent: Value, out: Output) -> None:
        """Add the legal ones of the first `length` to `out`; `parent` is the index of the first one's."""
        builder = self._builder
        with loop(builder, length) as at:
            mark, total = read(builder, self._marks, at, BYTE), out.total.get()
            twice = builder.shl(builder.add(parent, at), WORD(1))
            write(builder, out.children, total, read(builder, self._children, at, WORD), WORD)
            write(builder, out.parents, total, builder.add(twice, builder.and_(mark, WORD(1))), HALF)
            out.total.set(builder.add(total, builder.lshr(mark, WORD(1))))

    def compress_eight_at_once(self, length: Value, parent: Value, out: Output) -> None:
        """Do the same with vectors."""
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
        """Eight numbers of an array."""
        place = place_of(self._builder, array, at, kind)
        return self._builder.load(place, typ=vector, align=1)

    def _twice_from(self, parent: Value) -> Value:
        """Twice this index, and twice each of the seven after it."""
        builder = self._builder
        first = builder.trunc(builder.shl(parent, WORD(1)), HALF)
        lanes = builder.insert_element(HALVES(ir.Undefined), first, HALF(0))
        spread = builder.shuffle_vector(lanes, HALVES(ir.Undefined), HALVES([0] * LANES))
        return builder.add(spread, HALVES([2 * lane for lane in range(LANES)]))

    def _write_legal(self, values: Value, legal: Value, array: Value, total: Value) -> None:
        """Write the legal ones of eight numbers from the place `total` on, and anything after them."""
        builder, kind = self._builder, values.type
        name = f"llvm.experimental.vector.compress.v{LANES}i{kind.element.width}"
        compress = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(kind, [kind, BITS, kind]), name
        )
        pushed = builder.call(compress, [values, legal, kind(ir.Undefined)])
        builder.store(pushed, place_of(builder, array, total, kind.element), align=kind.element.width // 8)
