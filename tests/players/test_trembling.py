"""Moves ranked for an opponent who errs, against recursions, linear systems and matches."""

from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from solver import Database, open_database
from solver.analysis.against_opponents import worst_case
from solver.game import ENDLESS, FIRST
from solver.games.mnk import TicTacToe
from solver.games.subtraction import Subtraction
from solver.players import Truth, make_player, trembling
from solver.players.trembling import Prospect, Ranking, Trembling
from tests.support.commandline import call
from tests.support.definitions import defined, of_best_moves
from tests.support.exchanged_files import exchanged_file
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.games.packed import ExchangedTable
from tests.support.solved import solving
from tests.support.tictactoe_boards import children, label, x_moves

run = partial(call, "query")

GAME = TicTacToe()


def keeping(cells: str) -> list[str]:
    return [child for child in children(cells).values() if label(child)[0] == label(cells)[0]]


def best(cells: str) -> list[str]:
    value, plies = label(cells)
    return [item for item in keeping(cells) if value == 0 or label(item)[1] == plies - 1]


@cache
def expectation(cells: str, side: str, tremble: float) -> float:
    """What x gets where `side` keeps the value and is as tricky as possible, and the other trembles."""
    below = children(cells).values()
    if not below:
        return label(cells)[0]
    if x_moves(cells) == (side == "x"):
        wins = label(cells)[0] == (1 if side == "x" else -1)
        values = [expectation(item, side, tremble) for item in (best(cells) if wins else keeping(cells))]
        return max(values) if side == "x" else min(values)
    erring = [expectation(item, side, tremble) for item in below]
    right = [expectation(item, side, tremble) for item in best(cells)]
    return tremble * sum(erring) / len(erring) + (1 - tremble) * sum(right) / len(right)


class Graph:
    """A solved graph, and by definition what a player may choose and what an opponent plays."""

    def __init__(self, game: ExplicitGame, endless: str, side: int, tremble: float) -> None:
        self.game, self.side, self.tremble, self.level = game, side, tremble, ENDLESS[endless]
        self.sign = 1 if side == FIRST else -1
        labels = defined(game, endless)
        self.values, self.best = [label[0] for label in labels], of_best_moves(game.children, labels)
        self.within = cache(self._within)
        """The gifts of so many plies from a state."""

    def safe(self, state: int) -> list[int]:
        """The states after the best moves if the player hurries, else after all that keep the value."""
        value, children = self.values[state], self.game.children[state]
        hurries = int((value, self.level) < (self.level, 0)) == self.side
        return self.best[state] if hurries else [child for child in children if self.values[child] == value]

    def chances(self, state: int) -> list[tuple[float, int]]:
        below, right = self.game.children[state], self.best[state]
        errs, plays = self.tremble / len(below), (1 - self.tremble) / len(right)
        return [*((errs, item) for item in below), *((plays, item) for item in right)]

    def gift(self, state: int, child: int) -> int:
        return self.sign * (self.values[child] - self.values[state])

    def _within(self, plies: int, state: int) -> Any:
        """The gifts of so many plies, by the definition."""
        if not plies or not self.game.children[state]:
            return 0
        if self.game.movers[state] == self.side:
            return max(self.within(plies - 1, item) for item in self.safe(state))
        after = [
            (chance, self.gift(state, s) + self.within(plies - 1, s)) for chance, s in self.chances(state)
        ]
        return sum(chance * gifts for chance, gifts in after)

    def without_end(self) -> Any:
        """The gifts of endless play from each state: of all fixed choices those that get most."""
        own = [s for s, below in enumerate(self.game.children) if below and self.game.movers[s] == self.side]
        policies = product(*map(self.safe, own))
        return np.max([self._by(dict(zip(own, chosen, strict=True))) for chosen in policies], axis=0)

    def _by(self, chosen: dict[int, int]) -> Any:
        """The gifts where these moves are made: a system of linear equations."""
        size = len(self.game.children)
        moves, gained = np.zeros((size, size)), np.zeros(size)
        for state in range(size):
            if state in chosen:
                moves[state, chosen[state]] = 1
            elif self.game.children[state]:
                for chance, item in self.chances(state):
                    moves[state, item] += chance
                    gained[state] += chance * self.gift(state, item)
        hopeful = gained > 0
        for _ in range(size):
            hopeful |= moves @ hopeful > 0
        actual, left = np.zeros(size), np.flatnonzero(hopeful)
        actual[left] = np.linalg.solve(np.eye(len(left)) - moves[np.ix_(left, left)], gained[left])
        return actual


GRAPHS = explicit_games(5, range(-2, 3))


def ranked(
    game: ExplicitGame, side: int, endless: str, tremble: float, **limits: int
) -> Iterator[tuple[Ranking, Prospect]]:
    """The rankings of all positions of a side within limits of the module, with each of their moves."""
    with solving(game, endless=endless) as db, pytest.MonkeyPatch.context() as patch:
        for name, most in limits.items():
            patch.setattr(trembling, name, most)
        ranks = Trembling(db, tremble)
        for entry in db.entries():
            if db.game.players.index(entry.to_move) == side:
                ranking = ranks.ranking(entry)
                yield from ((ranking, prospect) for prospect in ranking.prospects)


