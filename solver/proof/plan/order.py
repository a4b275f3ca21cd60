"""In which order what can arise does so, and where it can recur (Kahn's algorithm)."""

from collections import deque
from collections.abc import Mapping, Sequence

from solver.proof.plan.reachable import Key, Reachable, line

Order = Mapping[Key, int]
"""Keys in order, each with the plies of the longest line between it and where the order begins."""


def backwards(met: Reachable) -> Order:
    """What ends surely follow, the ends first, with the plies of the longest line to an end."""
    return _ordered({key: node.children for key, node in met.items()}, _parents(met))


def forwards(met: Reachable) -> Order:
    """What no circle leads to, the root first, with the plies of the longest line from the root."""
    return _ordered(_parents(met), {key: node.children for key, node in met.items()})


def least_gains(met: Reachable, surely: Order, endless: int) -> dict[Key, int]:
    """The least that the owner gets from each position on.

    Where ends do not `surely` follow, play may be endless, which is worth `endless`.
    """
    parents = _parents(met)
    sources = {key: node.gain for key, node in met.items() if node.gain is not None}
    sources |= dict.fromkeys((key for key in met if key not in surely), endless)
    gains: dict[Key, int] = {}
    for source in sorted(sources, key=lambda key: sources[key]):
        stack = [source]
        while stack:
            key = stack.pop()
            if key not in gains:
                gains[key] = sources[source]
                stack.extend(parents[key])
    return gains


def circle(met: Reachable, surely: Order) -> str:
    """A position that can recur, in words, where ends do not `surely` follow everywhere."""
    key, seen = next(key for key in met if key not in surely), set[Key]()
    while key not in seen:
        seen.add(key)
        key = next(child for child in met[key].children if child not in surely)
    return f"{line(met, key)}, {key[0]!r} can recur"


def _parents(met: Reachable) -> dict[Key, list[Key]]:
    parents: dict[Key, list[Key]] = {key: [] for key in met}
    for key, node in met.items():
        for child in dict.fromkeys(node.children):
            parents[child].append(key)
    return parents


def _ordered(before: Mapping[Key, Sequence[Key]], after: Mapping[Key, Sequence[Key]]) -> Order:
    """The keys, each once all `before` it are there."""
    waiting = {key: len(set(earlier)) for key, earlier in before.items()}
    order = dict.fromkeys((key for key, count in waiting.items() if not count), 0)
    queue = deque(order)
    while queue:
        key = queue.popleft()
        for later in dict.fromkeys(after[key]):
            waiting[later] -= 1
            if not waiting[later]:
                order[later] = 1 + max(order[earlier] for earlier in before[later])
                queue.append(later)
    return order
