"""Random rules: expressions of a state with every operator that rules may use."""

import operator
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

OPERATORS: dict[str, Any] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

UNARY: dict[str, Any] = {"not": operator.invert, "minus": operator.neg}


class Expression(NamedTuple):
    """An operator and its operands: expressions or numbers, but not only numbers, which Python would fold."""

    symbol: str
    left: Any
    right: Any

    def of(self, state: Any) -> Any:
        """Its value for a state, an array of states, or a `Term`. Unary symbols use only `left`."""
        left, right = (item.of(state) if isinstance(item, Expression) else item for item in self[1:])
        if self.symbol == "state":
            return state
        if self.symbol in UNARY:
            return UNARY[self.symbol](left)
        return OPERATORS[self.symbol](left, right)


STATE = Expression("state", None, None)

NUMBERS = st.one_of(
    st.integers(-2, 66),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([True, False, np.True_, np.int64(5), 2**63 - 1, -(2**63)]),
)
"""Numbers: shifts and beyond, whole words, and truth values."""


def _larger(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    symbols = st.sampled_from(sorted(OPERATORS))
    return st.one_of(
        st.builds(Expression, symbols, parts, NUMBERS),
        st.builds(Expression, symbols, NUMBERS, parts),
        st.builds(Expression, symbols, parts, parts),
    )


EXPRESSIONS = st.recursive(st.just(STATE), _larger, max_leaves=12)

_COMPARED = st.builds(Expression, st.sampled_from(["==", "!=", "<", ">="]), st.just(STATE), st.integers(0, 7))


def _larger_of_truths(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.builds(Expression, st.sampled_from(sorted({*OPERATORS} - {"<<", ">>"})), parts, parts),
        st.builds(Expression, st.sampled_from(["<<", ">>"]), parts, _COMPARED),
        st.builds(Expression, st.sampled_from(sorted(UNARY)), parts, st.none()),
    )


OF_TRUTHS = st.recursive(
    _COMPARED,
    lambda parts: _larger_of_truths(st.one_of(parts, _COMPARED, st.sampled_from([True, False, 3, -1]))),
    max_leaves=10,
).filter(lambda item: isinstance(item, Expression))
"""Expressions that use truth values in arithmetic, whose numbers stay small for states below 8."""

WORDS: st.SearchStrategy[NDArray[np.int64]] = st.lists(
    st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(-2, 70)), min_size=1, max_size=40
).map(lambda words: np.array(words, np.int64))
"""States, and numbers that are no states: rules also turn states into negative numbers."""
