"""The smallest merged plan as an optimization problem for CP-SAT, the exact solver of OR-Tools.

A Boolean variable per node says whether the plan contains the node. An AND node in the plan implies all its
children, an OR node at least one. The number of nodes is minimized. If the plan must be finite, nodes on
cycles also have integer ranks, which decrease along the edges of the plan.

The limit is on deterministic work instead of time, the searches are interleaved, and the seed is fixed, so
that the result does not depend on the machine.
"""

from collections import Counter
from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from solver.errors import MissingExtra
from solver.plans.selection.and_or_graph import AndOrGraph
from solver.plans.selection.small import Components
from solver.system.plugins import how_to_install

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar
    from ortools.sat.python.cp_model_helper import SatParameters

SEARCH_WORKERS = 4
"""The number of interleaved searches, of different kinds, for small plans."""

PROOF_SUBSOLVERS = ("reduced_costs", "max_lp")
"""The searches that raised the lower bound most in experiments: they branch on the linear relaxation."""

MIN_WORK = 0.1
"""The least work for one call."""


def solve_model(
    graph: AndOrGraph,
    cycles: Components,
    work: float,
    *,
    start: Sequence[int] = (),
    upper_bound: int | None = None,
    implications: Sequence[tuple[int, int]] = (),
) -> tuple[list[int] | None, int, float]:
    """The edge number that the smallest plan found takes at each node, a lower bound, and the work spent.

    The first is None if no plan was found; the bound, on the number of nodes of every plan, is proved. The
    plan must have no cycle in the components `cycles`. The limit on deterministic `work` is about as many
    seconds. `start` has the nodes of a known plan, as a hint. With an `upper_bound` on the nodes of the plan,
    the solver proves rather than searches. For a pair (node, other) in `implications`, the plan may contain
    `other` only if it contains `node`. Raises `MissingExtra` without OR-Tools.
    """
    cp_model = _library()
    model = cp_model.CpModel()
    used = [model.new_bool_var("") for _ in graph.positions]
    model.add_bool_or(used[0])
    taken = _add_moves(model, graph, cycles, used)
    for node in start:
        model.add_hint(used[node], True)
    for node, other in implications:
        model.add_implication(used[other], used[node])
    if upper_bound is not None:
        model.add(sum(used) <= upper_bound)
    model.minimize(sum(used))
    solver: CpSolver = cp_model.CpSolver()
    _set_parameters(solver.parameters, work, proves=upper_bound is not None)
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None, (upper_bound or 0) + 1, solver.deterministic_time
    choice = None
    if status != cp_model.UNKNOWN:  # the first edge that is taken; 0 at nodes that take none
        choice = [
            next((n for n, edge in enumerate(edges) if solver.boolean_value(edge)), 0) for edges in taken
        ]
    return choice, ceil(solver.best_objective_bound - 1e-6), solver.deterministic_time


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
