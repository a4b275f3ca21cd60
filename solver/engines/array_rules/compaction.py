"""Stream compaction: machine code of two kinds that extracts the legal children from a buffer of all.

    child    4    ?   11           mark: the mover, plus 2 if the child is legal
    mark     3    0    2
    out      4   11                and for each child the code of its parent: 2 * index + mover

One by one, every child is written, and overwritten by the next one unless it is legal, so there is no branch
to mispredict. With AVX-512, children are compacted in groups of eight: eight are written, and the next eight
begin after the legal ones. So the arrays need room for eight more.
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
