"""Cuts a wide tree into strips, one below the other, as a long line of text is wrapped."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile

from solver.search.trace import TracedNode


@dataclass(frozen=True)
class Strip:
    """A part of a tree between two vertical cuts."""

    nodes: list[int]
    """The numbers of its nodes, parents before children."""
    again: list[int]
    """The numbers of the nodes of earlier strips that are repeated at its top, from the top down."""


def strips(nodes: Sequence[TracedNode], widths: Sequence[float], room: float) -> list[Strip]:
    """The strips of a tree, each about as wide as `room`, given the widths of the nodes.

    A subtree is cut if it is wider than a strip, or would leave half of one empty.
    """
    spans = list(widths)
    for number in reversed(range(len(nodes))):
        below = sum(spans[child] for child in nodes[number].children)
        spans[number] = max(widths[number], below)
    parts, used = [list[int]()], 0.0
    pending = [number for number, node in enumerate(nodes) if node.parent is None][::-1]
    while pending:
        number = pending.pop()
        whole = not nodes[number].children or (spans[number] <= room and used > room / 2)
        if used and used + (spans[number] if whole else widths[number]) > room:
            parts.append([])
            used = 0
        used += 0 if nodes[number].children else spans[number]
        parts[-1].append(number)
        pending += reversed(nodes[number].children)
    return [Strip(part, _again(nodes, part) if nth else []) for nth, part in enumerate(parts)]


def rows_at(depth: int, nodes: Sequence[TracedNode], widths: Sequence[float], room: float) -> int:
    """The number of rows, in all strips, of a tree cut at `depth`; the arguments are as in `strips`."""
    cut = [node if node.depth < depth else replace(node, children=()) for node in nodes]
    parts = strips(cut, widths, room)
    return sum(len({nodes[number].depth for number in (*part.again, *part.nodes)}) for part in parts)


def _again(nodes: Sequence[TracedNode], part: Sequence[int]) -> list[int]:
    """The ancestors of a strip's first node, from the topmost one that is a parent of a node in the strip."""
    parents = {nodes[number].parent for number in part}
    return list(dropwhile(lambda number: number not in parents, path_to(part[0], nodes)[:-1]))


def path_to(number: int | None, nodes: Sequence[TracedNode]) -> list[int]:
    """The numbers of the nodes from a root to a node."""
    path = list[int]()
    while number is not None:
        path.append(number)
        number = nodes[number].parent
    return path[::-1]
