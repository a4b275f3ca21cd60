"""The forecast of a large solve: published numbers of states, or else the rules' bound."""

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from solver import load_game, solve
from solver.engines.arrays.solve import memory_solve
from solver.engines.forecast import (
    ARRAYS,
    LAYERS,
    LOOPS,
    Costs,
    Count,
    Forecast,
    expected_count,
    forecast,
    known_count,
    refuse_hopeless,
)
from solver.engines.memory import size
from solver.engines.options import SolveOptions
from solver.engines.states import PackedStarts
from solver.errors import TooLarge, UnfitRules
from solver.games.connect import Connect
from solver.games.dobutsu import Dobutsu
from solver.games.quixo import Quixo
from solver.packed import PackedGame
from solver.rules.folding import Folding
from tests.support.games.packed import Climb, Coins
from tests.support.killed import Killed
from tests.support.published import published

QUIXO = Quixo(4, 4, 4)
"""It has eight symmetries, the identity among them, and players that can be exchanged."""


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A disk with 100 GB free."""
    usage = SimpleNamespace(free=100_000_000_000)
    monkeypatch.setattr("solver.engines.forecast.shutil", SimpleNamespace(disk_usage=lambda folder: usage))
    return usage


def test_forecast_cites_the_source_of_a_published_count(tmp_path: Path, disk: SimpleNamespace) -> None:
    expected = forecast(expected_count(Folding(Connect(6, 6, 4))), tmp_path, LAYERS, fold=False)
    assert str(expected) == (
        "about 69,173,028,785 states (counted by J. Tromp, John's Connect Four Playground, "
        "tromp.github.io/c4/c4.html): about 69 GB of disk for the work (100 GB are free), 28 GB for the "
        "database, 115 minutes at 10,000,000 a second"
    )
    folded = forecast(expected_count(Folding(Connect(6, 6, 4), 1)), tmp_path, LAYERS, fold=True)
    assert str(folded).startswith("about 34,586,514,392 classes of symmetric states (counted by J. Tromp")


@pytest.mark.parametrize(
    ("states", "time"),
    [(1, "1 s"), (10**7, "1 s"), (10**9, "100 s"), (12 * 10**8, "2 minutes"), (72 * 10**9, "2 hours")],
)
def test_forecast_chooses_the_unit_of_time(states: int, time: str) -> None:
    assert f" for the database, {time} at 10,000,000 a second" in str(Forecast(states, LAYERS, 10**12))


def test_size_has_at_most_three_digits() -> None:
    sizes = [*map(size, (999, 999_499, 999_500, 1e12))]
    assert sizes == ["999 bytes", "999 kB", "1.0 MB", "1.0 TB"]


@pytest.mark.parametrize("costs", [ARRAYS, LAYERS, LOOPS])
def test_huge_bound_is_forecast_and_refused_in_files(tmp_path: Path, costs: Costs) -> None:
    expected = forecast(Count(10**1000, None), tmp_path / "work", costs, fold=False)
    assert expected is not None
    assert "1,000,000 TB or more" in " ".join(expected.rows().values())
    with pytest.raises(TooLarge, match="too much for the disk") if costs.work_bytes else nullcontext():
        refuse_hopeless(expected)


def test_count_beyond_the_disk_is_refused_a_bound_is_not(tmp_path: Path, disk: SimpleNamespace) -> None:
    disk.free = 60_000_000_000
    with pytest.raises(TooLarge, match=r"too much for the disk: about 69,173,028,785 states"):
        refuse_hopeless(forecast(expected_count(Folding(Connect(6, 6, 4))), tmp_path, LAYERS, fold=False))
    refuse_hopeless(forecast(expected_count(Folding(Connect(6, 6, 4), 1)), tmp_path, LAYERS, fold=True))
    refuse_hopeless(forecast(expected_count(Folding(Connect(6, 6, 5))), tmp_path, LAYERS, fold=False))


def test_estimated_classes_are_within_1_percent_below_published() -> None:
    known = known_count(Folding(Connect(4, 4, 4), 1))
    assert known is not None
    assert known.states <= published()["connect_4x4"]["classes"] < 1.01 * known.states


@dataclass(frozen=True)
class Other(Connect):
    """Somebody else's rules with the parameters of connect-k."""


