"""Large packed games with loops: the bytes of the engine in memory, however work is divided."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from solver import load_game, open_database, solve, verify_database
from solver.database.packed.keys import gap_codec
from solver.engines.loops import finding
from solver.engines.loops.labels import labelling, ranges
from solver.engines.storage import labelled_layer, merging, summed_file, work_folder
from solver.engines.storage.context import SolveContext
from solver.errors import BrokenRules
from solver.game import ENDLESS, AnyGame, Symmetry
from solver.games.quixo import Quixo
from tests.support.games.false_symmetry import Astray, Renamed
from tests.support.games.packed import (
    Coins,
    ExchangedTable,
    MirroredTable,
    Table,
    inverted,
    loops,
    mirrored_loops,
    mirrored_tables,
    tables,
    tiered,
)

GAMES = st.one_of(loops(starts=3), tiered(), mirrored_loops(), mirrored_loops().map(inverted))


def solved(game: AnyGame, folder: Path, *, large: bool, **options: Any) -> bytes:
    """The packed database of a game, solved as a large one or as a small one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.engines.choose.MAX_STATES_FOR_READABLE", 0 if large else 10**6)
        solve(game, folder / "game.db", engine="arrays", layout="packed", force=True, **options)
    return (folder / "game.db").read_bytes()


