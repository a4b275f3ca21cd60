"""Every figure that commands print for a table game, from its documented definition by brute force.

Nothing here uses the solver: labels come from the game as an `ExplicitGame`, chances from matrices. `Answers`
has what follows from the rules; `Rows` has what a file of the game has, folded or not. The functions return
the objects that the commands print as JSON, without the names of games and files.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count
from operator import itemgetter
from statistics import fmean
from typing import Any

from solver.analysis.puzzles.puzzle import NEVER
from solver.game import ENDLESS
from tests.support.definitions import (
    defined,
    explicit,
    graph_puzzles,
    kinds_of_draws,
    of_best_moves,
    one_player_value,
    plain_figures,
)
from tests.support.games.explicit_graph import ExplicitGame, reachable
from tests.support.games.random_tables import Relabelled

SIDES = {1: "first", 0: "draw", -1: "second"}
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Answers:
    """What follows from the rules of a game and its starts."""

    def __init__(self, game: Relabelled, endless: str, starts: Sequence[int]) -> None:
        actual, self.names = explicit(game)
        self.game, self.endless, self.level = game, endless, ENDLESS[endless]
        self.rules: ExplicitGame = replace(actual, starts=tuple(starts))
        self.movers, self.children, self.starts = game.movers, self.rules.children, self.rules.starts
        labels = defined(self.rules, endless)
        self.values, self.remoteness = [label[0] for label in labels], [label[1] for label in labels]
        self.best = of_best_moves(self.children, labels)
        """The states after the best moves."""
        self.best_moves = of_best_moves(self.names, labels)
        self.reached = sorted(reachable(self.rules))

    def offered(self, child: int) -> int | None:
        """The remoteness of a move to a state; None if nobody hurries there or can force an end."""
        plies = self.remoteness[child]
        return None if plies is None or self.values[child] == self.level == 0 else plies + 1

    def moves(self, state: int) -> Iterable[tuple[int, int]]:
        """The name of each move and the state after it."""
        return zip(self.names[state], self.children[state], strict=True)

    def label(self, state: int) -> dict[str, Any]:
        return {"value": self.values[state], "remoteness": self.remoteness[state]}

    def outcome(self, state: int, player: int | None = None) -> str:
        """The outcome of a state for a player, by default for the player to move."""
        player = self.movers[state] if player is None else player
        return OUTCOMES[sign(self.values[state]) * (1 - 2 * player)]

    def canonical(self, state: int) -> int:
        return min(self.images(state))

    def images(self, state: int) -> list[int]:
        """The state and its images under the symmetries."""
        return [state, *self.game.images[state :: len(self.movers)]]


@dataclass(frozen=True)
class Rows:
    """The positions that a file has: all, one of each class, or of these only the first player's."""

    answers: Answers
    folding: str = "none"
    """`none`, `symmetries` or `exchange`."""

    def standing_for(self, state: int) -> int:
        """The state in the file that represents this one."""
        if self.folding == "exchange" and self.answers.movers[state]:
            state = self.answers.game.others[state]
        return state if self.folding == "none" else self.answers.canonical(state)

    @cached_property
    def states(self) -> list[int]:
        return sorted({self.standing_for(state) for state in self.answers.reached})

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """The states in the file after the moves of each state."""
        return {
            state: [self.standing_for(child) for child in self.answers.children[state]]
            for state in self.states
        }

    @cached_property
    def going_on(self) -> list[int]:
        return [state for state in self.states if self.children[state]]

    @cached_property
    def plies(self) -> Mapping[int, int | None]:
        """The ply of each state; None for all states unless each state has a single ply."""
        depths: dict[int, int] = {}
        frontier = {self.standing_for(start) for start in self.answers.starts}
        for depth in count():
            if not frontier:
                break
            depths |= dict.fromkeys(frontier, depth)
            frontier = {child for state in frontier for child in self.children[state]} - {*depths}
        single = all(depths[c] == depths[s] + 1 for s in self.states for c in self.children[s])
        return depths if single and self.folding != "exchange" else dict.fromkeys(self.states)

    @cached_property
    def by(self) -> str:
        return "remoteness" if None in self.plies.values() else "ply"

    def row(self, state: int) -> int | None:
        """The ply of a state, or its remoteness if states have no single ply."""
        return self.plies[state] if self.by == "ply" else self.answers.remoteness[state]

    @cached_property
    def by_row(self) -> dict[int | None, list[int]]:
        """The states by row; those without a row come last."""
        rows = sorted({self.row(state) for state in self.states}, key=lambda at: (at is None, at or 0))
        return {at: [state for state in self.states if self.row(state) == at] for at in rows}


