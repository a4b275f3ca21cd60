"""The part of a plan that a picture shows: all of it, down to a depth, or after certain replies."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, islice

import networkx as nx

from exporters import palette
from solver.errors import NotLegible, UsageError
from solver.plans.plan import PlanGraph

Edges = list[tuple[str, str]]

MOST_POSITIONS = 600
"""Positions of a legible picture."""

MOST_MOVES = 1000
"""Moves of a legible picture; Graphviz soon needs minutes for more."""


@dataclass(frozen=True)
class Excerpt:
    """The positions and moves of an unfolded plan that are drawn."""

    plies: list[list[str]]
    """The positions by their distance from the root."""
    moves: Edges
    """The moves, each from one position to another."""
    cut: frozenset[str]
    """The positions whose moves are not drawn because of the depth."""
    left_out: Mapping[str, int]
    """The number of replies not drawn, by position, where one is followed."""

    @property
    def positions(self) -> list[str]:
        """All positions, the root first."""
        return list(chain.from_iterable(self.plies))


def excerpt(graph: PlanGraph, depth: int | None = None, follow: str | None = None) -> Excerpt:
    """The part of the unfolded plan `graph` to draw.

    `follow` names replies, separated by blanks: only these are drawn, one after the other; after the last one
    all replies are drawn again. `depth` cuts the picture at so many plies below the root. Raises `UsageError`
    for a reply that is not legal, and `NotLegible`, with advice, if there is too much to draw.
    """
    root = next(iter(graph))
    line, left_out = _followed(graph, root, (follow or "").strip())
    last = line[-1][1] if line else root
    below = {last, *nx.descendants(graph, last)}
    kept: PlanGraph = nx.DiGraph()
    kept.add_node(root)
    kept.add_edges_from(line)
    kept.add_edges_from(graph.edges(node for node in graph if node in below))
    _refuse_illegible(kept, root, depth)
    plies = list(islice(nx.bfs_layers(kept, root), None if depth is None else depth + 1))
    deepest = plies[-1] if len(plies) - 1 == depth else []
    leaves = [*deepest, *(node for node in kept if not kept.out_degree(node))]
    cut = frozenset(node for node in leaves if graph.nodes[node]["kind"] != "end")
    shown = [node for ply in plies for node in ply if node not in cut]
    others = {node: left_out[node] for node in shown if left_out.get(node) and node not in below}
    return Excerpt(plies, list(kept.edges(shown)), cut, others)


def legible_depth(graph: PlanGraph, most: int) -> int | None:
    """The plies at which a picture of an unfolded plan has up to `most` positions; None if it has in all."""
    sizes = _sizes(graph, next(iter(graph)))
    if sizes[-1][0] <= most:
        return None
    return max((depth for depth, (positions, _) in enumerate(sizes[:-1]) if positions <= most), default=0)


def _followed(graph: PlanGraph, root: str, follow: str) -> tuple[Edges, dict[str, int]]:
    """The line of play with these replies, and the number of other replies by position."""
    line: Edges = []
    left_out: dict[str, int] = {}
    node, rest = root, follow
    met: set[str] = set()
    while rest:
        kind = graph.nodes[node]["kind"]
        if kind == "end" or node in met:
            raise UsageError(f"no reply follows to take for {rest!r}: leave that out")
        if kind == "and":
            name, child = _reply(graph, node, rest)
            left_out[node] = sum(len(graph.edges[edge]["moves"]) for edge in graph.out_edges(node))
            left_out[node] -= len(graph.edges[node, child]["moves"])
            rest, met = rest[len(name) :].strip(), set()
        else:
            (child,) = graph.successors(node)
            met.add(node)
        line.append((node, child))
        node = child
    return line, left_out


def _reply(graph: PlanGraph, node: str, rest: str) -> tuple[str, str]:
    """The reply with the longest name with which `rest` begins, and the position after it."""
    replies = {
        str(name): child for child in graph.successors(node) for name in graph.edges[node, child]["moves"]
    }
    named = [name for name in replies if f"{rest} ".startswith(f"{name} ")]
    if not named:
        legal = palette.plain(", ".join(replies))
        raise UsageError(f"no reply in {node!r} is called {rest!r}: there are {legal}")
    name = max(named, key=len)
    return name, replies[name]


def _refuse_illegible(graph: PlanGraph, root: str, depth: int | None) -> None:
    """Raise `NotLegible`, with advice, if there is too much to draw."""
    sizes = _sizes(graph, root)
    positions, moves = sizes[-1 if depth is None else min(depth, len(sizes) - 1)]
    if positions <= MOST_POSITIONS and moves <= MOST_MOVES:
        return
    refusal = f"a picture of {positions:,} positions and {moves:,} moves cannot be read"
    legible = [ply for ply, (p, m) in enumerate(sizes) if p <= MOST_POSITIONS and m <= MOST_MOVES]
    cut = f"--depth {legible[-1]}, " if legible[-1] else ""
    raise NotLegible(f"{refusal}: use {cut}--follow MOVE, a later position, or --format json")


def _sizes(graph: PlanGraph, root: str) -> list[tuple[int, int]]:
    """The numbers of positions and moves in a picture cut at 0, 1, 2, ... plies."""
    sizes, positions, moves = [], 0, 0
    for layer in nx.bfs_layers(graph, root):
        positions += len(layer)
        sizes.append((positions, moves))
        moves += sum(graph.out_degree(position) for position in layer)
    # Moves back to earlier positions are in the whole picture only.
    return [*sizes, (positions, moves)]
