"""The part of a plan that a picture shows, ply by ply: all, down to a depth, or after given replies."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import networkx as nx

from exporters import palette
from solver.errors import NotLegible, UsageError
from solver.plans.plan import PlanGraph
from solver.system.words import number_of

Drawn = tuple[list[list["PlyPosition"]], list[tuple["PlyPosition", "PlyPosition"]]]
"""The boards of each ply, and the moves between them."""

MAX_POSITIONS = 600
"""The most positions of a legible picture."""

MAX_MOVES = 1000
"""The most moves of a legible picture; with more, Graphviz soon needs minutes."""

MAX_COPIES = 3
"""The most boards per position, on average, for drawing positions in every ply that reaches them."""


class PlyPosition(NamedTuple):
    """A board: a position in a ply of the picture."""

    ply: int
    """The number of moves from the root."""
    position: str


@dataclass(frozen=True)
class Excerpt:
    """The positions and moves of an unfolded plan that are drawn.

    A position is drawn in each ply in which play reaches it. A position to which play can return is drawn
    once, in the first such ply; if there would be far more boards than positions, all non-terminal ones are.
    """

    plies: list[list[PlyPosition]]
    """The boards of each ply, from the root on."""
    moves: list[tuple[PlyPosition, PlyPosition]]
    """The moves between boards: to the next ply, to the same one or to an earlier one."""
    cut: frozenset[PlyPosition]
    """The boards at the depth limit, whose moves are not drawn."""
    left_out: Mapping[PlyPosition, int]
    """The number of replies that are not drawn, by board, where one reply is followed."""

    @property
    def places(self) -> list[PlyPosition]:
        """All boards, the root first."""
        return list(chain.from_iterable(self.plies))

    @property
    def positions(self) -> list[str]:
        """All positions, the root first."""
        return list(dict.fromkeys(place.position for place in self.places))


def excerpt(graph: PlanGraph, depth: int | None = None, follow: str | None = None) -> Excerpt:
    """The part of the unfolded plan `graph` to draw.

    `follow` names successive replies, separated by blanks: only these are drawn, and after the last of them
    all replies. The picture is cut `depth` plies below the root. Raises `UsageError` for an illegal reply,
    and `NotLegible`, with advice, if there is too much to draw.
    """
    root = next(iter(graph))
    line = _followed(graph, root, (follow or "").strip())
    last = line[-1][1] if line else root
    below = {last, *nx.descendants(graph, last)}
    part: PlanGraph = nx.DiGraph()
    part.add_node(root)
    part.add_edges_from(line)
    part.add_edges_from(graph.edges(node for node in graph if node in below))
    _refuse_illegible(part, depth)
    plies, moves = _ply_by_ply(part, root, depth)
    places = [*chain.from_iterable(plies)]
    leaves = (place for place in places if _is_leaf(part, place, depth))
    cut = frozenset(place for place in leaves if graph.nodes[place.position]["kind"] != "end")
    edges = (edge for edge in graph.edges(data="moves") if not part.has_edge(*edge[:2]))
    others = Counter(node for node, _, names in edges for _ in names)
    left_out = {at: others[at.position] for at in places if at not in cut and others[at.position]}
    return Excerpt(plies, moves, cut, left_out)


def _ply_by_ply(graph: PlanGraph, root: str, depth: int | None) -> Drawn:
    cycles = (component for component in nx.strongly_connected_components(graph) if len(component) > 1)
    recurring = {*chain.from_iterable(cycles), *nx.nodes_with_selfloops(graph)}
    inner = {node for node in graph if graph.out_degree(node)}
    few = _unrolled(graph, root, depth, recurring, MAX_COPIES * len(graph))
    drawn = few or _unrolled(graph, root, depth, inner)
    assert drawn is not None
    return drawn


def _unrolled(
    graph: PlanGraph, root: str, depth: int | None, once: Collection[str], most: int | None = None
) -> Drawn | None:
    """The boards and moves if the positions in `once` are drawn once; None for more than `most` boards."""
    first, moves, boards = {root: PlyPosition(0, root)}, list[tuple[PlyPosition, PlyPosition]](), 1
    plies = [[first[root]]]
    while True:
        ply = len(plies)
        below: dict[PlyPosition, None] = {}
        for place in plies[-1]:
            if _is_leaf(graph, place, depth):
                continue
            for child in graph.successors(place.position):
                here = PlyPosition(ply, child)
                after = first.setdefault(child, here) if child in once else here
                moves.append((place, after))
                below |= {after: None} if after == here else {}
        boards += len(below)
        if most is not None and (boards > most or len(moves) > MAX_MOVES):
            return None
        if not below:
            return plies, moves
        plies.append(list(below))


def _is_leaf(graph: PlanGraph, place: PlyPosition, depth: int | None) -> bool:
    return place.ply == depth or not graph.out_degree(place.position)


def legible_depth(graph: PlanGraph, most: int) -> int | None:
    """The greatest depth at which a picture has at most `most` positions; None if the whole plan has."""
    sizes = _sizes(graph)
    if sizes[-1][0] <= most:
        return None
    return max((depth for depth, (positions, _) in enumerate(sizes[:-1]) if positions <= most), default=0)


def _followed(graph: PlanGraph, root: str, follow: str) -> list[tuple[str, str]]:
    """The line of play with the replies `follow`."""
    line, met = list[tuple[str, str]](), set[str]()
    node, rest = root, follow
    while rest:
        if not graph.out_degree(node) or node in met:
            raise UsageError(f"there is no reply left for {rest!r}: omit it")
        if graph.nodes[node]["kind"] == "and":
            name, child = _reply(graph, node, rest)
            rest, met = rest[len(name) :].strip(), set()
        else:
            (child,) = graph.successors(node)
            met.add(node)
        line.append((node, child))
        node = child
    return line


def _reply(graph: PlanGraph, node: str, rest: str) -> tuple[str, str]:
    """The reply with the longest name that `rest` begins with, and the position after it."""
    replies = {
        str(name): child for child in graph.successors(node) for name in graph.edges[node, child]["moves"]
    }
    named = [name for name in replies if f"{rest} ".startswith(f"{name} ")]
    if not named:
        legal = palette.plain(", ".join(replies))
        hint = "; blanks separate replies" if "," in rest else ""
        raise UsageError(f"no reply in {node!r} is called {rest!r}: there are {legal}{hint}")
    name = max(named, key=len)
    return name, replies[name]


def _refuse_illegible(graph: PlanGraph, depth: int | None) -> None:
    sizes = _sizes(graph)
    positions, moves = sizes[-1 if depth is None else min(depth, len(sizes) - 1)]
    if positions <= MAX_POSITIONS and moves <= MAX_MOVES:
        return
    refusal = f"a picture of {number_of(positions, 'position')} and {number_of(moves, 'move')} cannot be read"
    legible = [ply for ply, (p, m) in enumerate(sizes) if p <= MAX_POSITIONS and m <= MAX_MOVES]
    cut = f"--depth {legible[-1]}, " if legible[-1] else ""
    raise NotLegible(f"{refusal}: use {cut}--follow MOVE, a later position, or --format json")


def _sizes(graph: PlanGraph) -> list[tuple[int, int]]:
    """The numbers of positions and moves in a picture cut at 0, 1, 2, ... plies."""
    sizes, positions, moves = [], 0, 0
    for layer in nx.bfs_layers(graph, next(iter(graph))):
        positions += len(layer)
        sizes.append((positions, moves))
        moves += sum(graph.out_degree(position) for position in layer)
    # Moves back to earlier positions are only in the whole picture.
    return [*sizes, (positions, moves)]