def outcomes_by_side(of: Answers, states: Iterable[int]) -> dict[str, int]:
    """The number of states by who wins."""
    return dict.fromkeys(SIDES.values(), 0) | Counter(SIDES[sign(of.values[state])] for state in states)


def statistics(file: Rows) -> dict[str, Any]:
    """The figures of `stats`."""
    of, states = file.answers, file.states
    start, starts = of.starts[0], {file.standing_for(item) for item in of.starts}
    outcomes = ("win", "loss") if of.endless == "draw" else ("win", "draw", "loss")
    plies, values = Counter(file.plies.values()), Counter(str(of.values[state]) for state in states)
    remoteness = {
        outcome: Counter(of.remoteness[state] for state in states if of.outcome(state) == outcome)
        for outcome in outcomes
    }
    return {
        "start": str(start),
        **({"starts": len(starts)} if len(starts) > 1 else {}),
        **({} if file.folding == "none" else {"folded": True}),
        **({} if of.endless == "draw" else {"endless": of.endless}),
        "states": len(states),
        "terminal": len(states) - len(file.going_on),
        "moves": sum(map(len, file.children.values())),
        "per_ply": [plies[ply] for ply in range(len(plies))] if file.by == "ply" else None,
        "outcomes": dict.fromkeys(("win", "draw", "loss"), 0) | Counter(map(of.outcome, states)),
        "values": dict(values),
        "remoteness": {
            outcome: {str(plies): number for plies, number in item.items() if plies is not None}
            for outcome, item in remoteness.items()
        },
        "value": of.values[start],
        "remoteness_of_start": of.remoteness[start],
        "best_move": next(iter(of.best_moves[start]), None),
    }


def entry(of: Answers, state: int) -> dict[str, Any]:
    """The answer of `query` for a position, with moves in the order of actions."""
    return {
        "position": str(state),
        "to_move": of.game.players[of.movers[state]],
        "outcome": of.outcome(state),
        **of.label(state),
        "best_move": next(iter(of.best_moves[state]), None),
        "moves": [
            {
                "move": name,
                "position": str(child),
                "outcome": of.outcome(child, of.movers[state]),
                "remoteness": of.offered(child),
                "best": name in of.best_moves[state],
            }
            for name, child in of.moves(state)
        ],
    }


