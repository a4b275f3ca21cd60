"""Plies to a capture or a draw, on known positions and by counting letters in texts."""

from typing import Any

import pytest

from solver import Database, load_game
from solver.analysis.puzzles import hardest
from solver.analysis.puzzles.puzzle import NEVER, Wanted, plies_to_draw, plies_to_gain
from solver.database.entry import Entry, Move
from tests.support.solved import solved


@pytest.mark.parametrize(
    ("pieces", "position", "move", "plies"),
    [
        ("KQKR", "8/8/8/8/3r3Q/2k4K/8/8 b", "Rh4", 1),
        ("KQKR", "8/8/8/8/7Q/2k4K/8/3r4 b", "Rh1", 3),  # a skewer: the queen is behind the king
        ("KQKR", "Q7/8/8/8/1k6/3r4/8/K7 b", "Ra3", 3),  # the queen takes and is taken
        ("KQKR", "KQ6/8/8/3k4/8/8/8/2r5 b", "Ra1", NEVER),  # a skewer only after the next check
        ("KRK", "8/8/8/8/8/8/1k6/1R2K3 b", "Kb1", 1),
        ("KRK", "8/8/8/8/8/8/1k6/1R2K3 b", "Kc2", NEVER),
    ],
)
def test_captures_and_unmet_threats_are_counted(pieces: str, position: str, move: str, plies: int) -> None:
    game = load_game("chess-ending", {"pieces": pieces})
    state = game.parse(position)
    after = {str(game.action_name(action)): game.result(state, action) for action in game.actions(state)}
    assert plies_to_gain(game, state, after[move]) == plies


def test_forced_draw_at_the_end_counts_plies() -> None:
    game = load_game("tictactoe", {})
    for position, plies in (("xoxxoxoxo", 1), ("xoxxoxox.", 2), ("xoxxoxo..", NEVER)):
        assert plies_to_draw(game, game.parse(position), 0) == plies


def pawns(position: str, side: str) -> int:
    return position.split()[0].count(side)


def seen_at_once(entry: Entry, answer: Move) -> bool:
    """Whether the answer is the only capture of a position of hexapawn, where no move takes two pawns."""
    other = "b" if entry.to_move == "white" else "w"
    before = pawns(entry.position, other)
    return [move for move in entry.moves if pawns(move.position, other) < before] == [answer]


def seen_next(db: Database, entry: Entry, answer: Move) -> bool:
    """Whether after the answer alone a pawn can be taken whatever the reply is, and no more were lost."""
    own, other = "wb" if entry.to_move == "white" else "bw"

    def taken(position: str) -> bool:
        lost = pawns(entry.position, own) - pawns(position, own)
        return pawns(entry.position, other) - pawns(position, other) >= max(1, lost)

    def threat(move: Move) -> bool:
        child: Any = db[move.position]
        replies = [db[reply.position].moves for reply in child.moves]
        return not child.is_terminal and all(any(taken(item.position) for item in moves) for moves in replies)

    return [item for item in entry.moves if threat(item)] == [answer]


def test_difficulty_by_captures_equals_brute_force_in_both_layouts() -> None:
    game = ("hexapawn", {"rows": 4, "columns": 3})
    with solved(*game, layout="readable") as db:
        actual = hardest(db, Wanted(10_000))
        for puzzle in actual:
            entry, answer = puzzle.entry, puzzle.answer
            ends = max(move.remoteness or 0 for move in entry.moves if move != answer)
            gain = 1 if seen_at_once(entry, answer) else 3 if seen_next(db, entry, answer) else NEVER
            assert puzzle.difficulty.ahead == min(answer.remoteness or NEVER, ends, gain)
        assert {1, 2, 3} <= {item.difficulty.ahead for item in actual}
    with solved(*game, layout="packed") as db:
        for count in (3, 40, 10_000):
            for one, again in zip(actual[:count], hardest(db, Wanted(count)), strict=True):
                assert (one.entry, one.difficulty) == (again.entry, again.difficulty)
