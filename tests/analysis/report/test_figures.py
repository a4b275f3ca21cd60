"""Figures of reports, against brute force and published results."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import strategies as st

from exporters.report import as_markdown
from solver import Database, open_database
from solver.analysis.report import Report, Reports, measures as traps, report_on
from solver.analysis.report.chapters import contents_of
from solver.analysis.report.figures import Figure, amount, percent
from solver.game import ENDLESS, AnyGame, Game
from tests.support.definitions import defined, kinds_of_draws, of_best_moves, plain_figures, play
from tests.support.drawn import drawn
from tests.support.exchanged_files import exchanged_file
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, reachable
from tests.support.games.packed import ExchangedTable
from tests.support.solved import solved, solving

WAYS = ("first", "draw", "second", "unfinished")


def values_of(figures: Mapping[str, Figure | None]) -> dict[str, float]:
    return {name: figure.value for name, figure in figures.items() if figure}


def report_of(game: AnyGame, sample: int = 10**6, **options: Any) -> Report:
    with solving(game, **options) as db:
        return report_on(db, sample=sample)


@pytest.fixture(scope="module")
def tictactoe(tictactoe: Database) -> Report:
    return report_on(tictactoe)


def test_random_tictactoe_has_the_known_chances(tictactoe: Report) -> None:
    assert tictactoe.random.exact
    figures = values_of(tictactoe.random.figures())
    # e.g. https://math.stackexchange.com/questions/1299942: 737/1260, 8/63 and 121/420
    assert [figures[way] for way in WAYS[:3]] == pytest.approx([737 / 1260, 8 / 63, 121 / 420])
    openings = [[move.move for move in item.moves] for item in tictactoe.openings]
    assert openings == [[0, 2, 6, 8], [1, 3, 5, 7], [4]]


def test_perfect_tictactoe_lasts_nine_plies_and_has_765_classes(tictactoe: Report) -> None:
    assert tictactoe.perfect.exact
    assert tictactoe.perfect.counts == pytest.approx({(0, 9): 1.0})
    counts, symmetry = tictactoe.counts, tictactoe.symmetry
    assert values_of({"classes": symmetry.classes}) == pytest.approx({"classes": 765})
    assert (symmetry.symmetries, symmetry.keep_start, symmetry.fault) == (7, 7, None)
    assert (counts.total.positions, counts.total.going_on) == (5478, 4520)
    assert (counts.shortest, counts.longest) == (5, 9)
    assert counts.ends == {"first": 626, "draw": 16, "second": 316}


def test_classes_of_a_sample_are_called_estimates(tictactoe: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.analysis.report.SYMMETRIC", 500)
    sampled = contents_of(Reports([report_on(tictactoe.db)], None)).about
    assert str(sampled).endswith(" are estimates (seed 0); all others are exact.")
    assert str(contents_of(Reports([tictactoe], None)).about).endswith(" Every figure is exact.")


SENTENCES = {
    (((),), (1,), (0,)): "The game is over: first has won.",
    (((),), (0,), (0,)): "The game is over: a draw.",
    (((), (0, 2), ()), (0, 0, 1), (0, 1)): "At the first of 2 starts the game is over: a draw.",
    (((1, 2), (), ()), (0, -1, 1), (0, 1)): (
        "Not fair: first, who moves first, wins in perfect play from the first of 2 starts; random play is "
        "won by first in 50.0% of games and by second in 50.0%; perfect play lasts 1 ply, random play lasts "
        "1 ply; a player who looks two plies ahead never loses value."
    ),
    (((0,),), (0,), (0,)): (
        "Fair: perfect play is a draw; random play is won by first in 0.0% of games and by second in 0.0%; "
        "perfect play need not end, random play need not end; a player who looks two plies ahead never loses "
        "value."
    ),
    # The second player can answer 1 by 4, which the first one sees, or by 3, which leads to 5 for certain.
    (((1, 2), (3, 4), (), (5,), (), ()), (0, 0, -2, 0, 1, -3), (0,)): (
        "Not fair: second, who moves second, wins by 2 in perfect play; random play is won by first in "
        "25.0% of games and by second in 75.0%; perfect play lasts 1 ply, random play lasts 1.75 plies on "
        "average; a player who looks two plies ahead loses value in 33.3% of positions, most often at ply 0 "
        "(in 100.0%)."
    ),
}
"""By what each position leads to, the utilities and the starts; in all but 1 the first player moves."""


@pytest.mark.parametrize("game", SENTENCES)
def test_summary_sentence_fits_every_kind_of_game(game: tuple[Any, Any, Any]) -> None:
    children, utilities, starts = game
    explicit = ExplicitGame(children, (0, 1, 0, 0, 0, 0)[: len(children)], utilities, starts)
    assert report_of(explicit).answer == SENTENCES[game]


def test_first_trap_of_tictactoe_is_the_corner(tictactoe: Report) -> None:
    trap = tictactoe.traps[0]
    assert (trap.position, trap.at, trap.keeps) == ("........x", 1, (4,))
    assert trap.error == pytest.approx(7 / 8)


@pytest.mark.parametrize("most", [1, 3, 50])
def test_first_traps_do_not_depend_on_the_parts(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traps, "TRAPS", most)
    generator = np.random.default_rng(1)
    rows, errors = generator.integers(-1, 2, 60), generator.integers(1, 5, 60) / 4
    every = [(row, -error, str(key)) for key, (row, error) in enumerate(zip(rows, errors, strict=True))]
    order = sorted(every, key=lambda item: (item[0] < 0, item))  # those without a row last
    known = [(row, -less, text) for row, less, text in order if less <= -0.5][:most]
    keys, asked = generator.permutation(60), list[int]()
    for parts in (1, 4):
        seen = list[traps.Trap]()
        for some in np.split(keys, parts):
            seen = traps.first_traps([*seen, *traps.traps_in(some, rows[some], errors[some], str)])
        assert seen == known

    def text_of(key: int) -> str:
        asked.append(key)
        return str(key)

    assert traps.traps_in(np.arange(60), rows, errors, text_of) == known
    assert {(rows[key], errors[key]) for key in asked} == {trap[:2] for trap in known}
    empty = np.zeros(0, np.int64)
    assert traps.traps_in(empty, empty, empty, str) == []


def test_rounding_does_not_depend_on_the_order_of_a_sum() -> None:
    for number in (33 / 80, 0.1, 0.03125, 2.125):
        for near in (np.nextafter(number, 0), np.nextafter(number, 9)):
            assert percent(Figure(float(near))) == percent(Figure(number))
            assert amount(Figure(float(near))) == amount(Figure(number))


@drawn(few=40, many=2000, game=explicit_games(), endless=st.sampled_from(sorted(ENDLESS)))
def test_figures_equal_the_definitions(game: ExplicitGame, endless: str) -> None:
    labels = defined(game, endless)
    values, remoteness, _ = zip(*labels, strict=True)
    states = sorted(reachable(game))
    going_on = [state for state in states if game.children[state]]
    report = report_of(game, 200, endless=endless)
    if not going_on:
        assert not report.figures["branching"]
        assert report.random.counts == {(values[0], 0): 1.0}
        assert report.answer.startswith("The game is over: ")
        return

    def figures(states: list[int]) -> dict[str, float]:
        of = (values.__getitem__, game.children.__getitem__, lambda s: not game.movers[s])
        return plain_figures(states, *of, game.utilities.__getitem__)

    assert report.exact
    assert all(figure.exact for figure in report.figures.values() if figure)
    assert values_of(report.figures) == pytest.approx(figures(going_on))
    assert_answered(report, game, values)
    if report.counts.by == "remoteness":
        rows = [[state for state in going_on if remoteness[state] == at] for at in {*remoteness}]
        worst = max(figures(states)["two_plies"] for states in rows if states)
        assert f"(in {percent(Figure(worst))})." in report.answer or worst == 0
    play_graph = nx.DiGraph((state, child) for state in going_on for child in game.children[state])
    never_returns = nx.is_directed_acyclic_graph(play_graph)
    assert report.random.exact == (report.random.given_up is None and never_returns)
    if report.draws is not None:
        best = dict(enumerate(of_best_moves(game.children, labels)))
        kinds = kinds_of_draws(best, [state for state in going_on if remoteness[state] is None])
        assert report.draws.exact
        assert report.draws[:4] == tuple(kinds.values())


def assert_answered(report: Report, game: ExplicitGame, values: Sequence[int]) -> None:
    """That the sentence on top has the value of the start by brute force, and says which play may not end."""
    value, answer = values[game.initial], report.answer
    if value:
        order = "who moves first" if (value < 0) == game.movers[game.initial] else "who moves second"
        by = f" by {abs(value)}" if report.db.scored else ""
        assert answer.startswith(
            f"Not fair: {game.players[value < 0]}, {order}, wins{by} in perfect play; random play is won by "
        )
    else:
        assert answer.startswith("Fair: perfect play is a draw; random play is won by ")
    for ends, name in ((report.perfect, "; perfect play"), (report.random, ", random play")):
        words = " if it ends" if ends.lengths else "need not end"
        assert ((ends.given_up is None) and f"{name} lasts " in answer) or words in answer
    errors = report.figures["two_plies"]
    assert errors is not None
    assert ("never loses value" in answer) == (errors.value == 0)


@drawn(few=40, many=400, game=explicit_games(), endless=st.sampled_from(sorted(ENDLESS)))
def test_random_play_has_the_chances_of_its_markov_chain(game: ExplicitGame, endless: str) -> None:
    report = report_of(game, 2000, endless=endless)
    best = of_best_moves(game.children, defined(game, endless))
    for ends, moves in ((report.random, game.children), (report.perfect, best)):
        figures, known = values_of(ends.figures()), play(moves, game.utilities, game.initial)
        assert sum(figures[way] for way in WAYS) == pytest.approx(1)
        for way in WAYS:
            chance = known.of(way)
            spread = 0 if ends.exact else (chance * (1 - chance) / ends.games) ** 0.5
            assert figures[way] == pytest.approx(chance, abs=6 * spread + 1e-9)


class Asymmetric(ExchangedTable):
    """The same rules without the symmetry."""

    symmetries = Game.symmetries


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (ExchangedTable, " Each class also contains its positions with exchanged players."),
        (Asymmetric, " A class is a position and the same with exchanged players."),
    ],
)
def test_exchange_of_players_is_described(rules: type[ExchangedTable], words: str, tmp_path: Path) -> None:
    game = rules(1, 1, (1, -1, 3, -1), (0, 1, 1, 0), (0, 1, 0, -1), tells=False)
    with open_database(exchanged_file(game, tmp_path)) as db:
        assert report_on(db, sample=9).symmetry.in_words().endswith(words)


def test_negative_seed_is_accepted() -> None:
    for game, layout in (("tictactoe", "packed"), ("ponghauki", "readable")):
        with solved(game, layout=layout) as db:
            one, other, third = (report_on(db, sample=9, seed=seed) for seed in (-1, 1, 2))
        assert one.as_dict() | {"seed": 1} == other.as_dict() != third.as_dict() | {"seed": 1}


def test_wins_by_endless_play_are_not_longest_wins() -> None:
    with solving(ExplicitGame(((1,), (0,)), (0, 1), (0, 0)), endless="first") as db:
        report = report_on(db)
        text = as_markdown(contents_of(Reports([report], None)))
        assert {entry.winner for entry in db.entries()} == {"first"}
    assert report.longest == []
    assert "No win can be forced in a finite number of plies." in text
    assert "and 0 are draws." in text
    assert "Positions without a remoteness: best play always ends from 0, " in text


def test_opening_that_ends_play_is_exact_in_games_with_loops() -> None:
    report = report_of(ExplicitGame(((1, 2, 1), (0, 2), ()), (0, 1, 0), (0, 0, 1)), 3000)
    ends = {opening.moves[0].position: opening.random for opening in report.openings}
    assert (ends["2"].exact, ends["2"].counts) == (True, {(1, 0): 1})
    assert (ends["1"].exact, ends["1"].games) == (False, 2000)
    assert (report.random.games, report.random.counts[1, 1]) == (3000, 1000)


def test_random_play_of_too_many_moves_is_sampled(tictactoe: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.analysis.report.whole.MAX_MOVES", 1000)
    exact, played = tictactoe.random, report_on(tictactoe.db, sample=2000).random
    assert (exact.exact, played.exact) == (True, False)
    assert round(played.games) == pytest.approx(2000, abs=9)  # as many after each first move
    known, actual = (values_of(item.figures())["first"] for item in (exact, played))
    assert actual == pytest.approx(known, abs=6 * (0.25 / 2000) ** 0.5)
