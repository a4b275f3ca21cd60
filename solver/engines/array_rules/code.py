"""The kernels of one game as machine code, compiled by LLVM through llvmlite, on which numba is built, too.

    for i in range(count):             Most rules give one answer for each state. Children go through
        out[i] = answer(keys[i])       a buffer that fits into the cache: first all are computed, legal
        bits |= out[i]                 or not; then the legal ones are compacted (instructions.py).
    return bits

The loops are free of branches, so LLVM vectorizes them.
"""

from collections.abc import Callable, Mapping, Sequence
from ctypes import CFUNCTYPE, c_int64, c_void_p
from functools import lru_cache, reduce
from typing import Any, TypeAlias

import numpy as np
from llvmlite import binding, ir

from solver.engines.array_rules.instructions import (
    CHILDREN_AT_ONCE,
    HALF,
    PLACE,
    WORD,
    ChildBuffer,
    Output,
    Value,
    Variable,
    loop,
    place_of,
    read,
    results,
    truth,
    word,
    write,
)
from solver.engines.array_rules.tracing import Template, Trace, Untraceable, templates, traced
from solver.rules.arrays import Keys

Kernel: TypeAlias = Callable[..., int]
"""A function of the number of keys and the addresses of arrays, which releases the GIL."""

Play: TypeAlias = tuple[Kernel, Keys]
"""The kernel of an action, and its row of constants."""

Answer: TypeAlias = Callable[[ir.IRBuilder, Sequence[Value]], Value]
"""A function that builds the word that a kernel writes from the answers of the rules."""


def as_flag(builder: ir.IRBuilder, answers: Sequence[Value]) -> Value:
    """1 if the only answer is not 0, otherwise 0."""
    return word(builder, truth(builder, answers[0]))


def least_answer(builder: ir.IRBuilder, answers: Sequence[Value]) -> Value:
    """The least of the answers as an integer."""
    words = [word(builder, answer) for answer in answers]
    return reduce(lambda one, other: builder.select(builder.icmp_signed("<", one, other), one, other), words)


class CodeModule:
    """The kernels of one game: added one by one, then compiled together."""

    def __init__(self, *, wide: bool | None = None) -> None:
        """Start without kernels; `wide` is whether to use 512-bit registers, by default if there are any."""
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        self._features = binding.get_host_cpu_features()
        self._wide = self._features.get("avx512vl", False) if wide is None else wide
        self._module = ir.Module("rules")

    def add_answers(self, name: str, trace: Trace, answer: Answer, kind: ir.IntType = WORD) -> None:
        """Add a kernel (count, keys, out), which writes answers of a `kind` to `out` and returns their OR."""
        builder, (count, keys, out) = self._function(name, 3)
        bits = Variable(builder)
        constants = [WORD(number) for number in trace.constants]
        with loop(builder, count) as nth:
            state = read(builder, keys, nth, WORD)
            words = results(builder, trace.steps, state, constants)
            result = answer(builder, [words[step] for step in trace.answers])
            bits.add_bits(result)
            write(builder, out, nth, result, kind)
        builder.ret(bits.get())

    def add_children(self, name: str, template: Template) -> None:
        """Add a kernel (count, keys, row, children, parents) for the actions of a template.

        `row` is the row of constants of the action. The answers of the template are whether the action is
        legal, the child and the mover. The kernel returns the number of children, or -1 if one is negative or
        a mover is not 0 or 1. The last two arrays must have room for eight elements more than `count`.
        """
        builder, (count, keys, row, children, parents) = self._function(name, 5)
        constants = _constants(builder, template, row)
        out, faults = Output(children, parents, Variable(builder)), Variable(builder)
        block = ChildBuffer(builder)
        compress = block.compress_eight_at_once if self._wide else block.compress_one_by_one
        with loop(builder, count, CHILDREN_AT_ONCE) as begin:
            length = least_answer(builder, (WORD(CHILDREN_AT_ONCE), builder.sub(count, begin)))
            states = place_of(builder, keys, begin, WORD)
            with loop(builder, length) as at:
                state = read(builder, states, at, WORD)
                words = results(builder, template.steps, state, constants)
                legal, child, mover = (words[step] for step in template.answers)
                faults.add_bits(block.put(at, child, legal, mover))
            compress(length, begin, out)
        is_right = builder.icmp_signed("==", faults.get(), WORD(0))
        builder.ret(builder.select(is_right, out.total.get(), WORD(-1)))

    def add_every_child(self, name: str) -> None:
        """Add a kernel (plays, keys, table, count, children, parents), which calls the kernels of some plays.

        `table` has the address of each kernel and of its row. The kernel returns the number of all children,
        or -1 for a fault, as they do.
        """
        builder, (plays, keys, table, count, children, parents) = self._function(name, 6)
        signature = ir.FunctionType(WORD, [WORD, *[PLACE] * 4])
        total, faults = Variable(builder), Variable(builder)
        with loop(builder, builder.shl(plays, WORD(1)), 2) as nth:
            kernel, row = (
                builder.inttoptr(read(builder, table, builder.add(nth, WORD(at)), WORD), kind)
                for at, kind in enumerate((signature.as_pointer(), PLACE))
            )
            out = [
                place_of(builder, children, total.get(), WORD),
                place_of(builder, parents, total.get(), HALF),
            ]
            legal = builder.call(kernel, [builder.ptrtoint(count, WORD), keys, row, *out])
            faults.add_bits(legal)
            total.set(
                builder.add(total.get(), builder.and_(legal, builder.not_(builder.ashr(legal, WORD(63)))))
            )
        builder.ret(builder.or_(total.get(), builder.ashr(faults.get(), WORD(63))))

    def compiled(self) -> dict[str, Kernel]:
        """Compile all kernels; return them by name."""
        names = [function.name for function in self._module.functions if not function.is_declaration]
        features = self._features.flatten() + (",-prefer-256-bit" if self._wide else "")
        engine = _machine_code(str(self._module), features)
        return {name: _callable(engine, self._module.globals[name]) for name in names}

    def _function(self, name: str, arguments: int) -> tuple[ir.IRBuilder, Sequence[Value]]:
        signature = ir.FunctionType(WORD, [WORD, *[PLACE] * (arguments - 1)])
        function = ir.Function(self._module, signature, name)
        for place in function.args[1:]:
            place.add_attribute("noalias")
        return ir.IRBuilder(function.append_basic_block("entry")), function.args


