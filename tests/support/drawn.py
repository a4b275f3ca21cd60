"""Random examples: a few in `make test`, many in `make test-slow`."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

Test = Callable[..., None]


def drawn(few: int, many: int, **strategies: SearchStrategy[Any]) -> Callable[[Test], Test]:
    """Call a test with `few` random examples of its arguments; add a test marked `slow` with `many`."""

    def of(test: Test) -> Test:
        @pytest.mark.parametrize("examples", [few, pytest.param(many, marks=pytest.mark.slow)])
        @wraps(test)
        def run(examples: int, **fixtures: Any) -> None:
            @settings(max_examples=examples)
            @given(**strategies)
            def with_example(**example: Any) -> None:
                test(**fixtures, **example)

            with_example()

        others = [item for name, item in inspect.signature(test).parameters.items() if name not in strategies]
        examples = inspect.Parameter("examples", inspect.Parameter.KEYWORD_ONLY)
        run.__signature__ = inspect.Signature([*others, examples])
        decorated: Test = run
        return decorated

    return of
