"""A retrograde analysis of a game given by plain functions, for tests: it uses nothing of the solver."""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)

Label = tuple[int, int | None]
"""The value for the first player, and the plies to the end, None if play need not end."""


def retrograde(
    start: Node,
    mover: Callable[[Node], int],
    winner: Callable[[Node], int | None],
    children: Callable[[Node], Iterable[Node]],
) -> dict[Node, Label]:
    """The label of each state that play from `start` reaches; a state with a `winner` is an end.

    Ends are queued first, so states come in order of remoteness: one whose mover wins is labelled by its
    first child that is lost, one whose mover loses by its last.
    """
    parents, open_children, queue = defaultdict(list), {}, deque[Node]()
    labels: dict[Node, Label] = {}
    found, todo = {start}, [start]
    while todo:
        node = todo.pop()
        won_by = winner(node)
        if won_by is not None:
            labels[node] = (1 - 2 * won_by, 0)
            queue.append(node)
            continue
        after = set(children(node))
        open_children[node] = len(after)
        for child in after:
            parents[child].append(node)
        todo += after - found
        found |= after
    while queue:
        node = queue.popleft()
        value, plies = labels[node]
        assert plies is not None
        for parent in parents[node]:
            open_children[parent] -= 1
            gains = value == 1 - 2 * mover(parent)
            if parent not in labels and (gains or open_children[parent] == 0):
                labels[parent] = (value, plies + 1)
                queue.append(parent)
    return {node: labels.get(node, (0, None)) for node in found}