@pytest.mark.parametrize(
    ("folding", "states"),
    [
        (Folding(Dobutsu(), 2), sum(published()["dobutsu"]["outcomes"].values())),
        (Folding(Dobutsu(), 1), None),
        (Folding(Dobutsu()), None),
        (Folding(Other(6, 6, 4)), None),
        (Folding(Connect(6, 6, 5)), None),
    ],
)
def test_known_count_requires_the_same_rules_and_folding(folding: Folding, states: int | None) -> None:
    known = known_count(folding)
    assert (None if known is None else known.states) == states


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the engines that begin, each of which ends the solve; a thousand states are many."""
    names: list[str] = []

    def begin(name: str) -> Any:
        def write(*_: object) -> None:
            names.append(name)
            raise Killed

        return write

    monkeypatch.setattr("solver.engines.choose.MAX_STATES_FOR_READABLE", 1000)
    monkeypatch.setattr("solver.engines.layers.solve.write_layered", begin("layers"))
    monkeypatch.setattr("solver.engines.loops.solve.write_loops", begin("loops"))
    return names


@pytest.mark.parametrize(
    ("game", "fold", "engine", "sentence"),
    [
        (Dobutsu(), True, "loops", "about 246,803,167 classes of symmetric states (counted by T. Tanaka"),
        (Dobutsu(), False, "loops", f"at most {Dobutsu().states_at_most():,} states: up to"),
        (QUIXO, True, "loops", f"at most {QUIXO.states_at_most() // 16:,} classes of symmetric states: up"),
        (Connect(5, 5, 4), False, "layers", "about 69,763,700 states (counted by J. Tromp"),
    ],
    ids=["dobutsu folded", "dobutsu", "quixo", "connect"],
)
def test_forecast_matches_the_engine_that_begins(
    tmp_path: Path, begun: list[str], game: PackedGame, fold: bool, engine: str, sentence: str
) -> None:
    said: list[str] = []
    with pytest.raises(Killed):
        solve(game, tmp_path / "game.db", fold=fold, say=said.append)
    costs = {"layers": LAYERS, "loops": LOOPS}[engine]
    assert begun == [engine]
    assert len(said) == 1
    assert said[0].startswith(sentence)
    assert f" at {costs.states_per_second:,} a second" in said[0]


def _begin(state: int) -> int:
    raise Killed


class Everywhere(Coins):
    """Coins in which play begins anywhere, in what may be a trillion states."""

    def states_at_most(self) -> int:
        return 10**12

    def initial_states(self) -> Iterable[int]:
        return map(_begin, (0,))


class Listed(Everywhere):
    """The same, but the states in which play begins are told to be few."""

    def initial_states(self) -> Iterable[int]:
        return [0, 2]


@pytest.mark.parametrize("engine", ["auto", "arrays", "layers"])
@pytest.mark.parametrize("memory", [None, 2 * 10**9])
@pytest.mark.parametrize(
    ("game", "bound"),
    [(Everywhere(), "1,000,000,000,000"), (load_game("chess-ending", {"pieces": "KQKQR"}), "2,249,728,000")],
)
def test_too_many_starts_are_refused_before_generation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Any, bound: str, engine: str, memory: int | None
) -> None:
    monkeypatch.setattr("solver.system.resources.available", lambda: 20 * 10**9)
    monkeypatch.setattr("solver.games.chess_ending.set_ups", None)
    with pytest.raises(TooLarge, match=f"may begin in as many as {bound} states, which take .* of memory"):
        solve(game, tmp_path / "game.db", engine=engine, layout="packed", memory=memory)
    assert not any(tmp_path.iterdir())


def test_starts_of_a_folded_solve_may_exceed_memory_but_not_disk() -> None:
    """Fewer bytes than two billion are for 281 million classes of starts, but there is disk."""
    game: Any = load_game("chess-ending", {"pieces": "KQKQR"})
    options = SolveOptions(fold=True, memory=2 * 10**9)
    assert len(PackedStarts(game, options, 8 * 10**9).firsts)
    with pytest.raises(TooLarge, match=r"take 4\.5 GB of memory or disk before the first move"):
        PackedStarts(game, options, 2 * 10**9)


def test_few_listed_starts_are_accepted_despite_a_large_bound(tmp_path: Path) -> None:
    assert solve(Listed(), tmp_path / "game.db", engine="arrays", layout="packed").states > 2


def test_fallback_from_layers_prints_the_forecast_for_loops(
    tmp_path: Path, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise UnfitRules("a state is reached at two plies")

    monkeypatch.setattr("solver.engines.arrays.discovery.Discovery.is_layered", True)
    monkeypatch.setattr("solver.engines.layers.solve.write_layered", refuse)
    said: list[str] = []
    with pytest.raises(Killed):
        solve(Dobutsu(), tmp_path / "game.db", say=said.append)
    assert begun == ["loops"]
    speeds = [sentence.rpartition(" at ")[2].partition(" a second")[0] for sentence in said]
    assert speeds == [f"{costs.states_per_second:,}" for costs in (LAYERS, LOOPS)]


@pytest.mark.parametrize(
    ("game", "fold", "returns"),
    [
        (Climb(7), False, True),
        (Climb(2_000), False, True),
        (Climb(10_000), False, False),  # too late to be noticed
        (Dobutsu(), True, True),
        (Connect(), True, False),
        (Connect(6, 6, 4), False, False),
    ],
)
def test_unlayered_play_is_detected_in_5000_states(game: PackedGame, fold: bool, returns: bool) -> None:
    with memory_solve(game, SolveOptions(fold=fold)) as memory:
        discovery = memory.discovery()
        discovery.run(5_000)
        assert discovery.is_layered != returns
