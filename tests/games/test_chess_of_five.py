"""Chess endings with five pieces, solved and proved whole: 8 GiB of memory, 40 GB of disk, two hours each."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random

import chess
import pytest

from solver import open_database, solve
from solver.games.chess_ending import ChessEnding
from solver.proof.verify import verify_database
from tests.games.test_chess_ending import boards, name_of
from tests.support.published import published

POSITIONS = 500


def texts_of(board: chess.Board) -> list[str]:
    """The position and those after its moves."""
    texts = [board.fen()]
    for move in board.legal_moves:
        board.push(move)
        texts.append(board.fen())
        board.pop()
    return [" ".join(text.split()[:2]) for text in texts]


def backed_up(board: chess.Board, after: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The value for white, and the plies to the end or -1 for none, by the labels after the moves."""
    sign = 1 if board.turn == chess.WHITE else -1
    if not after:
        return -sign * board.is_checkmate(), 0
    best = max(sign * value for value, _ in after)
    plies = [plies for value, plies in after if sign * value == best]
    return sign * best, 1 + (min(plies) if best > 0 else max(plies)) if best else -1


@pytest.mark.slow
@pytest.mark.parametrize("pieces", published()["chess_ending_of_five"]["longest"])
def test_an_ending_with_five_pieces(pieces: str, tmp_path: Path) -> None:
    game, path = ChessEnding(pieces), tmp_path / "ending.db"
    solve(game, path, fold=True, memory=8 << 30)
    with open_database(path) as db:
        lost = [kind.remoteness for kind in db.counts() if kind.outcome == "loss"]
        assert max(filter(None, lost)) == published()["chess_ending_of_five"]["longest"][pieces]
        asked = [(board, texts_of(board)) for board in islice(boards(pieces, Random(5)), POSITIONS)]
        actual = db.lookup([text for _, texts in asked for text in texts], best=False)
        labels = zip(actual.value.tolist(), actual.remoteness.tolist(), strict=True)
        for board, texts in asked:
            state, (own, *after) = game.parse(board.fen()), islice(labels, len(texts))
            moves = {name_of(game, board, legal_move) for legal_move in board.legal_moves}
            assert {game.action_name(action) for action in game.actions(state)} == moves
            assert own == backed_up(board, after), board.fen()
        assert verify_database(db) == []
