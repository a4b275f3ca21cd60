"""Formulas, what a rule of a packed game computes of a state, and machine code for them, by LLVM.

A rule uses operators alone, so it needs to be called only once, with a `Symbol` for the state, to know them:

    state >> 7 & 1 == 0        value 0    the state         value 3    constant 1
                               value 1    constant 0        value 4    2 & 3  ...
                               value 2    0 >> 1            constants  7, 1, 0

Truths are the integers 0 and 1. Actions with the same steps share a formula, and differ in constants.

The code is a loop over the states of an array, without a branch in it:

    for nth in range(count):
        value0 = keys[nth]
        value1 = ...
        out[nth] = value9

It is written as the text of LLVM's assembler. Values are integers of 64 bits, truths 0 or 1.

The engines do the same, by other code on purpose: a fault in how they ask must not hide itself.
"""

from collections.abc import Callable, Iterator, Sequence
from ctypes import CFUNCTYPE, c_int64, c_void_p
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import summary_of
from solver.rules.arrays import Keys

COMPARED = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
"""Comparisons by the names of Python, and of signed integers by those of LLVM."""

OPERATORS = {"and": "and", "or": "or", "xor": "xor", "add": "add", "sub": "sub", "mul": "mul"}
SHIFTS = {"lshift": "shl", "rshift": "ashr"}

LEAST, GREATEST = -(2**63), 2**63 - 1
"""The integers of 64 bits."""


class NoFormula(Exception):
    """Raised if a rule does more than apply operators."""


class Computed(NamedTuple):
    """A value that is computed of others, which have been before it."""

    operator: str
    """The name of an operator in Python; "constant"."""
    left: int
    """The number of a value, or of the constant."""
    right: int = 0


class Formula(NamedTuple):
    """A rule: the last of the values is its answer. Value 0 is the state."""

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
        if not isinstance(given, int | np.integer) or not LEAST <= int(given) <= GREATEST:
            raise NoFormula(f"a state is combined with {type(given).__name__}")
        self.constants.append(int(given))
        return self.add(Computed("constant", len(self.constants) - 1))


class Symbol:
    """A value of which only is known how it is computed. An operator on it is a further step."""

    __array_ufunc__ = None  # integers of NumPy leave operators to this class
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
        """All bits turned."""
        return self.combined("xor", -1)

    def combined(self, name: str, given: Any, *, swapped: bool = False) -> "Symbol":
        """The value of an operator, of this value and another, or of the other and this."""
        other = self.record.value(given)
        left, right = (other, self) if swapped else (self, other)
        return self.record.add(Computed(name, left.number, right.number))


def _operator(name: str, *, swapped: bool = False) -> Callable[[Symbol, Any], Symbol]:
    return lambda value, given: value.combined(name, given, swapped=swapped)


for _name in (*OPERATORS, *SHIFTS):
    setattr(Symbol, f"__{_name}__", _operator(_name))
    setattr(Symbol, f"__r{_name}__", _operator(_name, swapped=True))
for _name in COMPARED:
    setattr(Symbol, f"__{_name}__", _operator(_name))


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
    """A formula to be compiled, with constants that are given when it is evaluated."""

    name: str
    formula: Formula
    given: frozenset[int]
    """The constants, by number, that come from an array."""
    is_truth: bool
    """Whether the answer is to be a truth, bool, or else an int64."""


class Kernel:
    """A compiled formula."""

    def __init__(self, engine: Any, name: str, dtype: Any) -> None:
        """The function of this name in the code of an engine, with answers of this type."""
        self._engine, self._dtype = engine, dtype  # the code lives as long as the engine
        call = CFUNCTYPE(None, c_int64, c_void_p, c_void_p, c_void_p)
        self._function = call(engine.get_function_address(name))

    def __call__(self, keys: Keys, constants: Keys) -> NDArray[Any]:
        """The answer for each state, given all constants of the formula."""
        keys, out = np.ascontiguousarray(keys, np.int64), np.empty(len(keys), self._dtype)
        self._function(len(keys), keys.ctypes.data, constants.ctypes.data, out.ctypes.data)
        return out


def compiled(specs: Sequence[KernelSpec]) -> dict[str, Kernel]:
    """The kernels of formulas, by name; raises RuntimeError or ImportError where they cannot be compiled."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    features = binding.get_host_cpu_features().flatten()
    machine = target.create_target_machine(binding.get_host_cpu_name(), features, opt=3, jit=True)
    module = binding.parse_assembly("\n".join(line for spec in specs for line in _function(spec)))
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    options = binding.create_pipeline_tuning_options(speed_level=3)
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return {spec.name: Kernel(engine, spec.name, np.bool_ if spec.is_truth else np.int64) for spec in specs}


def _function(spec: KernelSpec) -> Iterator[str]:
    yield f"define void @{spec.name}(i64 %count, ptr noalias %keys, ptr noalias %given, ptr noalias %out) {{"
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
    elif step.operator in OPERATORS:
        yield f"{value} = {OPERATORS[step.operator]} i64 {left}, {right}"
    else:
        yield from _shift(value, SHIFTS[step.operator], left, right)


def _shift(value: str, shift: str, left: str, places: str) -> Iterator[str]:
    """The lines of a shift. By 64 places or more it leaves what NumPy leaves: 0, or the sign."""
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
