"""Symmetry breaking: of plans that are images of each other, the solver looks at one.

If a plan contains an image of a node under the stabilizer of the root, its mirror image contains the node
itself. Repeating this along the stabilizer chain gives inequalities that at least one smallest plan
satisfies.

Source: D. Salvagnin, "Symmetry breaking inequalities from the Schreier-Sims table", CPAIOR 2018.
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
    """Return the symmetries of the game that map graph and root onto themselves; each is checked."""
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
    """Return whether `images` maps the graph onto itself and keeps the root."""
    if images[0] != 0 or len(set(images)) < len(graph) or -1 in images:
        return False
    return all(
        graph.owned[node] == graph.owned[image]
        and {images[edge.to] for edge in edges} == {edge.to for edge in graph.edges[image]}
        and bool(edges or graph.values[node] == graph.values[image])
        for node, (edges, image) in enumerate(zip(graph.edges, images, strict=True))
    )


def implications(group: list[Automorphism], graph: AndOrGraph) -> Iterator[tuple[int, int]]:
    """Yield pairs (node, other): at least one smallest plan never contains `other` without its `node`."""
    every = set(_forced_nodes(graph))
    for node in range(len(graph)):
        if node not in every and (
            images := dict.fromkeys(image[node] for image in group if image[node] != node)
        ):
            yield from ((node, image) for image in images)
            group = [image for image in group if image[node] == node]


def distinct_edges(group: list[Automorphism], graph: AndOrGraph, node: int) -> list[int]:
    """Return the edges of a `node` that the `group` fixes, by number; of symmetric edges only the first."""
    kept: list[int] = []
    for number, edge in enumerate(graph.edges[node]):
        earlier = {graph.edges[node][other].to for other in kept}
        if not any(image[edge.to] in earlier for image in group):
            kept.append(number)
    return kept


def _forced_nodes(graph: AndOrGraph) -> list[int]:
    """Return the nodes that every plan contains."""
    order, known = [0], {0}
    for node in order:
        for edge in () if graph.has_choice(node) else graph.edges[node]:
            if edge.to not in known:
                known.add(edge.to)
                order.append(edge.to)
    return order
