"""Machine code for packed rules: the operations by which a rule computes its answer, compiled by LLVM.

A rule uses operators alone, so one call with a `Symbol` for the state records all of them as a `Formula`:

    state >> 7 & 1 == 0        value 0    the state         value 3    constant 1
                               value 1    constant 0        value 4    2 & 3  ...
                               value 2    0 >> 1            constants  7, 1, 0

Bools are the integers 0 and 1. Actions with the same steps share a formula, and differ in constants. The
code, which is generated as LLVM assembly, is a loop over the states of an array, with a branch-free body:

    for nth in range(count):
        value0 = keys[nth]
        value1 = ...
        out[nth] = value9

The engines do the same, by separate code on purpose: a fault in how they ask must not hide itself.
"""

from collections.abc import Callable, Iterator, Sequence
from ctypes import CFUNCTYPE, c_int64, c_void_p
from functools import partialmethod
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import summary_of
from solver.rules.arrays import Keys

COMPARED = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
"""LLVM's comparisons of signed integers, by the names of Python's operators."""

SHIFTS = {"lshift": "shl", "rshift": "ashr"}
"""LLVM's shifts; it calls the other operators what Python calls them."""

OPERATORS = ("and", "or", "xor", "add", "sub", "mul", *SHIFTS)
"""The operators of a `Symbol` besides comparisons, by their names in Python."""

MIN_INT64, MAX_INT64 = -(2**63), 2**63 - 1
"""The integers of 64 bits."""


class NoFormula(Exception):
    """Raised if a rule does more than apply operators."""


class Computed(NamedTuple):
    """A value that is computed from earlier values."""

    operator: str
    """The name of an operator in Python, or "constant"."""
    left: int
    """The number of the left operand, or of the constant."""
    right: int = 0


class Formula(NamedTuple):
    """A rule as a list of computed values. Value 0 is the state."""

    steps: tuple[Computed, ...]
    """The values from number 1 on."""
    answer: int
    """The number of the value that is the answer."""
    constants: tuple[int, ...]


class _Record:
    def __init__(self) -> None:
        self.steps: list[Computed] = []
        self.constants: list[int] = []

    def add(self, step: Computed) -> "Symbol":
        self.steps.append(step)
        return Symbol(self, len(self.steps))

    def value(self, given: Any) -> "Symbol":
        if isinstance(given, Symbol):
            return given
        if not isinstance(given, int | np.integer) or not MIN_INT64 <= int(given) <= MAX_INT64:
            raise NoFormula(f"a state is combined with {type(given).__name__}")
        self.constants.append(int(given))
        return self.add(Computed("constant", len(self.constants) - 1))


class Symbol:
    """A symbolic value: the result of a recorded step. An operator on it records a further step."""

    __array_ufunc__ = None  # NumPy's scalars defer to the operators of this class
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, record: _Record, number: int) -> None:
        self.record, self.number = record, number

    def __bool__(self) -> bool:
        """Raise `NoFormula`: all states would take one branch."""
        raise NoFormula("a rule branches on a state")

    def __neg__(self) -> "Symbol":
        """0 minus the value."""
        return self.combined("sub", 0, swapped=True)

    def __invert__(self) -> "Symbol":
        """The bitwise complement."""
        return self.combined("xor", -1)

    def combined(self, name: str, given: Any, *, swapped: bool = False) -> "Symbol":
        """The result of an operator on this value and another; `swapped`, the other comes first."""
        other = self.record.value(given)
        left, right = (other, self) if swapped else (self, other)
        return self.record.add(Computed(name, left.number, right.number))


for _name in (*OPERATORS, *COMPARED):
    setattr(Symbol, f"__{_name}__", partialmethod(Symbol.combined, _name))
for _name in OPERATORS:
    setattr(Symbol, f"__r{_name}__", partialmethod(Symbol.combined, _name, swapped=True))


def formula(rule: Callable[[Any], Any]) -> Formula:
    """The formula of a rule; raises `NoFormula`."""
    record = _Record()
    try:
        answer = record.value(rule(Symbol(record, 0)))
    except NoFormula:
        raise
    except (Exception, SystemExit) as error:
        raise NoFormula(summary_of(error)) from error
    return Formula(tuple(record.steps), answer.number, tuple(record.constants))


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

    def __init__(self, engine: Any, spec: KernelSpec) -> None:
        """The function of this name in an execution engine."""
        self._engine = engine  # the code lives as long as the engine
        self._dtype: Any = np.bool_ if spec.is_truth else np.int64
        call = CFUNCTYPE(None, c_int64, *[c_void_p] * 3)
        self._function = call(engine.get_function_address(spec.name))

    def __call__(self, keys: Keys, constants: Keys) -> NDArray[Any]:
        """The answer for each state, given all constants of the formula."""
        keys, answers = np.ascontiguousarray(keys, np.int64), np.empty(len(keys), self._dtype)
        self._function(len(keys), keys.ctypes.data, constants.ctypes.data, answers.ctypes.data)
        return answers


def compiled(specs: Sequence[KernelSpec]) -> dict[str, Kernel]:
    """The kernels of formulas, by name; raises RuntimeError or ImportError if they cannot be compiled."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    features = binding.get_host_cpu_features().flatten()
    machine = target.create_target_machine(binding.get_host_cpu_name(), features, opt=3, jit=True)
    module = binding.parse_assembly("\n".join(chain.from_iterable(map(_function, specs))))
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    options = binding.create_pipeline_tuning_options(speed_level=3)
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return {spec.name: Kernel(engine, spec) for spec in specs}


def _function(spec: KernelSpec) -> Iterator[str]:
    places = ", ".join(f"ptr noalias %{name}" for name in ("keys", "given", "out"))
    yield f"define void @{spec.name}(i64 %count, {places}) {{"
    yield "entry:"
    for number in sorted(spec.given):
        yield f"%place{number} = getelementptr i64, ptr %given, i64 {number}"
        yield f"%given{number} = load i64, ptr %place{number}"
    yield "br label %head"
    yield "head:"
    yield "%nth = phi i64 [0, %entry], [%next, %body]"
    yield "%more = icmp slt i64 %nth, %count"
    yield "br i1 %more, label %body, label %done"
    yield "body:"
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
    yield "%next = add i64 %nth, 1"
    yield "br label %head"
    yield "done:"
    yield "ret void"
    yield "}"


def _step(value: str, step: Computed, left: str, right: str) -> Iterator[str]:
    if step.operator in COMPARED:
        yield f"{value}.is = icmp {COMPARED[step.operator]} i64 {left}, {right}"
        yield f"{value} = zext i1 {value}.is to i64"
    elif step.operator in SHIFTS:
        yield from _shift(value, SHIFTS[step.operator], left, right)
    else:
        yield f"{value} = {step.operator} i64 {left}, {right}"


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