@given(GRAPHS, st.integers(0, 1), st.sampled_from(list(ENDLESS)), st.integers(0, 4), st.integers(1, 6))
@settings(max_examples=20)
def test_expected_gifts_within_plies_equal_the_definition(
    game: ExplicitGame, side: int, endless: str, plies: int, positions: int
) -> None:
    graph = Graph(game, endless, side, 0.25)
    for actual, prospect in ranked(game, side, endless, 0.25, MAX_PLIES=plies, MAX_POSITIONS=positions):
        assert actual.plies <= plies
        gifts = graph.within(actual.plies, int(prospect.move.position))
        assert prospect.expected == pytest.approx(graph.sign * prospect.move.value + gifts)


@given(GRAPHS, st.integers(0, 1), st.sampled_from(list(ENDLESS)))
@settings(max_examples=20)
def test_expected_gifts_converge_to_the_linear_system(game: ExplicitGame, side: int, endless: str) -> None:
    graph = Graph(game, endless, side, 0.5)
    gifts = graph.without_end()
    for _, prospect in ranked(game, side, endless, 0.5, MAX_PLIES=400):
        exact = graph.sign * prospect.move.value + gifts[int(prospect.move.position)]
        assert prospect.expected == pytest.approx(exact, abs=1e-6)


def test_errors_are_counted_in_a_file_of_exchanged_players(tmp_path: Path) -> None:
    """State n + 4 is n with exchanged players: 4 leads to 1, there a player ends the game drawn, or lost."""
    children = (5, -1, 6, 7, -1, -1, -1, -1, 1, -1, 2, 3, -1, -1, -1, -1)
    movers, utilities = (0,) * 4 + (1,) * 4, (0, 0, 0, 1, 0, 0, 0, -1)
    game = ExchangedTable(1, 2, children, movers, utilities, (4,), tells=False)
    with open_database(exchanged_file(game, tmp_path)) as db:
        (actual,) = Trembling(db, 0.1).ranking(db["4"]).prospects
    assert (actual.errors, actual.replies) == (1, 2)
    assert actual.expected == pytest.approx(0.1 / 2)


@given(explicit_games(7), st.integers(0, 1), st.sampled_from(list(ENDLESS)))
@settings(max_examples=20)
def test_tricky_player_keeps_the_minimax_value(game: ExplicitGame, side: int, endless: str) -> None:
    with solving(game, endless=endless) as db, Truth(game, db) as truth:
        player = make_player("perfect(tricky=true)", truth)
        assert worst_case(game, "tricky", player, side, "0", endless).utility == db["0"].value


def mean(name: str, side: int, db: Database, tremble: float) -> float:
    """What a player gets in the mean as one side, exactly, against an opponent who trembles."""
    with Truth(GAME, db) as truth:
        player = make_player(name, truth)

    @cache
    def gets(state: Any) -> Any:
        if GAME.is_terminal(state):
            return GAME.utility(state)
        if GAME.to_move(state) == side:
            return gets(GAME.result(state, cast(int, player.choose(state, Random(0)))))
        right = [int(move.move) for move in db.entry_of(state).moves if move.best]
        chances = {action: tremble / len(GAME.actions(state)) for action in GAME.actions(state)}
        for action in right:
            chances[action] += (1 - tremble) / len(right)
        return sum(chance * gets(GAME.result(state, action)) for action, chance in chances.items())

    return float(gets(GAME.initial) * (1 if side == FIRST else -1))


@pytest.mark.parametrize("tremble", [0.1, 1.0])
def test_tricky_player_gains_most_against_its_own_tremble(db: Database, tremble: float) -> None:
    tricks = f"perfect(tricky=true, tremble={tremble})"
    for side, sign in ((0, 1), (1, -1)):
        plain, tricky = (mean(name, side, db, tremble) for name in ("perfect", tricks))
        assert tricky >= plain
        assert tricky > plain or (side, tremble) == (0, 1.0)  # where the first best move is best already
        assert tricky == pytest.approx(sign * expectation("." * 9, "xo"[side], tremble))


def test_terminal_position_has_no_ranking(tictactoe_db_path: Path) -> None:
    result = run(tictactoe_db_path, "xxxoo....", "--rank")
    assert result.stdout == run(tictactoe_db_path, "xxxoo....").stdout


def test_ranking_of_a_game_that_ends_in_time_is_whole() -> None:
    """It can last for more than half of them."""
    with solving(Subtraction(40)) as db:
        actual = Trembling(db).ranking(db[db.start])
    assert (actual.plies, actual.whole) == (19, True)


def test_ranking_of_too_many_positions_is_not_whole(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trembling, "MAX_POSITIONS", 20)
    actual = Trembling(db).ranking(db["x...o...."])
    assert (actual.plies, actual.whole) == (1, False)
