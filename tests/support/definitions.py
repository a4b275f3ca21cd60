"""The figures of games that are graphs, computed from their definitions by brute force."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from solver.analysis.puzzles.puzzle import NEVER
from solver.game import ENDLESS, FIRST
from tests.support.games.explicit_graph import (
    ExplicitGame,
    reachable,
    remoteness_by_definition,
    value_by_definition,
)
from tests.support.games.packed import Table


def explicit(table: Table) -> tuple[ExplicitGame, list[list[int]]]:
    """The game of a table, and the action of each move of each state."""
    most = table.most
    rows = [table.children[begin : begin + most] for begin in range(0, len(table.children), most)]
    actions = [[action for action, child in enumerate(row) if child >= 0] for row in rows]
    children = tuple(tuple(child for child in row if child >= 0) for row in rows)
    return ExplicitGame(children, table.movers, table.utilities, table.starts), actions


Defined = tuple[int, int | None, list[int]]
"""Value, remoteness and the best actions of a state."""


def defined(game: ExplicitGame, endless: str) -> list[Defined]:
    """The label of each state by definition."""
    level = ENDLESS[endless]
    values = value_by_definition(game, level)
    remoteness = remoteness_by_definition(game, values, level)
    actual: list[Defined] = []
    for state, children in enumerate(game.children):
        now, best = remoteness[state], list[int]()
        for action, child in enumerate(children):
            nobody_hurries = values[state] == level == 0
            then = None if now is None else now - 1
            if values[child] == values[state] and (nobody_hurries or remoteness[child] == then):
                best.append(action)
        actual.append((values[state], now, best))
    return actual


def of_best_moves(of_moves: Sequence[Sequence[int]], labels: Sequence[Defined]) -> list[list[int]]:
    """The items of the best moves of each state, from the items of all moves: names, or states after them."""
    return [[every[at] for at in best] for every, (_, _, best) in zip(of_moves, labels, strict=True)]


def errors(
    state: Any, values: Any, children: Any, first_moves: Any, ends: Any
) -> tuple[Fraction, Fraction, Fraction]:
    """The chances that players who look zero, one and two plies ahead lose value, by definition."""

    def seen(child: Any) -> int:
        return 0 if children(child) else ends(child)

    def answered(child: Any) -> int:
        if not children(child):
            return int(ends(child))
        return int((max if first_moves(child) else min)(map(seen, children(child))))

    actual = []
    looks: list[Callable[[Any], int]] = [lambda child: 0, seen, answered]
    for look in looks:
        best = (max if first_moves(state) else min)(map(look, children(state)))
        taken = [child for child in children(state) if look(child) == best]
        actual.append(Fraction(sum(values(child) != values(state) for child in taken), len(taken)))
    return actual[0], actual[1], actual[2]


def mean(numbers: Any) -> float:
    listed = list(numbers)
    return float(Fraction(sum(map(Fraction, listed))) / len(listed))


def plain_figures(states: Any, values: Any, children: Any, first_moves: Any, ends: Any) -> dict[str, float]:
    """The figures of positions, by definition."""
    keeps = {s: sum(values(c) == values(s) for c in children(s)) for s in states}
    several = [s for s in states if len(children(s)) > 1]
    erring = [errors(s, values, children, first_moves, ends) for s in states]
    actual = {
        "branching": mean(len(children(s)) for s in states),
        "forced": mean(len(children(s)) == 1 for s in states),
        "one_keeps": mean(keeps[s] == 1 for s in states),
        "all_keep": mean(keeps[s] == len(children(s)) for s in states),
    }
    if several:
        actual["one_of_choice"] = mean(keeps[s] == 1 for s in several)
    for at, name in enumerate(("random", "one_ply", "two_plies")):
        actual[name] = mean(item[at] for item in erring)
    return actual


class Play(NamedTuple):
    """How random play ends."""

    returns: bool
    """Whether positions can repeat."""
    ends: dict[tuple[int, int], float]
    """The chance of each pair of utility and length in plies."""

    def of(self, way: str) -> float:
        """The chance that play ends in this way; `unfinished` stands for all other play."""
        if way == "unfinished":
            return max(0.0, 1 - sum(self.ends.values()))
        ways = {"first": 1, "draw": 0, "second": -1}
        return min(1.0, sum(chance for (end, _), chance in self.ends.items() if np.sign(end) == ways[way]))

    def moments(self, at: int) -> tuple[float, float] | None:
        """The mean and variance of the utility (0) or the length (1) of play that ends; None if none does."""
        whole = sum(self.ends.values())
        if whole < 1e-9:
            return None
        mean = sum(key[at] * chance for key, chance in self.ends.items()) / whole
        return mean, sum((key[at] - mean) ** 2 * chance for key, chance in self.ends.items()) / whole


def play(children: Sequence[Sequence[int]], utilities: Sequence[int], begin: int, most: int = 10**5) -> Play:
    """Play in which all moves are equally likely, for at most `most` plies."""
    size = len(children)
    chances = np.zeros((size, size))
    for state, after in enumerate(children):
        for child in after:
            chances[state, child] += 1 / len(after)
    over, at, actual = chances.sum(axis=1) == 0, np.eye(size)[begin], dict[tuple[int, int], float]()
    can_end = over.copy()
    for _ in range(size):
        can_end |= chances @ can_end > 0
    returns = False
    for plies in range(most + 1):
        for state in np.flatnonzero(over & (at > 0)).tolist():
            key = utilities[state], plies
            actual[key] = actual.get(key, 0.0) + float(at[state])
        at = np.where(over, 0, at)
        if at[can_end].sum() < 1e-12:
            return Play(returns or bool(at.sum() > 0), actual)
        at = at @ chances
        returns |= plies > size
    return Play(True, actual)


def kinds_of_draws(best: Mapping[int, Sequence[int]], states: Sequence[int]) -> dict[str, int]:
    """The number of states by whether best play ends, from the components of the graph of best moves."""
    graph = nx.DiGraph((state, child) for state, children in best.items() for child in children)
    graph.add_nodes_from(best)
    over = {state for state in graph if not graph.out_degree(state)}
    around = {
        state
        for part in nx.strongly_connected_components(graph)
        for state in part
        if len(part) > 1 or graph.has_edge(state, state)
    }
    actual = {"ends": 0, "either": 0, "endless": 0, "unknown": 0}
    for state in states:
        after = nx.descendants(graph, state) | {state}
        ends, goes_on = bool(after & over), bool(after & around)
        actual["either" if ends and goes_on else "ends" if ends else "endless"] += 1
    return actual


def graph_puzzles(game: ExplicitGame, level: int) -> dict[int, tuple[int, int, int]]:
    """The puzzles by definition, with their plies ahead, moves and quiet replies."""
    values = value_by_definition(game, level)
    plies = remoteness_by_definition(game, values, level)

    def end(state: int) -> int:
        if not game.children[state]:
            return 1
        hurried = (values[state] or level) and plies[state] is not None
        return plies[state] + 1 if hurried else NEVER  # type: ignore[operator]

    def thrown(state: int) -> int:
        """The remoteness of a move that does not keep the value."""
        last = [child for child in game.children[state] if not game.children[child]]
        at_once = any(values[item] == values[state] for item in last)
        return 2 if end(state) == NEVER and at_once else end(state)

    seen = {}
    for state in sorted(reachable(game)):
        after, sign = list(game.children[state]), 1 if game.movers[state] == FIRST else -1
        keeping = [item for item in after if values[item] == values[state]]
        if len(keeping) != 1 or len(after) < 2 or sign * values[state] < 0:
            continue
        others = [item for item in after if item != keeping[0]]
        quiet = [
            child
            for child in game.children[keeping[0]]
            if not (sign * values[child] > 0 and plies[child] is not None and plies[child] <= 1)  # type: ignore[operator]
        ]
        seen[state] = (min(end(keeping[0]), max(map(thrown, others))), len(after), len(quiet))
    return seen


def one_player_value(
    game: ExplicitGame, side: int, level: int, start: int = 0, choice: slice = slice(1)
) -> int:
    """What the opponent of "always the first action" gets: the best reachable end, or endless play."""
    edges = tuple(
        kids[choice] if mover == side else kids
        for kids, mover in zip(game.children, game.movers, strict=True)
    )
    alive = reach = reachable(replace(game, children=edges, starts=(start,)))
    # the states left after ends are removed repeatedly are on a cycle, or lead to one
    while gone := {state for state in alive if not any(child in alive for child in edges[state])}:
        alive = alive - gone
    ends = [game.utilities[state] for state in reach if not edges[state]] + [level] * bool(alive)
    return min(ends) if side == FIRST else max(ends)
