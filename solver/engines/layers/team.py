"""Work that is done by all cores at once, with results in order and only a few of them waiting."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int, halted: Event
) -> Iterator[Result]:
    """What `work` returns for each item, in the order of the items.

    Where one of them fails, or no more results are wanted, `halted` is set until the others have ended.
    """
    pending: deque[Future[Result]] = deque()
    try:
        with ThreadPoolExecutor(threads) as pool:
            try:
                for item in items:
                    pending.append(pool.submit(work, item))
                    if len(pending) > 2 * threads:
                        yield pending.popleft().result()
                while pending:
                    yield pending.popleft().result()
            except BaseException:
                halted.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        halted.clear()
