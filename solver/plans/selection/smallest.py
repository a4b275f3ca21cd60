"""The smallest merged plan, in which each position counts once: search, then proof, by an exact solver.

Each move at the root is a branch; of symmetric moves, only the first. All branches are searched for small
plans; then the solver proves for each branch that no plan is smaller than the best one. Separate proofs take
a small fraction of the time of a single proof. The work is divided in fixed shares.

The solver is CP-SAT of OR-Tools. A Boolean variable per node says whether the plan contains the node. An AND
node in the plan implies all its children, an OR node at least one. The number of nodes is minimized. If the
plan must be finite, nodes on cycles also have integer ranks, which decrease along the edges of the plan. The
limit is on deterministic work instead of time, the searches are interleaved, and the seed is fixed, so that
the result does not depend on the machine.

Symmetry breaking: of plans that are images of each other, the solver considers one. If a plan contains an
image of a node under the stabilizer of the root, an image of the plan contains the node itself. Repeating
this along the stabilizer chain gives inequalities that at least one smallest plan satisfies.

Source: D. Salvagnin, "Symmetry breaking inequalities from the Schreier-Sims table", CPAIOR 2018.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any, TypeAlias

from solver.errors import MissingExtra
from solver.game import AnyGame
from solver.plans.selection.and_or_graph import AndOrGraph, Edge, breadth_first
from solver.plans.selection.small import Components, components, small_merged, smallest_trees
from solver.rules.asking import symmetries_of
from solver.rules.notation import read_position, write_position
from solver.system.plugins import how_to_install

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar
    from ortools.sat.python.cp_model_helper import SatParameters

SEARCH_SHARE = 0.3
"""The share of the work for the search; what it does not use is left for the proof."""

SEARCH_WORKERS = 4
"""The number of interleaved searches, of different kinds, for small plans."""

PROOF_SUBSOLVERS = ("reduced_costs", "max_lp")
"""The searches that raised the lower bound most in experiments: they branch on the linear relaxation."""

MIN_WORK = 0.1
"""The least work for one call."""


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


class _Branch:
    """The graph of one move at the root, and the best lower bound proved for its plans."""

    def __init__(self, graph: AndOrGraph, must_end: bool) -> None:
        self.graph, self.must_end, self.lower_bound = graph, must_end, 1
        self.cycles = components(graph) if must_end else (None,) * len(graph)


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


def _solve(
    branch: _Branch,
    work: float,
    *,
    start: Sequence[int] = (),
    upper_bound: int | None = None,
    implications: Sequence[tuple[int, int]] = (),
) -> tuple[AndOrGraph | None, float]:
    """The smallest plan found, if any, and the work spent; increases the lower bound of `branch`.

    `start` has the nodes of a known plan, as a hint. With an `upper_bound` on the nodes of the plan, the
    solver proves rather than searches. For a pair (node, other) in `implications`, the plan may contain
    `other` only if it contains `node`.
    """
    cp_model, graph = _library(), branch.graph
    model = cp_model.CpModel()
    used = [model.new_bool_var("") for _ in graph.positions]
    model.add_bool_or(used[0])
    taken = _add_moves(model, graph, branch.cycles, used)
    for node in start:
        model.add_hint(used[node], True)
    for node, other in implications:
        model.add_implication(used[other], used[node])
    if upper_bound is not None:
        model.add(sum(used) <= upper_bound)
    model.minimize(sum(used))
    solver: CpSolver = cp_model.CpSolver()
    _set_parameters(solver.parameters, work, proves=upper_bound is not None)
    status, plan = solver.solve(model), None
    if status == cp_model.INFEASIBLE:
        bound = (upper_bound or 0) + 1
    else:
        bound = ceil(solver.best_objective_bound - 1e-6)
        if status != cp_model.UNKNOWN:  # the first edge that is taken; 0 at nodes that take none
            is_taken = solver.boolean_value
            choice = [next((n for n, edge in enumerate(edges) if is_taken(edge)), 0) for edges in taken]
            plan = graph.chosen(choice)
    branch.lower_bound = max(branch.lower_bound, bound)
    return plan, solver.deterministic_time


def _add_moves(
    model: "CpModel", graph: AndOrGraph, cycles: Components, used: "Sequence[IntVar]"
) -> "list[list[IntVar]]":
    """Add the constraints of all nodes; return, for each node, a literal per edge: whether it is taken."""
    sizes = Counter(cycles)
    ranks = [model.new_int_var(0, 0 if cycle is None else sizes[cycle], "") for cycle in cycles]
    taken = []
    for node, edges in enumerate(graph.edges):
        literals = [used[edge.to] if graph.owned[node] else used[node] for edge in edges]
        for number, edge in enumerate(edges):
            if cycles[node] is not None and cycles[node] == cycles[edge.to]:
                if graph.owned[node]:
                    literals[number] = model.new_bool_var("")
                    model.add_implication(literals[number], used[edge.to])
                model.add(ranks[node] > ranks[edge.to]).only_enforce_if(literals[number])
            if not graph.owned[node]:
                model.add_implication(used[node], used[edge.to])
        if graph.owned[node]:
            model.add_bool_or(~used[node], *literals)
        taken.append(literals)
    return taken


def _set_parameters(parameters: "SatParameters", work: float, *, proves: bool) -> None:
    parameters.max_deterministic_time = max(work, MIN_WORK)
    parameters.random_seed = 1
    parameters.interleave_search = True
    parameters.linearization_level = 2
    parameters.num_workers = SEARCH_WORKERS
    if proves:
        parameters.num_workers = len(PROOF_SUBSOLVERS)
        parameters.subsolvers.extend(PROOF_SUBSOLVERS)


def _library() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise MissingExtra(
            f"the smallest merged plan needs OR-Tools: install it with {how_to_install('small')}, "
            "or omit --smallest"
        ) from error
    return cp_model
