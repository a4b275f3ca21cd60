"""The smallest merged plan, in which each position counts once: by search and proof with an exact solver.

Each move in the root is looked at apart, of symmetric ones only the first: small plans are searched for, then
it is proved that none is smaller than the smallest that was found. Apart these proofs take a small fraction
of the time. The work is shared out in fixed portions.
"""

from dataclasses import dataclass, field

from solver.game import AnyGame
from solver.plans.selection.and_or_graph import AndOrGraph
from solver.plans.selection.cp_sat import Question, ask
from solver.plans.selection.cycles import Components, components, forward
from solver.plans.selection.local_search import small_choice
from solver.plans.selection.smallest_tree import smallest_trees
from solver.plans.selection.symmetry_breaking import automorphisms, distinct_ways, preferred

SEARCHING = 0.3
"""The part of the work that may go into the search; what it leaves goes into the proof."""


def small_merged(graph: AndOrGraph, *, ends: bool) -> AndOrGraph:
    """A small plan, found fast; `ends` is whether it has to come to an end."""
    forwards = forward(graph) if ends else graph
    return forwards.chosen(small_choice(forwards))


def smallest_merged(game: AnyGame, graph: AndOrGraph, *, ends: bool, work: float) -> tuple[AndOrGraph, int]:
    """The smallest plan that `work` suffices to find, and how many nodes every plan has at least.

    `ends` is whether it has to come to an end. Raises `MissingExtra`.
    """
    best, branches = small_merged(graph, ends=ends), _branches(game, graph, ends)
    left = 0.0
    for part, look in ((SEARCHING, _search), (1 - SEARCHING, _prove)):
        left += part * work
        still_open = [branch for branch in branches if branch.at_least < len(best)]
        for number, branch in enumerate(still_open):
            found, spent = look(game, branch, len(best), left / (len(still_open) - number))
            best = min(best, found or best, key=len)
            left = max(0.0, left - spent)
    return best, min(len(best), *(branch.at_least for branch in branches))


@dataclass
class _Branch:
    """A move in the root with all that may follow it."""

    graph: AndOrGraph
    ends: bool
    circles: Components = field(init=False)
    at_least: int = 1

    def __post_init__(self) -> None:
        self.circles = components(self.graph) if self.ends else (None,) * len(self.graph)


def _branches(game: AnyGame, graph: AndOrGraph, ends: bool) -> list[_Branch]:
    """The graph for each of the owner's moves in the root, or the whole where the other is to move."""
    if not graph.open(0):
        return [_Branch(graph, ends)]
    first = distinct_ways(automorphisms(game, graph), graph, 0)
    parts = [graph.restricted([(graph.ways[0][number],), *graph.ways[1:]]) for number in first]
    return [_Branch(part, ends) for part in parts if not ends or 0 in smallest_trees(part)]


def _search(game: AnyGame, branch: _Branch, best: int, work: float) -> tuple[AndOrGraph, float]:
    """A small plan in `branch`, and the work that it took."""
    start = small_merged(branch.graph, ends=branch.ends)
    number = {position: node for node, position in enumerate(branch.graph.positions)}
    nodes = [number[position] for position in start.positions]
    found, spent = _ask(branch, Question(branch.graph, branch.circles, work, start=nodes))
    return min(start, found or start, key=len), spent


def _prove(game: AnyGame, branch: _Branch, best: int, work: float) -> tuple[AndOrGraph | None, float]:
    """A plan in `branch` that is smaller than `best`, if one is found, and the work that it took."""
    pairs = tuple(preferred(automorphisms(game, branch.graph), branch.graph))
    return _ask(branch, Question(branch.graph, branch.circles, work, at_most=best - 1, preferred=pairs))


def _ask(branch: _Branch, question: Question) -> tuple[AndOrGraph | None, float]:
    """The plan that answers the question, if any, and the work that it took; `branch` gets the new bound."""
    answer = ask(question)
    branch.at_least = max(branch.at_least, answer.at_least)
    found = None if answer.choice is None else branch.graph.chosen(answer.choice)
    return found, answer.work