def views(file: Rows) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of the views of a readable file, in ascending order except for the best line."""
    of, mistakes, only, line = file.answers, [], [], list[int]()
    columns = itemgetter("position", "to_move", "value", "outcome", "remoteness", "best_move")
    for state in file.going_on:
        sight, mover = 1 - 2 * of.movers[state], of.game.players[of.movers[state]]
        before = sight * of.values[state]
        after = [(name, sight * of.values[child]) for name, child in of.moves(state)]
        mistakes += [(str(state), mover, name, before, value) for name, value in after if value < before]
        holding = [name for name, value in after if value == before]
        if len(holding) == 1:
            only.append((str(state), mover, of.outcome(state), holding[0], len(after)))
    state = file.standing_for(of.starts[0])
    while state not in line:
        line.append(state)
        state = file.standing_for(next(iter(of.best[state]), state))
    return {
        "mistakes": sorted(mistakes),
        "only_moves": sorted(only),
        "principal_variation": [(ply, *columns(entry(of, state))) for ply, state in enumerate(line)],
    }


def puzzles(of: Answers) -> list[dict[str, Any]]:
    """The puzzles of `puzzles`, the hardest first."""
    actual, classes = graph_puzzles(of.rules, of.level), dict[int, int]()
    for state in actual:  # in ascending order, so that the least state of a class comes first
        classes.setdefault(of.canonical(state), state)
    order = sorted(classes, key=lambda kind: (*(-item for item in actual[classes[kind]]), kind))
    return [_puzzle(of, classes[kind], *actual[classes[kind]]) for kind in order]


def _puzzle(of: Answers, state: int, ahead: int, choices: int, replies: int) -> dict[str, Any]:
    return {
        "position": str(state),
        "to_move": of.game.players[of.movers[state]],
        "outcome": of.outcome(state),
        **of.label(state),
        **_answer(of, state),
        "difficulty": sum(ahead > plies for plies in (0, 1, 3, 5, 9)),
        "ahead": None if ahead == NEVER else ahead,
        "moves": choices,
        "replies": replies,
    }


def annotated(of: Answers, start: int, names: Sequence[Any]) -> dict[str, Any]:
    """The annotations of `annotate` for the game of these moves."""
    hard = {state for state, (ahead, _, _) in graph_puzzles(of.rules, of.level).items() if ahead >= 3}
    state, moves, players = start, list[dict[str, Any]](), of.game.players
    for ply, name in enumerate(names, start=1):
        child, labels = dict(of.moves(state))[name], entry(of, state)
        sight, legal = 1 - 2 * of.movers[state], labels.pop("moves")
        lost = sight * (of.values[state] - of.values[child])
        best = name in of.best_moves[state]
        fits = {
            "??": of.outcome(state) == "win" and of.outcome(child, of.movers[state]) == "loss",
            "?": lost > 0,
            "!": state in hard,
            "!?": child in hard and of.movers[child] != of.movers[state] and len(legal) > 1,
            "?!": not best,
        }
        del labels["best_move"]
        moves.append(
            {
                "ply": ply,
                **labels,
                "move": name,
                "sign": next((sign for sign, fit in fits.items() if fit), None),
                "leads_to": {
                    "value": of.values[child],
                    "outcome": of.outcome(child, of.movers[state]),
                    "remoteness": of.offered(child),
                },
                "best": best,
                "lost": lost,
                "moves": len(legal),
                "keeping": sum(of.values[item] == of.values[state] for item in of.children[state]),
                "line": [] if best else moves_of_best_play(of, state)[:10],
            }
        )
        state = child
    sides = [{"side": name, **_accuracy(name, moves)} for name in players]
    return {
        "start": str(start),
        "moves": moves,
        "end": {
            "position": str(state),
            "outcome": of.outcome(state),
            **of.label(state),
            "over": not of.children[state],
        },
        "sides": sides,
    }


def _accuracy(player: str, moves: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    own = [move for move in moves if move["to_move"] == player]
    choices = [move for move in own if move["keeping"] < move["moves"]]
    keeping = sum(not move["lost"] for move in choices)
    return {
        "player": player,
        "choices": len(choices),
        "kept": keeping,
        "accuracy": keeping / len(choices) if choices else None,
        "signs": {sign: sum(move["sign"] == sign for move in own) for sign in ("??", "?", "!", "!?", "?!")},
    }


def _answer(of: Answers, state: int) -> dict[str, Any]:
    """The task, the only move that keeps the value, the reason, and the line after the move."""
    mover = of.movers[state]
    scored = any(abs(of.values[item]) > 1 for item in of.reached)

    def ends(of_state: int, verb: str) -> str:
        by = f" by {abs(of.values[of_state])}" if scored and of.values[of_state] else ""
        return verb + by

    def lasts(plies: int | None) -> str:
        return "endless play" if plies is None else f"{plies} {'ply' if plies == 1 else 'plies'}"

    move = next(name for name, child in of.moves(state) if of.values[child] == of.values[state])
    length = lasts(of.remoteness[state])
    forced = of.level * (1 - 2 * mover) < 0
    if not of.values[state]:
        task = f"force the draw in {length}" if forced else "hold the draw"
        does = f"forces the draw in {length}" if forced else "holds the draw"
    else:
        task = f"win by at least {abs(of.values[state])}" if scored else f"win in {length}"
        does = f"{ends(state, 'wins')} in {length}"
    others = [item for name, item in of.moves(state) if name != move]
    best = (min if mover else max)(others, key=of.values.__getitem__)
    less = ends(best, {"win": "wins", "draw": "draws", "loss": "loses"}[of.outcome(best, mover)])
    plies = [of.offered(other) for other in others]
    if len({of.values[other] for other in others}) > 1:
        less += " at best"
    elif of.outcome(best, mover) == "loss" and None not in plies:
        less += f"{', at most' * (len(others) > 1)} in {lasts(max(filter(None, plies)))}"
    return {
        "task": f"{of.game.players[mover]} to move and {task}",
        "answer": move,
        "reason": f"move {move} {does}; {'every' if len(others) > 1 else 'the'} other move {less}",
        "line": moves_of_best_play(of, state),
    }


def best_line(of: Answers, state: int, until: int | None = None) -> list[int]:
    """The states of best play, to the end, to one that leads back, or to a state with `until` to move."""
    line = list[int]()
    while state not in line:
        line.append(state)
        if of.movers[state] == until or not of.best[state]:
            break
        state = of.best[state][0]
    return line


def moves_of_best_play(of: Answers, state: int) -> list[Any]:
    """The names of the moves of best play, to the end or to a move that leads back."""
    return [of.best_moves[item][0] for item in best_line(of, state) if of.children[item]]


# Reports.


def counted(file: Rows) -> dict[str, Any]:
    """The figures of a report that count positions."""
    of, by, states = file.answers, file.by, file.states
    ends = [state for state in states if not file.children[state]]
    lengths = [ply for ply in map(file.plies.get, ends) if ply is not None]
    return {
        "start": str(of.starts[0]),
        "outcome": of.outcome(of.starts[0]),
        **of.label(of.starts[0]),
        "sample": len(file.going_on),
        "exact": True,
        "moves": sum(map(len, file.children.values())),
        "positions": len(states),
        "going_on": len(file.going_on),
        "values": outcomes_by_side(of, states),
        "ends": outcomes_by_side(of, ends),
        "shortest_game": min(lengths, default=None),
        "longest_game": max(lengths, default=None),
        "by": by,
        "rows": [
            {
                by: at,
                "positions": len(some),
                "going_on": sum(map(bool, map(file.children.get, some))),
                **outcomes_by_side(of, some),
            }
            for at, some in file.by_row.items()
        ],
    }


FIGURES = ("branching", "forced", "one_keeps", "all_keep", "one_of_choice", "random", "one_ply", "two_plies")


def figures(file: Rows, states: Sequence[int]) -> dict[str, float | None]:
    """The figures of some nonterminal positions; None where there is nothing to count."""
    of = file.answers
    columns = (of.values, of.children, [mover == 0 for mover in of.movers], of.rules.utilities)
    actual = plain_figures(list(states), *(column.__getitem__ for column in columns)) if states else {}
    return dict.fromkeys(FIGURES) | actual


def symmetry(file: Rows) -> dict[str, Any]:
    """The figures of a report about symmetries, except for the number of positions tried."""
    of = file.answers
    number = len(of.images(0)) - 1
    keep_start = of.images(of.starts[0])[1:].count(of.starts[0])
    keeps_starts = keep_start == number and (len({*of.starts}) == 1 or not number)
    classes = {of.canonical(state) for state in file.states}
    return {
        "symmetries": number,
        "fault": None,
        "keep_start": keep_start,
        "orbit": fmean(len({*of.images(state)}) for state in file.states),
        "classes": len(classes) if file.folding != "none" or keeps_starts else None,
        "folded": file.folding != "none",
        "exchanged": file.folding == "exchange",
    }


def longest_wins(file: Rows) -> tuple[list[int], int | None]:
    """Up to three positions with the longest win, and its length in plies."""
    of = file.answers
    won = {s: of.remoteness[s] for s in file.states if of.outcome(s) == "win"}
    longest = max((plies for plies in won.values() if plies is not None), default=None)
    such = [state for state, plies in won.items() if plies is not None and plies == longest]
    return sorted(such, key=lambda state: (file.plies[state] or 0, str(state)))[:3], longest


def draws(file: Rows) -> dict[str, int] | None:
    """The numbers of positions from which play need not end, by whether best play ends; None in layers."""
    if file.by == "ply":
        return None
    of = file.answers
    best = {state: [file.standing_for(child) for child in of.best[state]] for state in file.states}
    return kinds_of_draws(best, [state for state in file.going_on if of.remoteness[state] is None])


def traps(file: Rows) -> list[tuple[int | None, float]]:
    """The row and the chance of an error for the first traps, one of each class."""
    of, actual = file.answers, dict[int, tuple[int | None, float]]()
    for state in file.going_on:
        error = figures(file, [state])["two_plies"]
        if error is not None and error >= 0.5:
            actual[of.canonical(state)] = file.row(state), error
    return sorted(actual.values(), key=lambda trap: (trap[0] is None, trap[0] or 0, -trap[1]))


# Players.


def graded(file: Rows, choice: slice) -> dict[str, Any]:
    """The figures of `grade` for a player who always makes the first or the last legal move."""
    of, chosen = file.answers, dict[int, int]()
    for state in file.going_on:
        (chosen[state],) = range(len(of.children[state]))[choice]
    after = {state: of.children[state][at] for state, at in chosen.items()}
    keeps = {state: of.values[child] == of.values[state] for state, child in after.items()}
    best = {state: of.names[state][at] in of.best_moves[state] for state, at in chosen.items()}
    decisive = [s for s in chosen if any(of.values[child] != of.values[s] for child in of.children[s])]
    kinds = Counter(f"{of.outcome(s)}-{of.outcome(child, of.movers[s])}" for s, child in after.items())
    plies = sorted({file.plies[state] for state in chosen}) if file.by == "ply" else []  # type: ignore[type-var]

    def counts(states: Iterable[int]) -> dict[str, int]:
        listed = list(states)
        return {
            "choices": len(listed),
            "best": sum(best[state] for state in listed),
            "keeps_value": sum(keeps[state] for state in listed),
        }

    def at(ply: int | None, states: Iterable[int]) -> dict[str, int]:
        return counts(state for state in states if file.plies[state] == ply)

    return {
        "states": len(chosen),
        **counts(chosen),
        "best_interval": None,
        "keeps_value_interval": None,
        "decisive": {"states": len(decisive), **counts(decisive)},
        "blunders": {kind: kinds[kind] for kind in ("win-draw", "win-loss", "draw-loss")},
        "failures": 0,
        "silent": 0,
        "by_ply": [{"ply": ply, **at(ply, chosen), "decisive": at(ply, decisive)} for ply in plies],
        "against_perfect": [
            one_player_value(of.rules, side, of.level, of.starts[0], choice) for side in (0, 1)
        ],
        "against_trembling": against_trembling(file, choice),
    }


def against_trembling(file: Rows, choice: slice, tremble: float = 0.1) -> dict[str, float] | None:
    """The player's mean result against a trembling opponent; None if positions can repeat."""
    of = file.answers

    def after(side: int, state: int) -> list[tuple[float, int]]:
        any_move, right = of.children[state], of.best[state]
        if of.movers[state] == side:
            return [(1, child) for child in any_move[choice]]
        parts = ((tremble, any_move), (1 - tremble, right))
        return [(chance / len(part), child) for chance, part in parts for child in part]

    met = set[tuple[int, int]]()

    @cache
    def expected(side: int, state: int) -> float:
        if (side, state) in met:
            raise ValueError
        met.add((side, state))
        if not of.children[state]:
            return of.values[state] * (1 - 2 * side)
        return sum(chance * expected(side, child) for chance, child in after(side, state))

    try:
        return {
            "tremble": tremble,
            "expected": fmean(expected(of.movers[state], state) for state in file.going_on),
            "value": fmean((1 - 2 * of.movers[state]) * of.values[state] for state in file.going_on),
        }
    except ValueError:
        return None


