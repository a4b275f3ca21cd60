"""The forecast of a large solve: states that others counted, or else the rules' bound."""

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from solver.engines.counts import known_count
from solver.engines.forecast import LAYERS, forecast, refuse_hopeless
from solver.errors import TooLarge
from solver.games.connect import Connect
from solver.games.dobutsu import Dobutsu
from tests.support.published import published


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A disk with 100 GB free."""
    usage = SimpleNamespace(free=100_000_000_000)
    monkeypatch.setattr("solver.engines.forecast.shutil", SimpleNamespace(disk_usage=lambda folder: usage))
    return usage


def test_a_published_count_is_told_with_its_source(tmp_path: Path, disk: SimpleNamespace) -> None:
    expected = forecast(Connect(6, 6, 4), tmp_path, LAYERS, fold=False)
    assert str(expected) == (
        "about 69,173,028,785 states (counted by J. Tromp, John's Connect Four Playground, "
        "tromp.github.io/c4/c4.html): about 97 GB of disk for the work (100 GB are free), 42 GB for the "
        "database, 115 minutes at 10,000,000 a second"
    )
    folded = forecast(Connect(6, 6, 4), tmp_path, LAYERS, fold=True)
    assert str(folded).startswith("about 34,586,514,392 classes of symmetric states (counted by J. Tromp")


def test_without_a_count_the_bound_of_the_rules_is_told(tmp_path: Path, disk: SimpleNamespace) -> None:
    game = Connect(6, 6, 5)
    expected = forecast(game, tmp_path, LAYERS, fold=False)
    assert str(expected).startswith(f"at most {game.states_at_most():,} states: up to ")


def test_a_count_that_does_not_fit_is_refused_and_a_bound_that_may_be_loose_is_not(
    tmp_path: Path, disk: SimpleNamespace
) -> None:
    disk.free = 90_000_000_000
    with pytest.raises(TooLarge, match=r"too much for the disk: about 69,173,028,785 states"):
        refuse_hopeless(forecast(Connect(6, 6, 4), tmp_path, LAYERS, fold=False))
    refuse_hopeless(forecast(Connect(6, 6, 4), tmp_path, LAYERS, fold=True))
    refuse_hopeless(forecast(Connect(6, 6, 5), tmp_path, LAYERS, fold=False))


def test_classes_that_were_counted_are_at_least_the_states_by_their_symmetries() -> None:
    known = known_count(Connect(4, 4, 4), fold=True)
    assert known is not None
    assert known.states <= published()["connect_4x4"]["classes"] < 1.01 * known.states


def test_classes_with_exchanged_players_are_known_only_where_players_are_exchanged() -> None:
    known = known_count(Dobutsu(), fold=True, exchange=True)
    assert known is not None
    assert known.states == sum(published()["dobutsu"]["outcomes"].values())
    assert known_count(Dobutsu(), fold=True) is None
    assert known_count(Dobutsu(), fold=False) is None


@dataclass(frozen=True)
class Other(Connect):
    """Somebody else's rules with the parameters of connect-k."""


def test_the_count_is_that_of_the_rules_by_name() -> None:
    assert known_count(Other(6, 6, 4), fold=False) is None
    assert known_count(Connect(6, 6, 5), fold=False) is None
