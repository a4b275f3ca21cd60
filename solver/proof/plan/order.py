"""Topological orders of reachable play, and the cycles that have none (Kahn's algorithm)."""

from collections import deque
from collections.abc import Mapping, Sequence

from solver.proof.plan.reachable import Key, Reachable, line

TopologicalOrder = Mapping[Key, int]
"""Keys in topological order, each with the length in plies of the longest line to the start of the order."""


def backwards(reachable: Reachable) -> TopologicalOrder:
    """The nodes from which all play is finite, ends first, with the longest line to an end."""
    return _ordered({key: node.children for key, node in reachable.items()}, _parents(reachable))


def forwards(reachable: Reachable) -> TopologicalOrder:
    """The nodes that no cycle leads to, root first, with the longest line from the root."""
    return _ordered(_parents(reachable), {key: node.children for key, node in reachable.items()})


def least_gains(reachable: Reachable, finite: TopologicalOrder, endless: int) -> dict[Key, int]:
    """The owner's least gain from each node on.

    Play from nodes that are not `finite` may be endless, which is worth `endless` to the owner.
    """
    parents = _parents(reachable)
    sources = {key: node.gain for key, node in reachable.items() if node.gain is not None}
    sources |= dict.fromkeys((key for key in reachable if key not in finite), endless)
    gains: dict[Key, int] = {}
    for source in sorted(sources, key=lambda key: sources[key]):
        stack = [source]
        while stack:
            key = stack.pop()
            if key not in gains:
                gains[key] = sources[source]
                stack.extend(parents[key])
    return gains


def cycle(reachable: Reachable, finite: TopologicalOrder) -> str:
    """A position that can recur, in words; there is one, as not all nodes are `finite`."""
    key, seen = next(key for key in reachable if key not in finite), set[Key]()
    while key not in seen:
        seen.add(key)
        key = next(child for child in reachable[key].children if child not in finite)
    return f"{line(reachable, key)}, {key[0]!r} can recur"


def _parents(reachable: Reachable) -> dict[Key, list[Key]]:
    parents: dict[Key, list[Key]] = {key: [] for key in reachable}
    for key, node in reachable.items():
        for child in dict.fromkeys(node.children):
            parents[child].append(key)
    return parents


def _ordered(before: Mapping[Key, Sequence[Key]], after: Mapping[Key, Sequence[Key]]) -> TopologicalOrder:
    """The keys, each after all those `before` it; keys that a cycle keeps waiting are left out."""
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
