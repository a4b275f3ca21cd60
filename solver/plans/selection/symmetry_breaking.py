"""AndOrGraph that are the same by symmetry: of plans that are images of each other, one is enough to look at.

Of a node and its images under the symmetries that keep the root, a plan that has any has, turned around, the
node itself. The same again with the symmetries that keep that node, and so on, makes inequalities that some
smallest plan fulfils (D. Salvagnin, "Symmetry breaking inequalities from the Schreier-Sims table", CPAIOR
2018).
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from solver.game import AnyGame
from solver.plans.selection.and_or_graph import AndOrGraph
from solver.rules.asking import symmetries_of
from solver.rules.notation import read_position, write_position

Automorphism: TypeAlias = Sequence[int]
"""The image of each node."""


def automorphisms(game: AnyGame, graph: AndOrGraph) -> list[Automorphism]:
    """The symmetries of the game that map the graph onto itself, the root onto the root; each is checked."""
    number = {position: node for node, position in enumerate(graph.positions)}
    states = [read_position(game, position) for position in graph.positions]
    found: list[Automorphism] = []
    for symmetry in symmetries_of(game):
        texts = [write_position(game, symmetry.state(state)) for state in states]
        images = [number.get(text, -1) for text in texts]
        if _is_automorphism(graph, images) and images != list(range(len(graph))):
            found.append(images)
    return found


def _is_automorphism(graph: AndOrGraph, images: Automorphism) -> bool:
    """Whether the image of the graph is the graph."""
    if images[0] != 0 or len(set(images)) < len(graph) or -1 in images:
        return False
    return all(
        graph.owned[node] == graph.owned[image]
        and {images[edge.to] for edge in edges} == {edge.to for edge in graph.edges[image]}
        and bool(edges or graph.values[node] == graph.values[image])
        for node, (edges, image) in enumerate(zip(graph.edges, images, strict=True))
    )


def implications(group: list[Automorphism], graph: AndOrGraph) -> Iterator[tuple[int, int]]:
    """Pairs of a node and another that some smallest plan has only if it has the first."""
    every = set(_forced_nodes(graph))
    for node in range(len(graph)):
        if node not in every and (
            images := dict.fromkeys(image[node] for image in group if image[node] != node)
        ):
            yield from ((node, image) for image in images)
            group = [image for image in group if image[node] == node]


def distinct_edges(group: list[Automorphism], graph: AndOrGraph, node: int) -> list[int]:
    """The numbers of the ways in a `node` that the `group` keeps, of such as are symmetric only the first."""
    kept: list[int] = []
    for number, edge in enumerate(graph.edges[node]):
        earlier = {graph.edges[node][other].to for other in kept}
        if not any(image[edge.to] in earlier for image in group):
            kept.append(number)
    return kept


def _forced_nodes(graph: AndOrGraph) -> list[int]:
    """The nodes that every plan has."""
    order, known = [0], {0}
    for node in order:
        for edge in () if graph.has_choice(node) else graph.edges[node]:
            if edge.to not in known:
                known.add(edge.to)
                order.append(edge.to)
    return order