@lru_cache(maxsize=64)
def _machine_code(text: str, features: str) -> Any:
    """The machine code of a module, cached for later uses of the same rules in a process."""
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(binding.get_host_cpu_name(), features, opt=3, jit=True)
    module = binding.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    passes = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


def _constants(builder: ir.IRBuilder, template: Template, row: Value) -> list[Value]:
    """The constants of a template: literals, or values of the row if they depend on the action."""
    loaded = {}
    for nth, column in enumerate(template.columns):
        loaded[column] = read(builder, row, WORD(nth), WORD)
        if (end := max(column) + 1) < 2**63:
            bounds = builder.module.add_metadata([WORD(min(column)), WORD(end)])
            loaded[column].set_metadata("range", bounds)
    return [loaded[column] if column in loaded else WORD(column[0]) for column in template.constants]


def _callable(engine: Any, function: ir.Function) -> Kernel:
    address = engine.get_function_address(function.name)
    kernel: Any = CFUNCTYPE(c_int64, c_int64, *[c_void_p] * (len(function.args) - 1))(address)
    kernel.engine = engine  # the code lives as long as the engine
    return kernel  # type: ignore[no-any-return]


def plays_of(traces: Mapping[int, Trace]) -> tuple[Play, ...]:
    """The kernel of each action, given the trace of its rules; actions with one template share a kernel."""
    groups, code = templates(traces), CodeModule()
    for nth, template in enumerate(groups):
        code.add_children(f"children{nth}", template)
    kernels = code.compiled()
    rows = {
        action: (kernels[f"children{nth}"], np.array(row, np.int64))
        for nth, template in enumerate(groups)
        for action, row in template.rows()
    }
    return tuple(rows[action] for action in sorted(rows))


@lru_cache(1)
def every_child_kernel() -> Kernel:
    """The kernel of `CodeModule.add_every_child`."""
    code = CodeModule()
    code.add_every_child("every_child")
    return code.compiled()["every_child"]


def kernel_of_least(*rules: Callable[[Any], Any]) -> Kernel | None:
    """A kernel for the least answer of the rules; None if they cannot be traced or compiled."""
    code = CodeModule()
    try:
        code.add_answers("least", traced(*rules), least_answer)
        return code.compiled()["least"]
    except (Untraceable, RuntimeError):
        return None
