"""The kernels of one game as machine code, by llvmlite, which is also the back half of numba.

    for i in range(count):             Most rules answer once a state. Children go through a block that fits
        out[i] = answer(keys[i])       the cache: first all, several at a time, legal or not; then the legal
        bits |= out[i]                 ones are compressed (compaction.py).
    return bits

The compiler finds out by itself how many states it can do at a time, as the loops are free of branches.
"""

from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, c_int64, c_void_p
from functools import reduce
from typing import Any, TypeAlias

from llvmlite import binding, ir

from solver.engines.array_rules.compaction import CHILDREN_AT_ONCE, ChildBuffer, Output
from solver.engines.array_rules.instructions import (
    PLACE,
    WORD,
    Value,
    Variable,
    loop,
    read,
    results,
    truth,
    word,
    write,
)
from solver.engines.array_rules.templates import Template
from solver.engines.array_rules.tracing import Trace

Kernel: TypeAlias = Callable[..., int]
"""Called with a number of keys and addresses of arrays; other threads run in the meantime."""

Answer: TypeAlias = Callable[[ir.IRBuilder, Sequence[Value]], Value]
"""A word for a kernel to write, made of what the rules answer."""


def the_answer(builder: ir.IRBuilder, answers: Sequence[Value]) -> Value:
    """The one answer, as a number."""
    return word(builder, answers[0])


def whether(builder: ir.IRBuilder, answers: Sequence[Value]) -> Value:
    """1 where the one answer is not 0, else 0."""
    return word(builder, truth(builder, answers[0]))


def the_least(builder: ir.IRBuilder, answers: Sequence[Value]) -> Value:
    """The least of the answers."""
    words = [word(builder, answer) for answer in answers]
    return reduce(lambda one, other: builder.select(builder.icmp_signed("<", one, other), one, other), words)


class CodeModule:
    """Kernels for one game: they are added one after the other, and then compiled together."""

    def __init__(self, *, wide: bool | None = None) -> None:
        """Begin without a kernel; `wide` registers are used by default where there are any."""
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        self._features = binding.get_host_cpu_features()
        self._wide = self._features.get("avx512vl", False) if wide is None else wide
        self._module = ir.Module("rules")

    def add_answers(self, name: str, trace: Trace, answer: Answer, kind: ir.IntType = WORD) -> None:
        """Add a kernel (count, keys, out), which returns the bits that are set in any of its answers.

        They are integers of this `kind` in `out`; what they have no room for is cut off.
        """
        builder, (count, keys, out) = self._function(name, 3)
        bits = Variable(builder)
        numbers = [WORD(number) for number in trace.numbers]
        with loop(builder, count) as nth:
            state = read(builder, keys, nth, WORD)
            found = results(builder, trace.steps, state, numbers, [(number,) for number in trace.numbers])
            said = answer(builder, [found[step] for step in trace.answers])
            bits.add_bits(said)
            write(builder, out, nth, said, kind)
        builder.ret(bits.get())

    def add_children(self, name: str, family: Template) -> None:
        """Add a kernel (count, keys, row, children, parents) for actions, of which `row` is that of one.

        It returns how many children there are, or -1 where one is negative or a mover neither 0 nor 1. The
        answers of the family are whether it is legal, the child and the mover. The last two arrays have room
        for eight more than `count`.
        """
        builder, (count, keys, row, children, parents) = self._function(name, 5)
        numbers = _numbers(builder, family, row)
        out, faults = Output(children, parents, Variable(builder)), Variable(builder)
        block = ChildBuffer(builder)
        compress = block.compress_eight_at_once if self._wide else block.compress_one_by_one
        with loop(builder, count, CHILDREN_AT_ONCE) as begin:
            length = the_least(builder, (WORD(CHILDREN_AT_ONCE), builder.sub(count, begin)))
            with loop(builder, length) as at:
                state = read(builder, keys, builder.add(begin, at), WORD)
                found = results(builder, family.steps, state, numbers, family.numbers)
                legal, child, mover = (found[step] for step in family.answers)
                faults.add_bits(block.put(at, child, legal, mover))
            compress(length, begin, out)
        is_right = builder.icmp_signed("==", faults.get(), WORD(0))
        builder.ret(builder.select(is_right, out.total.get(), WORD(-1)))

    def compiled(self) -> dict[str, Kernel]:
        """The kernels, by name."""
        names = [each.name for each in self._module.functions if not each.is_declaration]
        target = binding.Target.from_default_triple()
        features = self._features.flatten() + (",-prefer-256-bit" if self._wide else "")
        machine = target.create_target_machine(binding.get_host_cpu_name(), features, opt=3, jit=True)
        self._module.triple, self._module.data_layout = target.triple, str(machine.target_data)
        module = binding.parse_assembly(str(self._module))
        passes = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=3))
        passes.getModulePassManager().run(module, passes)
        engine = binding.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        return {name: _callable(engine, self._module.globals[name]) for name in names}

    def _function(self, name: str, arguments: int) -> tuple[ir.IRBuilder, Sequence[Value]]:
        """A function of a number and of arrays none of which overlaps another."""
        form = ir.FunctionType(WORD, [WORD, *[PLACE] * (arguments - 1)])
        function = ir.Function(self._module, form, name)
        for place in function.args[1:]:
            place.add_attribute("noalias")
        return ir.IRBuilder(function.append_basic_block("entry")), function.args


def _numbers(builder: ir.IRBuilder, family: Template, row: Value) -> list[Value]:
    """The numbers of a family: as they are, or from the row where they depend on the action."""
    places = {column: read(builder, row, WORD(nth), WORD) for nth, column in enumerate(family.columns)}
    return [places[column] if column in places else WORD(column[0]) for column in family.numbers]


def _callable(engine: Any, function: ir.Function) -> Kernel:
    address = engine.get_function_address(function.name)
    kernel: Any = CFUNCTYPE(c_int64, c_int64, *[c_void_p] * (len(function.args) - 1))(address)
    kernel.engine = engine  # the code lives as long as the engine
    return kernel  # type: ignore[no-any-return]
