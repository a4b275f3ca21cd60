"""The smallest merged plan as an optimization problem for CP-SAT, the exact solver of OR-Tools.

A Boolean variable per node says whether the plan contains the node. An AND node in the plan implies all of
its children, an OR node at least one. The number of nodes is minimized. If the plan must come to an end,
nodes on cycles also have integer ranks, which fall along the edges of the plan.

The limit is on deterministic work instead of time, the searches are interleaved, and the seed is fixed, so
the result does not depend on the machine.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from solver.errors import MissingExtra
from solver.plans.selection.and_or_graph import AndOrGraph
from solver.plans.selection.smallest_tree import Components
from solver.system.plugins import how_to_install

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar
    from ortools.sat.python.cp_model_helper import SatParameters

SEARCH_WORKERS = 4
"""Interleaved searches of different kinds that look for small plans."""

PROOF_SUBSOLVERS = ("reduced_costs", "max_lp")
"""Searches that raise the lower bound most, by trial: they branch on the linear relaxation."""

MIN_WORK = 0.1
"""The least work that one call gets."""


@dataclass(frozen=True)
class PlanProblem:
    """The problem: a graph, and limits on the plan and on the work."""

    graph: AndOrGraph
    """The moves to choose from."""
    cycles: Components
    """The components in which the plan must not have a cycle."""
    work: float
    """The limit on deterministic work, about as many seconds."""
    start: Sequence[int] = ()
    """The nodes of a known plan, given as a hint."""
    upper_bound: int | None = None
    """The most nodes that the plan may have; if given, the solver proves rather than searches."""
    implications: Sequence[tuple[int, int]] = ()
    """Pairs (node, other): the plan may contain `other` only if it contains `node`."""


@dataclass(frozen=True)
class PlanSolution:
    """A plan, if one was found, and a lower bound."""

    choice: list[int] | None
    """The number of the chosen edge of each node; None if no plan was found."""
    lower_bound: int
    """A proved lower bound on the number of nodes."""
    work: float
    """The deterministic work spent."""


def solve_model(problem: PlanProblem) -> PlanSolution:
    """The smallest plan found, if any, and the bound; raises `MissingExtra` without OR-Tools."""
    cp_model = _library()
    model = cp_model.CpModel()
    used = [model.new_bool_var("") for _ in problem.graph.positions]
    model.add_bool_or(used[0])
    taken = _add_moves(model, problem, used)
    for node in problem.start:
        model.add_hint(used[node], True)
    for node, other in problem.implications:
        model.add_implication(used[other], used[node])
    if problem.upper_bound is not None:
        model.add(sum(used) <= problem.upper_bound)
    model.minimize(sum(used))
    solver: CpSolver = cp_model.CpSolver()
    _set_parameters(solver.parameters, problem)
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return PlanSolution(None, (problem.upper_bound or 0) + 1, solver.deterministic_time)
    choice = None
    if status != cp_model.UNKNOWN:
        choice = [_first_taken(solver, literals) for literals in taken]
    return PlanSolution(choice, ceil(solver.best_objective_bound - 1e-6), solver.deterministic_time)


def _add_moves(model: "CpModel", problem: PlanProblem, used: "Sequence[IntVar]") -> "list[list[IntVar]]":
    """Add the constraints of AND and OR nodes; return for each node a literal per edge: the edge is taken."""
    graph, cycles = problem.graph, problem.cycles
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


def _set_parameters(parameters: "SatParameters", problem: PlanProblem) -> None:
    """Set the solver's limits, and its strategy for a search or for a proof."""
    parameters.max_deterministic_time = max(problem.work, MIN_WORK)
    parameters.random_seed = 1
    parameters.interleave_search = True
    parameters.linearization_level = 2
    parameters.num_workers = SEARCH_WORKERS
    if problem.upper_bound is not None:
        parameters.num_workers = len(PROOF_SUBSOLVERS)
        parameters.subsolvers.extend(PROOF_SUBSOLVERS)


def _first_taken(solver: "CpSolver", literals: "Sequence[IntVar]") -> int:
    """The number of the first edge that is taken; 0 if none is, as the node is not in the plan."""
    return next((number for number, literal in enumerate(literals) if solver.boolean_value(literal)), 0)


def _library() -> Any:
    """The module of CP-SAT."""
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise MissingExtra(
            "the smallest merged plan takes OR-Tools, which is not installed: "
            f"{how_to_install('small')} brings it; or leave --smallest out"
        ) from error
    return cp_model
