"""The smallest merged plan, in which each position counts once: search, then proof, by an exact solver.

Each move at the root is a branch; of symmetric moves, only the first. All branches are searched for small
plans; then the solver proves for each branch that no plan is smaller than the best one. Separate proofs take
a small fraction of the time of a single proof. The work is divided in fixed shares.

Symmetry breaking: of plans that are images of each other, the solver considers one. If a plan contains an
image of a node under the stabilizer of the root, an image of the plan contains the node itself. Repeating
this along the stabilizer chain gives inequalities that at least one smallest plan satisfies.

Source: D. Salvagnin, "Symmetry breaking inequalities from the Schreier-Sims table", CPAIOR 2018.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from solver.game import AnyGame
from solver.plans.selection.and_or_graph import AndOrGraph, Edge, breadth_first
from solver.plans.selection.cp_sat import solve_model
from solver.plans.selection.small import Components, components, small_merged, smallest_trees
from solver.rules.asking import symmetries_of
from solver.rules.notation import read_position, write_position

SEARCH_SHARE = 0.3
"""The share of the work for the search; what it does not use is left for the proof."""


def smallest_merged(
    game: AnyGame, graph: AndOrGraph, *, must_end: bool, work: float
) -> tuple[AndOrGraph, int]:
    """The smallest plan found within `work`, and a lower bound on the number of nodes of every plan.

    With `must_end`, plans with cycles are excluded. Raises `MissingExtra` without OR-Tools.
    """
    best, branches = small_merged(graph, must_end=must_end), _branches(game, graph, must_end)
    left = 0.0
    for part, look in ((SEARCH_SHARE, _search), (1 - SEARCH_SHARE, _prove)):
        left += part * work
        still_open = [branch for branch in branches if branch.lower_bound < len(best)]
        for number, branch in enumerate(still_open):
            plan, spent = look(game, branch, len(best), left / (len(still_open) - number))
            best = min(best, plan or best, key=len)
            left = max(0.0, left - spent)
    return best, min(len(best), *(branch.lower_bound for branch in branches))


@dataclass
class _Branch:
    """The graph of one move at the root, and the best lower bound proved for its plans."""

    graph: AndOrGraph
    must_end: bool
    cycles: Components = field(init=False)
    lower_bound: int = 1

    def __post_init__(self) -> None:
        self.cycles = components(self.graph) if self.must_end else (None,) * len(self.graph)


def _branches(game: AnyGame, graph: AndOrGraph, must_end: bool) -> list[_Branch]:
    """A branch for each class of symmetric moves at the root, or for the graph if the root has no choice."""
    if not graph.has_choice(0):
        return [_Branch(graph, must_end)]
    group, distinct = automorphisms(game, graph), dict[int, Edge]()
    for edge in graph.edges[0]:
        if not any(image[edge.to] in distinct for image in group):
            distinct[edge.to] = edge
    parts = [graph.restricted([(edge,), *graph.edges[1:]]) for edge in distinct.values()]
    return [_Branch(part, must_end) for part in parts if not must_end or 0 in smallest_trees(part)]


def _search(game: AnyGame, branch: _Branch, best: int, work: float) -> tuple[AndOrGraph, float]:
    start = small_merged(branch.graph, must_end=branch.must_end)
    number = {position: node for node, position in enumerate(branch.graph.positions)}
    nodes = [number[position] for position in start.positions]
    plan, spent = _solve(branch, work, start=nodes)
    return min(start, plan or start, key=len), spent


def _prove(game: AnyGame, branch: _Branch, best: int, work: float) -> tuple[AndOrGraph | None, float]:
    pairs = tuple(implications(automorphisms(game, branch.graph), branch.graph))
    return _solve(branch, work, upper_bound=best - 1, implications=pairs)


def _solve(branch: _Branch, work: float, **limits: Any) -> tuple[AndOrGraph | None, float]:
    """The plan found, if any, and the work spent; increases the lower bound of `branch`."""
    choice, lower_bound, spent = solve_model(branch.graph, branch.cycles, work, **limits)
    branch.lower_bound = max(branch.lower_bound, lower_bound)
    return None if choice is None else branch.graph.chosen(choice), spent


Automorphism: TypeAlias = Sequence[int]
"""The image of each node, by number."""


def automorphisms(game: AnyGame, graph: AndOrGraph) -> list[Automorphism]:
    """The symmetries of the game, except the identity, that map the graph and the root onto themselves."""
    number = {position: node for node, position in enumerate(graph.positions)}
    states = [read_position(game, position) for position in graph.positions]
    group: list[Automorphism] = []
    for symmetry in symmetries_of(game):
        texts = [write_position(game, symmetry.state(state)) for state in states]
        images = [number.get(text, -1) for text in texts]
        if _is_automorphism(graph, images) and images != list(range(len(graph))):
            group.append(images)
    return group


def _is_automorphism(graph: AndOrGraph, images: Automorphism) -> bool:
    if images[0] != 0 or len(set(images)) < len(graph) or -1 in images:
        return False
    return all(
        graph.owned[node] == graph.owned[image]
        and {images[edge.to] for edge in edges} == {edge.to for edge in graph.edges[image]}
        and bool(edges or graph.values[node] == graph.values[image])
        for node, (edges, image) in enumerate(zip(graph.edges, images, strict=True))
    )


def implications(group: list[Automorphism], graph: AndOrGraph) -> Iterator[tuple[int, int]]:
    """Yield pairs (node, image): at least one smallest plan never contains the image without the node."""
    forced = breadth_first(  # every plan contains these nodes
        lambda node: () if graph.has_choice(node) else [edge.to for edge in graph.edges[node]]
    )
    for node in sorted({*range(len(graph))} - {*forced}):
        if images := dict.fromkeys(image[node] for image in group if image[node] != node):
            yield from ((node, image) for image in images)
            group = [image for image in group if image[node] == node]
