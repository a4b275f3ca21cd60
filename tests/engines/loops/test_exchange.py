"""Large folded games with exchanged players: each state has the label of the unfolded solve."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver import Database, open_database, solve
from solver.analysis.difference import difference
from solver.analysis.difference_report import as_dict
from solver.database.entry import Entry
from solver.database.packed.reader import PackedDatabase
from solver.engines.array_rules.compiled_rules import compiled_rules
from solver.engines.array_rules.rules import Rules
from solver.engines.conversion import convert
from solver.errors import UnknownPosition
from solver.games.dobutsu import Dobutsu
from solver.games.quixo import Quixo
from solver.packed import PackedGame
from tests.engines.loops.test_solve import divided
from tests.support.drawn import drawn
from tests.support.exchanged_files import class_of, exchanged_file
from tests.support.games.packed import ExchangedTable, exchanged_loops


def plain_file(game: PackedGame, folder: Path, **options: Any) -> Path:
    """The file of a game solved in memory."""
    path = folder / "plain.db"
    solve(game, path, engine="arrays", layout="packed", force=True, **options)
    return path


def answers(entry: Entry) -> tuple[Any, ...]:
    """What an entry says, but for the ply, which only games in layers have."""
    state = entry.position, entry.to_move, entry.is_terminal
    return *state, entry.value, entry.outcome, entry.remoteness, entry.best_move, entry.moves_by_action


def states_of(db: Database) -> list[int]:
    assert isinstance(db, PackedDatabase)
    return [key for states in db.states() for key in states.keys.tolist()]


def compare(game: PackedGame, folder: Path) -> None:
    """Compare all states of a game by single, fast and batch lookups."""
    exchanged = exchanged_file(game, folder)
    with open_database(plain_file(game, folder)) as whole, open_database(exchanged) as db:
        keys = states_of(whole)
        assert db.about["folded"] == "exchange"
        assert set(states_of(db)) == {class_of(game, key) for key in keys}
        assert db.about["terminal"] == str(sum(map(bool, map(game.is_terminal, states_of(db)))))
        for key in keys:
            assert answers(db.entry_of(key)) == answers(whole.entry_of(key))
            assert db.probe(key) == whole.probe(key)
        actual, expected = (item.lookup(np.array(keys)) for item in (db, whole))
        assert actual.value.tolist() == expected.value.tolist()
        assert actual.remoteness.tolist() == expected.remoteness.tolist()
        assert all(actual.best_moves(at) == expected.best_moves(at) for at in range(len(keys)))


@drawn(25, 400, game=exchanged_loops())
def test_lookups_match_the_unfolded_file(tmp_path: Path, game: ExchangedTable) -> None:
    with divided():
        compare(game, tmp_path)


@pytest.mark.parametrize("endless", ["first", "second"])
def test_players_are_not_exchanged_if_endless_play_has_a_winner(tmp_path: Path, endless: str) -> None:
    game = Quixo(2, 2, 2)
    path = exchanged_file(game, tmp_path, endless=endless)
    other = plain_file(game, tmp_path, endless=endless, fold=True)
    with open_database(path) as db, open_database(other) as small:
        assert db.about["folded"] == "true"
        assert {answers(entry) for entry in db.entries()} == {answers(entry) for entry in small.entries()}


def test_conversion_matches_a_folded_readable_solve(tmp_path: Path) -> None:
    game = Quixo(2, 3, 3)
    solve(game, tmp_path / "expected.db", layout="readable", fold=True)
    with open_database(exchanged_file(game, tmp_path)) as db:
        convert(db, tmp_path / "readable.db", "readable")
    assert (tmp_path / "readable.db").read_bytes() == (tmp_path / "expected.db").read_bytes()


def test_difference_reports_plies_of_the_file_it_counts(tmp_path: Path) -> None:
    """State n + 2 is n with exchanged players; each start leads to an end."""
    game = ExchangedTable(1, 1, (3, -1, 1, -1), (0, 0, 1, 1), (0, 1, 0, -1), (0, 2), tells=False)
    other = replace(game, utilities=(0, 0, 0, 0))
    with open_database(exchanged_file(game, tmp_path)) as a, open_database(plain_file(other, tmp_path)) as b:
        report = as_dict(a, b, difference(a, b, 10))
    assert [item["ply"] for item in report["per_ply"]] == [0, 1]
    assert [item["ply"] for item in report["first"]["value"]] == [0, 0, 1, 1]


def test_lookup_of_invalid_state_raises_unknown_position(tmp_path: Path) -> None:
    with open_database(exchanged_file(Quixo(2, 2, 2), tmp_path)) as db:
        for asked in (2**62, 2**62 + 1, 3 << 40, 3 << 40 | 1, 2**63 - 1, 2**63 - 2):
            with pytest.raises(UnknownPosition):
                db.probe(asked)
            with pytest.raises(UnknownPosition):
                db.lookup(np.array([0, asked]))


def rules_of(game: PackedGame) -> list[Rules]:
    return [Rules(game, 2), compiled_rules(game, 2)]


LARGE = pytest.param(Quixo(5, 5, 5), marks=pytest.mark.slow)


@pytest.mark.parametrize("game", [Dobutsu(), Quixo(3, 4, 3), LARGE])
def test_canonical_state_is_equal_for_all_images(game: PackedGame) -> None:
    state, actual = game.initial, list[int]()
    for turn in range(60):
        actual.append(state)
        actions = game.actions(state)
        state = game.result(state, actions[7 * turn % len(actions)]) if actions else game.initial
    keys = np.array(actual)
    for rules in rules_of(game):
        assert rules.representatives(keys).tolist() == [class_of(game, key) for key in actual]
        images = [*rules.images(keys)]
        assert len(images) == 2 * len(game.symmetries()) + 1
        assert all((rules.canonical(image) == rules.canonical(keys)).all() for image in images)