@contextmanager
def divided(changes: int = 3) -> Iterator[None]:
    """Have few states in a piece, a range and a task, and numbers of open moves written now and then."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (gap_codec, finding, ranges):
            patch.setattr(module, "PIECE", 3)
        patch.setattr(SolveContext, "keys_per_sort", 20)
        patch.setattr(ranges, "MIN_STATES", 1)
        patch.setattr(ranges, "STATES_PER_RANGE", 6)
        patch.setattr(labelled_layer, "LABELS_AT_ONCE", 2)
        patch.setattr(labelling, "CHANGES_PER_TASK", changes)
        patch.setattr(merging, "PIECES_TO_SEARCH", 2)
        patch.setattr("solver.engines.states.STARTS_AT_ONCE", 2)
        yield


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(GAMES, st.sampled_from(list(ENDLESS)), st.booleans(), st.booleans())
def test_large_solves_write_the_same_file(game: Table, endless: str, fold: bool, from_one: bool) -> None:
    options = {"endless": endless, "fold": fold, "start": str(game.initial) if from_one else None}
    with TemporaryDirectory() as name, divided():
        small = solved(game, Path(name), large=False, **options)
        with open_database(Path(name) / "game.db") as db:
            has_loops = "labels" in db.about
        assert solved(game, Path(name), large=True, **options) == small or not has_loops


def test_large_solve_stores_the_maximum_state(tmp_path: Path) -> None:
    game = inverted(Table(4, 1, (1, 0, 3, 2), (0, 1) * 2, (0,) * 4, (0, 2), tells=False))
    assert solved(game, tmp_path, large=True) == solved(game, tmp_path, large=False)
    with open_database(tmp_path / "game.db") as db:
        assert sorted(int(entry.position) for entry in db.entries()) == [2**63 - nth for nth in (4, 3, 2, 1)]


@given(st.one_of(tables(), mirrored_tables().map(inverted)))
@settings(max_examples=10)
def test_large_and_small_solves_agree_on_games_without_loops(game: Table) -> None:
    with TemporaryDirectory() as name:
        seen = []
        for large in (False, True):
            solved(game, Path(name), large=large)
            with open_database(Path(name) / "game.db") as db:
                seen.append(
                    sorted((it.position, it.value, it.remoteness, it.best_move) for it in db.entries())
                )
        assert seen[0] == seen[1]


@pytest.mark.parametrize("fold", [False, True])
def test_symmetries_may_fail_for_actions_that_are_never_legal(tmp_path: Path, fold: bool) -> None:
    """As in domineering, where half of the dominoes at the edges would lie outside of the board."""
    game = load_game("domineering", {"rows": 3, "columns": 3})
    with pytest.raises(IndexError):
        [symmetry.action(action) for symmetry in game.symmetries() for action in range(18)]
    solved(game, tmp_path, large=True, fold=fold)
    solve(game, tmp_path / "small.db", engine="graph")
    files = tmp_path / "game.db", tmp_path / "small.db"
    with open_database(files[0], errors="replace") as db, open_database(files[1]) as small:
        assert db.has_loops
        assert not verify_database(db)
        assert all(db[entry.position] == replace(entry, ply=None) for entry in small.entries())


LARGE = pytest.param(load_game("morris"), marks=pytest.mark.slow)


@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("game", [load_game("teeko", {"rows": 3, "columns": 3}), LARGE])
def test_states_exceeding_memory_are_written_to_files(
    game: AnyGame, fold: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, names = solved(game, tmp_path, large=False, fold=fold), list[str]()

    def written(path: Path) -> AbstractContextManager[BinaryIO]:
        names.append(path.name)
        return new_file(path)

    new_file = summed_file.new_file
    monkeypatch.setattr(work_folder, "new_file", written)
    assert solved(game, tmp_path, large=True, fold=fold) == small
    assert names
    assert not any(".run." in name for name in names)
    for memory in (1000, 3000):
        names.clear()
        monkeypatch.setattr("solver.engines.storage.resumable.memory_for_files", lambda _, m=memory: m)
        assert solved(game, tmp_path, large=True, fold=fold) == small
        assert any(".run." in name for name in names)


STAYING = [Symmetry[int, int](lambda state: state ^ (state & 2) << 1, lambda action: action)]
"""The ring is seen from below, but coins stay where they are."""

LOPSIDED = type("Lopsided", (Coins,), {"symmetries": lambda self: STAYING})

FALLING = type("Falling", (Coins,), {"tier": lambda self, state: -Coins.tier(self, state)})

SAME = type("Same", (Quixo,), {"exchanged": lambda self, state: Quixo.exchanged(self, state) ^ 1})
"""Quixo that exchanges the marks, but not the side to move."""

NOT_BACK = type("NotBack", (Quixo,), {"exchanged": lambda self, state: state & 1 ^ 1})
"""Quixo of which the exchange is not its own inverse."""

TWICE = ExchangedTable(1, 1, (1, -1, 3, -1), (0, 0, 1, 1), (0, 1, 0, -1), tells=False)
"""From 0 the first player moves to 1, where that player is to move again."""

RING = 400
"""States of each of two rings that are alike."""


def two_rings() -> MirroredTable:
    """Two rings around which players walk in steps of one or seven, to an end; play begins anywhere."""
    half = [[(state + 1) % RING, (state + 7) % RING, -1] for state in range(RING)]
    half[RING - 1] = [-1, -1, -1]
    half[17][2] = 18 + RING
    children = [child for row in half for child in row]
    children += [(child + RING) % (2 * RING) if child >= 0 else -1 for child in children]
    states = range(2 * RING)
    ends, movers = tuple(int(state % RING == RING - 1) for state in states), (0, 1) * RING
    sizes, tiers = (2 * RING, 3), (5,) * 2 * RING
    return MirroredTable(*sizes, tuple(children), movers, ends, tuple(states), tells=False, tiers=tiers)


def with_lie(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    """The numbers, one of them another."""
    return (*numbers[:place], number, *numbers[place + 1 :])


LIAR = RING + 301
"""A state of the second ring."""


@settings(max_examples=60)
@given(mirrored_loops(), st.data())
def test_false_symmetry_never_alters_an_unfolded_file(game: Table, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(game.children) - 1))
    mirrored = game.symmetries()[0].state(max(0, game.children[place]))
    child = data.draw(st.one_of(st.just(mirrored), st.integers(-1, len(game.movers) - 1)))
    states = st.integers(0, len(game.movers) - 1)
    strays = data.draw(st.one_of(st.just((-1, -1)), st.tuples(states, states)))
    rules = vars(game) | {"children": with_lie(game.children, place, child)}
    lying = Astray(**rules, stray=strays[0], goal=strays[1])
    with TemporaryDirectory() as name:
        small = solved(lying, Path(name), large=False)
        with open_database(Path(name) / "game.db") as db:
            has_loops = "labels" in db.about
        with suppress(BrokenRules):
            assert solved(lying, Path(name), large=True) == small or not has_loops


LIES: list[tuple[str, int, int, int]] = [
    ("children", 3 * LIAR, 300 + RING, LIAR),  # a step to another state
    ("children", 3 * LIAR + 1, -1, LIAR),  # one move less
    ("children", 3 * LIAR + 2, 5, LIAR),  # one more
    ("children", 3 * LIAR, 302, LIAR),  # a step to the state of the other ring that is like that one
    ("children", 3 * (2 * RING - 1), 5, 2 * RING - 1),  # an end that is none
    ("utilities", 2 * RING - 1, -1, 2 * RING - 1),
    ("movers", LIAR, 0, LIAR),
    ("movers", 2 * RING - 1, 0, 2 * RING - 1),
    ("tiers", LIAR, 4, LIAR),
]
"""What is false in one state of the second ring: where in the table, the number there, and the state."""


def lying(what: str, place: int, number: int) -> MirroredTable:
    rules: dict[str, Any] = {what: with_lie(getattr(two_rings(), what), place, number)}
    return replace(two_rings(), **rules)


def unlike(state: int) -> str:
    return f"play from the state {state - RING} is not like play from {state};"


NO_SYMMETRY = "a symmetry of the rules is not a symmetry: play from"


@pytest.mark.parametrize(
    ("game", "fold", "reason"),
    [
        *((lying(what, place, lie), False, unlike(state)) for what, place, lie, state in LIES),
        (Renamed(**vars(two_rings())), False, unlike(RING)),
        (
            Astray(**vars(two_rings()), stray=LIAR, goal=LIAR - RING + 2),
            False,
            f"the state {LIAR - RING + 2} stands for {LIAR}, but their symmetries do",
        ),
        (FALLING(), False, "the tier falls from"),
        (LOPSIDED(), False, NO_SYMMETRY),
        (LOPSIDED(), True, NO_SYMMETRY),
        (SAME(2, 2, 2), True, "the second one is to move, too"),
        (NOT_BACK(2, 2, 2), True, f"{NO_SYMMETRY} the state"),
        (TWICE, True, "the first player makes a move to the state 1, and is to move there again"),
    ],
)
def test_false_symmetry_and_tier_are_refused(tmp_path: Path, game: AnyGame, fold: bool, reason: str) -> None:
    with pytest.raises(BrokenRules, match=reason):
        solved(game, tmp_path, large=True, fold=fold)
    assert not any(tmp_path.iterdir())
