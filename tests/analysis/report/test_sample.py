"""Samples of a packed file: their fairness, and their intervals against the figures of the whole."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from solver.analysis.report import Report, report_on, sampled as sampling
from solver.analysis.report.sampled import SampledAnswers, drawn_ranks
from solver.database.packed.arrays import states_at
from solver.database.packed.reader import PackedDatabase
from solver.system.progress import no_progress
from tests.analysis.report.test_figures import values_of
from tests.support.solved import solved


@pytest.fixture(scope="module")
def db() -> Iterator[PackedDatabase]:
    """A game of some thousand states in blocks."""
    with solved("connect", {"rows": 3, "columns": 4, "k": 3}, layout="packed") as opened:
        assert isinstance(opened, PackedDatabase)
        yield opened


@pytest.fixture(scope="module")
def whole(db: PackedDatabase) -> Report:
    return report_on(db, sample=10**6)


def test_ranks_number_states_in_order(db: PackedDatabase) -> None:
    def placed(ranks: Any, over: int) -> list[tuple[Any, int]]:
        return [(item.stage, key) for item in states_at(db, ranks, over) for key in item.keys.tolist()]

    for over in (0, 1):
        number = sum(size for (_, is_terminal), size in db.sizes.items() if is_terminal == over)
        parts = [(state.stage, state.keys[state.is_terminal == over]) for state in db.states()]
        known = [(stage, key) for stage, keys in parts for key in keys.tolist()]
        assert placed(np.arange(number), over) == known
    some = [0, 7, number - 1]
    assert placed(np.array(some), 1) == [known[at] for at in some]


SIZES = st.lists(st.integers(0, 30), min_size=1, max_size=6)


@given(SIZES, st.integers(1, 60), st.integers(0, 12), st.integers(0, 9))
def test_sample_has_the_requested_size(sizes: list[int], sample: int, least: int, seed: int) -> None:
    ranks, drawn = drawn_ranks(sizes, sample, least, np.random.default_rng(seed))
    assert (np.diff(ranks) > 0).all()
    assert drawn.sum() == min(sample, sum(sizes))
    begin = 0
    for size in sizes:
        of_ply = (ranks >= begin) & (ranks < begin + size)
        assert of_ply.sum() == max(min(least, size), (of_ply & drawn).sum())
        begin += size
    assert begin == sum(sizes) >= ranks.max(initial=-1) + 1


def test_ranks_have_equal_chances() -> None:
    generator, actual, topped = np.random.default_rng(1), Counter[int](), Counter[int]()
    for _ in range(3000):
        ranks, drawn = drawn_ranks([4, 16], 5, 3, generator)
        actual.update(ranks[drawn].tolist())
        topped.update(ranks[ranks < 4].tolist())
    # 750 each of the first kind, within five standard deviations; all of the small ply alike, too
    assert all(abs(actual[rank] - 750) < 5 * (3000 * 0.25 * 0.75) ** 0.5 for rank in range(20))
    assert max(topped.values()) - min(topped.values()) < 0.06 * 3000


@pytest.mark.parametrize("sample", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_intervals_of_samples_cover_the_truth(
    db: PackedDatabase, whole: Report, sample: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Errors of who looks ahead are rare in this game, so that small samples have one of them, or none."""
    monkeypatch.setattr(sampling, "MIN_OF_PLY", 0)
    known = values_of(whole.figures)
    missed, samples = Counter[str](), 300
    for seed in range(samples):
        tally = SampledAnswers(db, sample, seed, no_progress).tally()
        for name, figure in tally.figures(whole.counts.total.going_on).items():
            if figure is not None:  # there may be no position with several moves
                assert figure.interval is not None
                low, high = figure.interval
                assert low < high
                missed[name] += not low <= known[name] <= high
    assert max(missed.values()) <= 0.08 * samples, missed  # Wilson's misses 8 of 100 shares of some sizes


def test_plies_with_few_positions_are_exact(whole: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MIN_OF_PLY", 50)
    monkeypatch.setattr(sampling, "MOVES_AT_ONCE", 1000)  # several parts
    pairs = list(zip(whole.by_row, report_on(whole.db, sample=1500, seed=3).by_row, strict=True))
    for known, row in pairs:
        assert known.at == row.at
        assert row.asked >= min(known.asked, 50)
        if row.asked == known.asked:
            assert values_of(row.figures) == pytest.approx(values_of(known.figures))
        else:
            assert all(figure is None or figure.interval for figure in row.figures.values())
    assert any(row.asked == known.asked for known, row in pairs)


def test_perfect_play_of_a_sample_equals_that_of_the_whole() -> None:
    with solved("mnk", {"rows": 2, "columns": 4, "k": 3}, layout="packed") as db:
        exact, estimated = report_on(db, sample=10**6), report_on(db, sample=400)
    assert exact.start.value == 0
    assert (exact.perfect.exact, estimated.perfect.exact) == (True, False)
    assert set(estimated.perfect.counts) <= set(exact.perfect.counts)
    assert sum(estimated.perfect.counts.values()) == 400


def test_report_does_not_depend_on_threads(db: PackedDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MOVES_AT_ONCE", 500)
    monkeypatch.setattr(sampling, "GAMES_AT_ONCE", 100)
    seen = []
    for number in (1, 2, 5):
        monkeypatch.setattr(sampling, "cores", lambda number=number: number)
        seen.append(json.dumps(report_on(db, sample=2000, seed=4).as_dict()))
    assert seen[0] == seen[1] == seen[2]
