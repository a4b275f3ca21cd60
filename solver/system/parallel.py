"""An ordered parallel map: results come in the order of the items, and few items are in flight at a time."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_ordered(
    executor: Executor, work: Callable[[Item], Result], items: Iterable[Item], in_flight: int
) -> Iterator[Result]:
    """Yield `work(item)` for each item, in the order of the items.

    Never more than `in_flight` items wait for their turn to be yielded, so neither the items nor the results
    are ever held all at once. Raises what `work` raises, when its result is due; `executor` may then still
    be at work on later items.
    """
    pending: deque[Future[Result]] = deque()
    for item in items:
        pending.append(executor.submit(work, item))
        if len(pending) > in_flight:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()