def difference(a: Rows, b: Rows) -> dict[str, Any]:
    """The output of `diff` for two games that differ in the utilities of ends and of endless play."""
    finer = min(a, b, key=lambda rows: ("none", "symmetries", "exchange").index(rows.folding))
    one, other = a.answers, b.answers
    alike = [state for state in finer.states if one.values[state] == other.values[state]]
    changed = {*finer.states} - {*alike}
    later = {state for state in alike if one.remoteness[state] != other.remoteness[state]}
    signs = Counter((sign(one.values[state]), sign(other.values[state])) for state in finer.states)
    values = Counter((one.values[state], other.values[state]) for state in finer.states)

    def numbers(states: Sequence[int]) -> dict[str, int]:
        return {
            "common": len(states),
            "value": len({*states} & changed),
            "outcome": sum(sign(one.values[state]) != sign(other.values[state]) for state in states),
            "remoteness": len(later & {*states}),
            "only_a": 0,
            "only_b": 0,
        }

    def both(states: Iterable[int]) -> dict[str, Any]:
        return {
            str(state): {
                "ply": finer.plies[state],
                "a": labels_as_dict(one, state),
                "b": labels_as_dict(other, state),
            }
            for state in states
        }

    plies = sorted({*finer.plies.values()}, key=lambda ply: (ply is None, ply or 0))
    return {
        "same": len(alike) == len(finer.states) and not later,
        **numbers(finer.states),
        "outcomes": {f"{OUTCOMES[x]}-{OUTCOMES[y]}": signs[x, y] for x in OUTCOMES for y in OUTCOMES},
        "values": [{"a": x, "b": y, "positions": number} for (x, y), number in sorted(values.items())],
        "per_ply": [
            {"ply": ply, **numbers([state for state in finer.states if finer.plies[state] == ply])}
            for ply in plies
        ],
        "first": {"value": both(changed), "remoteness": both(later), "only_a": [], "only_b": []},
    }


def labels_as_dict(of: Answers, state: int) -> dict[str, Any]:
    """The labels of a position in the output of `diff`."""
    return {**of.label(state), "best_moves": of.best_moves[state]}
