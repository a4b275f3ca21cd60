"""Machine code for the formulas of rules, compiled by LLVM.

The code is a loop over the states of an array, with a branch-free body:

    for nth in range(count):
        value0 = keys[nth]
        value1 = ...
        out[nth] = value9

If a few values suffice to show that most answers are false, the other values are computed for the remaining
states alone: `nth` is then taken from a list.

The code is generated as LLVM assembly. Values are integers of 64 bits, bools 0 or 1.

The engines do the same, by separate code on purpose: a fault in how they ask must not hide itself.
"""

from collections.abc import Iterator, Sequence
from ctypes import CFUNCTYPE, c_int64, c_void_p
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.proof.packed.formulas import Computed, Formula, needed
from solver.rules.arrays import Keys

COMPARED = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
"""LLVM's comparisons of signed integers, by the names of Python's operators."""

OPERATORS = {"and": "and", "or": "or", "xor": "xor", "add": "add", "sub": "sub", "mul": "mul"}
SHIFTS = {"lshift": "shl", "rshift": "ashr"}


class KernelSpec(NamedTuple):
    """A formula to be compiled, some of whose constants are arguments."""

    name: str
    formula: Formula
    given: frozenset[int]
    """The numbers of the constants that are read from an array."""
    is_truth: bool
    """Whether the answer is a bool, otherwise an int64."""


class Kernel:
    """A compiled formula."""

    def __init__(self, engine: Any, spec: KernelSpec, first: "Kernel | None" = None) -> None:
        """The function of this name in an execution engine; it is called for states where `first` is true."""
        self._engine, self._first = engine, first  # the code lives as long as the engine
        self._dtype: Any = np.bool_ if spec.is_truth else np.int64
        call = CFUNCTYPE(None, c_int64, *[c_void_p] * 4)
        self._function = call(engine.get_function_address(spec.name))

    def __call__(self, keys: Keys, constants: Keys) -> NDArray[Any]:
        """The answer for each state, given all constants of the formula."""
        keys = np.ascontiguousarray(keys, np.int64)
        given = constants.ctypes.data
        if self._first is None:
            answers = np.empty(len(keys), self._dtype)
            self._function(len(keys), None, keys.ctypes.data, given, answers.ctypes.data)
        else:
            answers = self._first(keys, constants)
            left = np.flatnonzero(answers)
            self._function(len(left), left.ctypes.data, keys.ctypes.data, given, answers.ctypes.data)
        return answers


def compiled(specs: Sequence[KernelSpec]) -> dict[str, Kernel]:
    """The kernels of formulas, by name; raises RuntimeError or ImportError if they cannot be compiled."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    features = binding.get_host_cpu_features().flatten()
    machine = target.create_target_machine(binding.get_host_cpu_name(), features, opt=3, jit=True)
    firsts = {spec.name: first for spec in specs if (first := _first(spec)) is not None}
    functions = (_function(spec, listed=spec.name in firsts) for spec in (*specs, *firsts.values()))
    module = binding.parse_assembly("\n".join(chain.from_iterable(functions)))
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    options = binding.create_pipeline_tuning_options(speed_level=3)
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    kernels = {name: Kernel(engine, first) for name, first in firsts.items()}
    return {spec.name: Kernel(engine, spec, kernels.get(spec.name)) for spec in specs}


def _first(spec: KernelSpec) -> KernelSpec | None:
    """The necessary condition that is computed first, if any."""
    first = needed(spec.formula) if spec.is_truth else None
    return None if first is None else spec._replace(name=f"{spec.name}.first", formula=first)


def _function(spec: KernelSpec, *, listed: bool) -> Iterator[str]:
    """Yield the lines of a function that answers for all states, or for listed ones."""
    places = ", ".join(f"ptr noalias %{name}" for name in ("listed", "keys", "given", "out"))
    yield f"define void @{spec.name}(i64 %count, {places}) {{"
    yield "entry:"
    for number in sorted(spec.given):
        yield f"%place{number} = getelementptr i64, ptr %given, i64 {number}"
        yield f"%given{number} = load i64, ptr %place{number}"
    yield "br label %head"
    yield "head:"
    yield "%index = phi i64 [0, %entry], [%next, %body]"
    yield "%more = icmp slt i64 %index, %count"
    yield "br i1 %more, label %body, label %done"
    yield "body:"
    if listed:
        yield "%at = getelementptr i64, ptr %listed, i64 %index"
        yield "%nth = load i64, ptr %at"
    else:
        yield "%nth = add i64 %index, 0"
    yield "%key = getelementptr i64, ptr %keys, i64 %nth"
    yield "%v0 = load i64, ptr %key"
    words = ["%v0"]
    for number, step in enumerate(spec.formula.steps, start=1):
        if step.operator == "constant":
            constant = spec.formula.constants[step.left]
            words.append(f"%given{step.left}" if step.left in spec.given else str(constant))
        else:
            yield from _step(f"%v{number}", step, words[step.left], words[step.right])
            words.append(f"%v{number}")
    yield from _stored(words[spec.formula.answer], is_truth=spec.is_truth)
    yield "%next = add i64 %index, 1"
    yield "br label %head"
    yield "done:"
    yield "ret void"
    yield "}"


def _step(value: str, step: Computed, left: str, right: str) -> Iterator[str]:
    if step.operator in COMPARED:
        yield f"{value}.is = icmp {COMPARED[step.operator]} i64 {left}, {right}"
        yield f"{value} = zext i1 {value}.is to i64"
    elif step.operator in OPERATORS:
        yield f"{value} = {OPERATORS[step.operator]} i64 {left}, {right}"
    else:
        yield from _shift(value, SHIFTS[step.operator], left, right)


def _shift(value: str, shift: str, left: str, places: str) -> Iterator[str]:
    """Yield the lines of a shift. By 64 places or more the result is NumPy's: 0, or the sign."""
    yield f"{value}.short = icmp ult i64 {places}, 64"
    yield f"{value}.places = select i1 {value}.short, i64 {places}, i64 63"
    if shift == "ashr":
        yield f"{value} = ashr i64 {left}, {value}.places"
    else:
        yield f"{value}.shifted = shl i64 {left}, {value}.places"
        yield f"{value} = select i1 {value}.short, i64 {value}.shifted, i64 0"


def _stored(answer: str, *, is_truth: bool) -> Iterator[str]:
    if is_truth:
        yield f"%truth = icmp ne i64 {answer}, 0"
        yield "%byte = zext i1 %truth to i8"
        yield "%to = getelementptr i8, ptr %out, i64 %nth"
        yield "store i8 %byte, ptr %to"
    else:
        yield "%to = getelementptr i64, ptr %out, i64 %nth"
        yield f"store i64 {answer}, ptr %to"
