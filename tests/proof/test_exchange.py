"""Proofs of files with the first player to move in all states: sound ones pass, altered ones do not."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, strategies as st

from solver import load_game, open_database
from solver.errors import DamagedFile
from solver.games.mnk import TicTacToe
from solver.games.quixo import Quixo
from solver.packed import PackedGame
from tests.support.drawn import drawn
from tests.support.exchanged_files import class_of, exchanged_file
from tests.support.games.packed import ExchangedTable, WiderTable, exchanged_loops
from tests.support.packed_rows import change, claim, hold_against_other_rows, packed, problems, rows_of


@drawn(20, 200, game=exchanged_loops(), data=st.data())
def test_only_correct_rows_are_proved(tmp_path: Path, game: ExchangedTable, data: st.DataObject) -> None:
    wider = WiderTable(**{field.name: getattr(game, field.name) for field in fields(game)})
    assert problems(exchanged_file(wider, tmp_path)) == []
    hold_against_other_rows(exchanged_file(game, tmp_path), len(game.utilities), data)


def changed(numbers: tuple[int, ...], at: int, number: int) -> tuple[int, ...]:
    return (*numbers[:at], number, *numbers[at + 1 :])


@drawn(20, 300, game=exchanged_loops(), data=st.data())
def test_bias_in_one_state_is_reported(tmp_path: Path, game: ExchangedTable, data: st.DataObject) -> None:
    """A move or an end changed in a state with the second player to move, which no file has."""
    path = exchanged_file(game, tmp_path)
    row = data.draw(st.sampled_from(rows_of(path)))
    other = game.exchanged(row.key)
    if row.is_terminal:
        biased = replace(game, utilities=changed(game.utilities, other, game.utilities[other] + 1))
    else:
        place = other * game.most + data.draw(st.integers(0, game.most - 1))
        child = data.draw(st.integers(-1, len(game.movers) - 1))
        biased = replace(game, children=changed(game.children, place, child))
        before, after = ({class_of(item, of) for of in moves(item, other)} for item in (game, biased))
        assume(before != after or (child >= 0 and game.to_move(child) == 1))
    claim(path, biased)
    assert problems(path)


def moves(game: PackedGame, state: int) -> list[int]:
    """The children of a state."""
    return [game.result(state, action) for action in game.actions(state)]


@pytest.mark.parametrize(
    ("tables", "complaint"),
    [
        ({"children": (0, -1, 3, -1)}, "the first player is to move again after a move"),
        ({"movers": (1, 0, 0, 1)}, "the second player is to move, as in no state of the file"),
        ({"utilities": (0, 1, 0, 1)}, "it is not the same with exchanged players"),
        ({"children": (1, -1, 1, -1)}, "its moves are others with exchanged players"),
    ],
)
def test_verify_reports_false_exchange(tmp_path: Path, tables: dict[str, Any], complaint: str) -> None:
    game = ExchangedTable(1, 1, (1, -1, 3, -1), (0, 1, 1, 0), (0, 1, 0, -1), tells=False)
    path = exchanged_file(game, tmp_path)
    assert problems(path) == []
    claim(path, replace(game, **tables))
    assert any(complaint in problem for problem in problems(path)), problems(path)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (Quixo(2, 2, 2), {"endless": "first"}),  # which favours a player
        (TicTacToe(), {}),  # in layers, where labels tell the ply
        (load_game("ponghauki"), {}),  # the rules tell nothing of it
    ],
    ids=str,
)
def test_unfit_exchange_is_refused(tmp_path: Path, game: PackedGame, options: dict[str, Any]) -> None:
    path, complaint = packed(game, tmp_path, **options), "folded: 'exchange', which is not for such a game"
    change(path, "update about set value = 'exchange' where key = 'folded'")
    assert any(complaint in problem for problem in problems(path))
    with open_database(path) as db, pytest.raises(DamagedFile, match=complaint):
        db.probe(db.start)
