"""Packed rules printed in C, Python and JavaScript, from their traces (`array_rules/tracing.py`).

Each rule is a function of a state, and each action has functions `legal` and `result`:

    C             is_terminal(s)   to_move(s)   utility(s)   legal[a](s)   result[a](s)   ACTIONS
    Python, JS    is_terminal(s)   to_move(s)   utility(s)   actions(s)    result(s, a)

Symmetries are lists of functions of a state: `symmetry[]`, which ends with 0, `SYMMETRIES` and `symmetries`.
States are 64-bit integers in C, integers in Python and BigInt in JavaScript; truth values are 0 and 1.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from solver.engines.array_rules.tracing import COMPARISONS, Operation, Untraceable, traced
from solver.game import AnyGame, Symmetry
from solver.packed import PackedGame
from solver.rules.asking import symmetries_of

WRAPPING = {"+", "-", "*"}
"""The operators whose signed overflow is undefined in C."""

NAME = re.compile(r"\bv\d+\b")


class Language(NamedTuple):
    """The templates of a programming language for rules."""

    suffix: str
    head: str
    function: str
    """The template of a function, with its `name`, its `statements` and the `value` that it returns."""
    statement: str
    """The template of the definition of a value."""
    constant: Callable[[int], str]
    operation: Callable[[str, str, str], str]
    """From an operator and its two operands to an expression."""
    tail: str
    """The template of the functions of all actions, with their `count` and lists of function names."""


def _c_operation(symbol: str, left: str, right: str) -> str:
    if symbol in ("<<", ">>"):
        return f"shift_{'left' if symbol == '<<' else 'right'}({left}, {right})"
    return f"(i64)((u64){left} {symbol} (u64){right})" if symbol in WRAPPING else f"{left} {symbol} {right}"


def _js_operation(symbol: str, left: str, right: str) -> str:
    if symbol in COMPARISONS:
        return f"BigInt({left} {symbol + '=' if symbol in ('==', '!=') else symbol} {right})"
    return f"{left} {symbol} {right}"


LANGUAGES = (
    Language(
        ".rules.h",
        "#include <stdint.h>\ntypedef int64_t i64;\ntypedef uint64_t u64;\n"
        "static inline i64 shift_left(i64 x, i64 n) { return (u64)n < 64 ? (i64)((u64)x << n) : 0; }\n"
        "static inline i64 shift_right(i64 x, i64 n) { return x >> ((u64)n < 64 ? n : 63); }\n",
        "static i64 {name}(i64 s) {{ {statements}return {value}; }}\n",
        "i64 {name} = {value}; ",
        lambda number: f"{number}LL" if number > -(2**63) else "INT64_MIN",
        _c_operation,
        "enum {{ ACTIONS = {count} }};\n"
        "static i64 (*const legal[])(i64) = {{ {legal} }};\n"
        "static i64 (*const result[])(i64) = {{ {result} }};\n"
        "static i64 (*const symmetry[])(i64) = {{ {symmetry}0 }};\n",
    ),
    Language(
        ".rules.py",
        "",
        "def {name}(s):\n    {statements}return {value}\n\n\n",
        "{name} = {value}; ",
        str,
        lambda symbol, left, right: f"{left} {symbol} {right}",
        "LEGAL = [{legal}]\nRESULT = [{result}]\nSYMMETRIES = [{symmetry}]\n\n\n"
        "def actions(s):\n    return [a for a in range({count}) if LEGAL[a](s)]\n\n\n"
        "def result(s, a):\n    return RESULT[a](s)\n",
    ),
    Language(
        ".rules.js",
        "",
        "function {name}(s) {{ {statements}return {value}; }}\n",
        "const {name} = {value}; ",
        lambda number: f"{number}n" if number >= 0 else f"({number}n)",
        _js_operation,
        "const LEGAL = [{legal}];\nconst RESULT = [{result}];\n"
        "const actions = (s) => LEGAL.flatMap((legal, a) => (legal(s) ? [a] : []));\n"
        "const result = (s, a) => RESULT[a](s);\n"
        "const symmetries = [{symmetry}];\n"
        "module.exports = {{ is_terminal, to_move, utility, actions, result, symmetries }};\n",
    ),
)


def printed_rules(game: AnyGame, languages: Iterable[Language] = LANGUAGES) -> tuple[dict[str, str], bool]:
    """The rules in each language, by its suffix, and whether they include all symmetries.

    Raises `Untraceable` for rules that are not packed or do more than apply operators.
    """
    if not isinstance(game, PackedGame):
        raise Untraceable("that needs packed rules, and states of this game are no integers")
    try:
        return {into.suffix: _printed(game, into, symmetries_of(game)) for into in languages}, True
    except Untraceable:
        return {into.suffix: _printed(game, into, ()) for into in languages}, False


def _printed(game: PackedGame, into: Language, maps: Sequence[Symmetry[Any, Any]]) -> str:
    numbers = range(game.action_count)
    legal = {f"legal{action}": partial(of_action, game.legal, action) for action in numbers}
    result = {f"result{action}": partial(of_action, game.result, action) for action in numbers}
    symmetries = {f"symmetry{nth}": symmetry.state for nth, symmetry in enumerate(maps)}
    rules = {name: getattr(game, name) for name in ("is_terminal", "to_move", "utility")}
    functions = [function_for(into, *of) for of in (rules | legal | result | symmetries).items()]
    lists = {"legal": ", ".join(legal), "result": ", ".join(result)}
    lists["symmetry"] = "".join(f"{name}, " for name in symmetries)
    return "".join([into.head, *functions, into.tail.format(count=len(numbers), **lists)])


def of_action(rule: Callable[[Any, int], Any], action: int, state: Any) -> Any:
    """The result of a rule for a state and an action."""
    return rule(state, action)


def function_for(into: Language, name: str, rule: Callable[[Any], Any]) -> str:
    """The code of a function of a state; raises `Untraceable`."""
    trace = traced(rule)
    return function_of(into, name, trace.steps, trace.answers[0], [*map(into.constant, trace.constants)])


def function_of(
    into: Language, name: str, steps: Sequence[Operation], answer: int, constants: Sequence[str]
) -> str:
    """The code of a function of recorded steps, which computes every needed value once.

    `answer` is the index of the step whose result it returns; `constants` are texts.
    """
    values = list[str]()
    """The name of the value of each step, or the constant itself."""
    names = dict[str, str]()
    """The name of the value of each expression."""
    for step in steps:
        if step.symbol == "state":
            values.append("s")
        elif step.symbol == "constant":
            values.append(constants[step.left])
        else:
            expression = into.operation(step.symbol, values[step.left], values[step.right])
            values.append(names.setdefault(expression, f"v{len(names)}"))
    value = values[answer]
    needed, expressions = {value}, list[str]()
    for expression, computed in reversed(names.items()):
        if computed in needed:
            needed.update(NAME.findall(expression))
            expressions.append(into.statement.format(name=computed, value=expression))
    return into.function.format(name=name, statements="".join(reversed(expressions)), value=value)
