"""Recursion that needs no stack of Python's: an algorithm reads as its definition, however deep the game.

A recursive function is written as a generator that yields the calls it would make and is sent their answers:

    def height(tree: Tree) -> Steps[int]:
        return 1 + max((yield height(tree.left)), (yield height(tree.right)))

    unwound(height(tree))
"""

from collections.abc import Generator
from typing import Any, TypeAlias, TypeVar

Answer = TypeVar("Answer")

Steps: TypeAlias = Generator["Steps[Any]", Any, Answer]
"""A call under way: yields the calls it needs answered, returns its own answer."""


def unwound(call: Steps[Answer]) -> Answer:
    """The answer of `call`, with all the calls that it leads to kept on a list."""
    pending: list[Steps[Any]] = [call]
    answer: Any = None
    while pending:
        try:
            pending.append(pending[-1].send(answer))
            answer = None
        except StopIteration as finished:
            pending.pop()
            answer = finished.value
    return answer  # type: ignore[no-any-return]
