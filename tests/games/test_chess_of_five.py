"""Chess endings with five pieces, solved and proved whole: 8 GiB of memory, 40 GB of disk, two hours each."""

from pathlib import Path
from random import Random

import chess
import pytest

from solver import Database, open_database, solve
from solver.games.chess_ending import ChessEnding
from solver.proof.verify import verify_database
from tests.games.test_chess_ending import name_of
from tests.support.published import published

POSITIONS = 500


def boards(pieces: str, random: Random) -> list[chess.Board]:
    """Random legal set-ups."""
    second, found = pieces.index("K", 1), list[chess.Board]()
    letters = [chess.Piece.from_symbol(each) for each in pieces[:second] + pieces[second:].lower()]
    while len(found) < POSITIONS:
        board = chess.Board(None)
        board.set_piece_map(dict(zip(random.sample(range(64), len(letters)), letters, strict=True)))
        board.turn = random.choice([chess.WHITE, chess.BLACK])
        if board.is_valid():
            found.append(board)
    return found


def label(db: Database, board: chess.Board) -> tuple[int, int | None]:
    """The value for white, and the plies to the end."""
    entry = db[" ".join(board.fen().split()[:2])]
    return entry.value, entry.remoteness


def backed_up(db: Database, board: chess.Board) -> tuple[int, int | None]:
    """The label of a board by those of the boards after its moves, as another program makes them."""
    if board.is_checkmate():
        return (-1 if board.turn == chess.WHITE else 1), 0
    sign, labels = (1 if board.turn == chess.WHITE else -1), list[tuple[int, int | None]]()
    for move in board.legal_moves:
        board.push(move)
        labels.append(label(db, board))
        board.pop()
    if not labels:
        return 0, 0
    best = max(sign * value for value, _ in labels)
    plies = [plies for value, plies in labels if sign * value == best and plies is not None]
    if best == 0:
        return 0, None
    return sign * best, 1 + (min if best > 0 else max)(plies)


@pytest.mark.slow
@pytest.mark.parametrize("pieces", published()["chess_ending_of_five"]["longest"])
def test_an_ending_with_five_pieces(pieces: str, tmp_path: Path) -> None:
    game, path = ChessEnding(pieces), tmp_path / "ending.db"
    solve(game, path, fold=True, memory=8 << 30)
    with open_database(path) as db:
        lost = [kind.remoteness for kind in db.counts() if kind.outcome == "loss"]
        assert max(filter(None, lost)) == published()["chess_ending_of_five"]["longest"][pieces]
        for board in boards(pieces, Random(5)):
            state = game.parse(board.fen())
            moves = {name_of(game, board, each) for each in board.legal_moves}
            assert {game.action_name(action) for action in game.actions(state)} == moves
            assert label(db, board) == backed_up(db, board), board.fen()
        assert verify_database(db) == []
