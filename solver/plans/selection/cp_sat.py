"""A smallest merged plan as a question to CP-SAT, the exact solver of OR-Tools, and its answer.

Each node has a variable that says whether the plan has it. If it does, it has every reply, or one of the
owner's moves. The number of nodes is to be least. Where the plan has to come to an end and play could go
round, nodes have ranks as well, which fall along the moves of the plan.

The solver's work is counted, not clocked, its searches take turns, and its seed is fixed: what comes out does
not depend on the machine.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from solver.errors import MissingExtra
from solver.plans.selection.and_or_graph import AndOrGraph
from solver.plans.selection.cycles import Components

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar
    from ortools.sat.python.cp_model_helper import SatParameters

SEARCH_WORKERS = 4
"""How many searches of different kinds take turns in finding small plans."""

PROOF_SUBSOLVERS = ("reduced_costs", "max_lp")
"""The searches that proved most in trials: branches by the linear relaxation, where it leaves things open."""

MIN_WORK = 0.1
"""Less than this is not enough to begin with."""


@dataclass(frozen=True)
class PlanProblem:
    """What is asked about a graph."""

    graph: AndOrGraph
    """The moves to choose from."""
    cycles: Components
    """Where play could go round and must not."""
    work: float
    """How much may be spent; about as many seconds."""
    start: Sequence[int] = ()
    """The nodes of a plan to begin with."""
    upper_bound: int | None = None
    """How many nodes the plan may have; the question is a proof then, rather than a search."""
    implications: Sequence[tuple[int, int]] = ()
    """Pairs of a node and another that the plan may have only if it has the first."""


@dataclass(frozen=True)
class PlanSolution:
    """What the solver found."""

    choice: list[int] | None
    """The number of the way in each node, if there is a plan at all."""
    lower_bound: int
    """No plan has fewer nodes."""
    work: float
    """How much was spent."""


def solve_model(problem: PlanProblem) -> PlanSolution:
    """The smallest plan that was found, if any, and what was proved; raises `MissingExtra`."""
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
    """Demand every reply and one of the owner's moves; for each node what says that a way is taken."""
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
    """How the solver is to work: with what limits, and as a search or as a proof."""
    parameters.max_deterministic_time = max(problem.work, MIN_WORK)
    parameters.random_seed = 1
    parameters.interleave_search = True
    parameters.linearization_level = 2
    parameters.num_workers = SEARCH_WORKERS
    if problem.upper_bound is not None:
        parameters.num_workers = len(PROOF_SUBSOLVERS)
        parameters.subsolvers.extend(PROOF_SUBSOLVERS)


def _first_taken(solver: "CpSolver", literals: "Sequence[IntVar]") -> int:
    """The number of the first way that is taken; 0 where none is, for then the node does not arise."""
    return next((number for number, literal in enumerate(literals) if solver.boolean_value(literal)), 0)


def _library() -> Any:
    """CP-SAT."""
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise MissingExtra(
            "the smallest merged plan takes OR-Tools, which is not installed: "
            'pip install "perfectplay[small]" brings it; or leave --smallest out'
        ) from error
    return cp_model
