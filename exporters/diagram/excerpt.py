"""The part of a plan that a picture shows: all of it, down to a depth, or what follows certain replies."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, islice

import networkx as nx

from exporters import palette
from solver.errors import NotLegible, UsageError
from solver.plans.plan import PlanGraph

Edges = list[tuple[str, str]]

MOST_POSITIONS = 600
"""With more boards than this nobody finds a way through the arrows, however large the sheet."""

MOST_MOVES = 1000
"""More arrows than this are a tangle, and soon one that Graphviz needs minutes for."""


@dataclass(frozen=True)
class Excerpt:
    """Positions and moves of an unfolded plan that are to be drawn."""

    plies: list[list[str]]
    """The positions by their distance from the root."""
    moves: Edges
    """The moves, each from one position to another."""
    cut: frozenset[str]
    """The positions from which play goes on undrawn."""
    left_out: Mapping[str, int]
    """How many replies are not drawn where one is followed."""

    @property
    def positions(self) -> list[str]:
        """All positions, the root first."""
        return list(chain.from_iterable(self.plies))


def excerpt(graph: PlanGraph, depth: int | None = None, follow: str | None = None) -> Excerpt:
    """What is to be drawn of the `graph` that a plan unfolds to.

    With `follow`, which names replies with blanks between them, only these are drawn where the other player
    is to move, one after the other, and after the last all again. With `depth` the picture is cut so many
    plies below the root. Raises `UsageError` where a reply is not possible, and `NotLegible`, with what would
    be legible instead, where there is too much to draw.
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
    cut = frozenset(node for node in deepest if graph.nodes[node]["kind"] != "end")
    shown = [node for ply in plies for node in ply if node not in cut]
    others = {node: left_out[node] for node in shown if left_out.get(node) and node not in below}
    return Excerpt(plies, list(kept.edges(shown)), cut, others)


def _followed(graph: PlanGraph, root: str, follow: str) -> tuple[Edges, dict[str, int]]:
    """The line of play with these replies, and how many others there are where each of them is made."""
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
    """The reply with which `rest` begins, and where it leads; of several the one with the longest name."""
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
    """Raise `NotLegible`, with what would be legible instead, where there is too much to draw."""
    sizes = _sizes(graph, root)
    positions, moves = sizes[-1 if depth is None else min(depth, len(sizes) - 1)]
    if positions <= MOST_POSITIONS and moves <= MOST_MOVES:
        return
    refusal = f"a picture of {positions:,} positions and {moves:,} moves cannot be read"
    legible = [ply for ply, (p, m) in enumerate(sizes) if p <= MOST_POSITIONS and m <= MOST_MOVES]
    cut = f"--depth {legible[-1]}, " if legible[-1] else ""
    raise NotLegible(f"{refusal}: use {cut}--follow MOVE, a later position, or --format json")


def _sizes(graph: PlanGraph, root: str) -> list[tuple[int, int]]:
    """How many positions and moves there are in a picture cut at 0, 1, 2, ... plies."""
    sizes, positions, moves = [], 0, 0
    for layer in nx.bfs_layers(graph, root):
        positions += len(layer)
        sizes.append((positions, moves))
        moves += sum(graph.out_degree(position) for position in layer)
    # Play that returns to an earlier position is in the whole picture only.
    return [*sizes, (positions, moves)]
