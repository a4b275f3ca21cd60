import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import chess
import chess.gaviota
import numpy as np
import pytest

from solver import open_database, solve
from solver.database.columns import Selection, batches, fields
from solver.game import SIGNS, sign_for
from solver.games.chess_ending import ChessEnding
from solver.proof.verify import verify_database
from solver.rules.arrays import representatives
from tests.support.numbered import solved_in_memory
from tests.support.published import DATA, published

ENDINGS = ["KQK", "KRK", "KBNK", "KRKN", "KRRK", "KK", "KNKB", "KQKBB"]

CLASSES = json.loads((DATA / "chess_endings.json").read_text("utf-8"))["endings"]
"""What the classes of positions of some endings come to, by the name of the ending and the side to move."""

NOBODY = 9
"""The value of what the side to move has no part in."""

GAVIOTA = "/usr/share/gaviotatb/gtb4"
"""Where Debian's package `gaviotatb` puts the tables that python-chess reads."""


def name_of(game: ChessEnding, board: chess.Board, move: chess.Move) -> str:
    """A move in algebraic notation, which says from where if a side begins with two pieces of the kind."""
    letter = chess.piece_symbol(board.piece_type_at(move.from_square) or 0).upper()
    is_doubled = max(side.count(letter) for side in game.pieces.split("K")) > 1
    return letter + move.uci()[0 if is_doubled else 2 :]


def boards(pieces: str, random: Random) -> Iterator[chess.Board]:
    """Random legal set-ups, without end."""
    second = pieces.index("K", 1)
    letters = [chess.Piece.from_symbol(item) for item in pieces[:second] + pieces[second:].lower()]
    while True:
        board = chess.Board(None)
        board.set_piece_map(dict(zip(random.sample(range(64), len(letters)), letters, strict=True)))
        board.turn = random.choice([chess.WHITE, chess.BLACK])
        if board.is_valid():
            yield board


def walks(game: ChessEnding, count: int, plies: int = 12) -> list[int]:
    """States along random games from random set-ups."""
    random, actual = Random(7), list[int]()
    begun = boards(game.pieces, random)
    while len(actual) < count * plies:
        state = game.parse(next(begun).fen())
        for _ in range(plies):
            actual.append(state)
            if not (actions := game.actions(state)):
                break
            state = game.result(state, random.choice(actions))
    return actual


@pytest.mark.parametrize(
    ("pieces", "count"),
    [
        *((pieces, 8) for pieces in ENDINGS if pieces not in ("KQK", "KRK", "KRRK")),
        *(pytest.param(pieces, 60, marks=pytest.mark.slow) for pieces in ENDINGS),
    ],
)
def test_moves_and_ends_equal_those_of_python_chess(pieces: str, count: int) -> None:
    game = ChessEnding(pieces)
    for state in walks(game, count):
        board = chess.Board(f"{game.position(state)} - - 0 1")
        assert board.is_valid()
        assert (board.turn == chess.WHITE) == (game.to_move(state) == 0)
        dead = board.is_insufficient_material() and len(board.piece_map()) < 4
        moves = {name_of(game, board, move): move for move in ([] if dead else board.legal_moves)}
        assert {game.action_name(action) for action in game.actions(state)} == moves.keys()
        if not moves:
            assert game.utility(state) == board.is_checkmate() * (-1 if board.turn == chess.WHITE else 1)
        for action in game.actions(state):
            board.push(moves[str(game.action_name(action))])
            assert game.position(game.result(state, action)) == f"{board.board_fen()} {'bw'[board.turn]}"
            board.pop()


def test_counts_of_positions_mates_and_stalemates_are_published_ones() -> None:
    game, expected = ChessEnding("KQK"), published()["chess_ending"]["KQK"]
    states = list(game.initial_states())
    movers = Counter(map(game.to_move, states))
    assert movers == {0: expected["white_to_move"], 1: expected["black_to_move"]}
    assert len(set(states)) == len(states) <= game.states_at_most()
    black: Any = np.array([state for state in states if state & 1])
    ends = Counter(game.utility(black[game.is_terminal(black)]).tolist())
    assert ends == {1: expected["mates"], 0: expected["stalemates"]}


@pytest.mark.slow
@pytest.mark.parametrize("pieces", published()["chess_ending"])
def test_results_of_endings_are_published_ones(pieces: str) -> None:
    game, expected = ChessEnding(pieces), published()["chess_ending"][pieces]
    actual, labels = solved_in_memory(game, fold=False)
    assert actual.starts == len(set(game.initial_states()))
    results = Counter(zip(actual.movers[: actual.starts].tolist(), labels.values.tolist(), strict=False))
    white = sum(count for (side, _), count in results.items() if side == 0)
    assert results[0, 1] == white == expected.get("white_wins", white)
    assert results[1, 1] == expected.get("black_loses", results[1, 1])
    assert results[1, 0] == expected.get("black_draws", results[1, 0])
    assert results[1, -1] == 0
    won = (actual.movers == 0) & (labels.values != 0)
    assert labels.remoteness[won].max() == expected["longest"]


def ways_to_tell_apart(game: ChessEnding, states: Any) -> Any:
    """How many classes each class is if two pieces that are alike are told apart, as in the published counts.

    It is one where a reflection of the board exchanges them and leaves all else in its place.
    """
    if not any(pair in game.pieces for pair in ("QQ", "RR", "BB", "NN")):
        return np.ones(len(states), np.int64)
    squares = [states >> 1 + 7 * number & 127 for number in range(len(game.pieces))]
    rising = np.logical_and.reduce([square >> 3 == square & 7 for square in squares])
    falling = np.logical_and.reduce([(square >> 3) + (square & 7) == 7 for square in squares])
    is_mapped = np.logical_or.reduce([symmetry.state(states) == states for symmetry in game.symmetries()])
    return np.where(is_mapped & ~rising & ~falling, 1, 2)


def outcomes_of(game: ChessEnding, path: Path) -> dict[str, dict[str, Any]]:
    """What the classes of full set-ups come to for the side to move, in the form of the published counts."""
    with open_database(path) as db:
        names = [field.name for field in fields(db, Selection())]
        columns = [np.concatenate(parts) for parts in zip(*batches(db, Selection()), strict=True)]
    actual = dict(zip(names, columns, strict=True))
    ways = ways_to_tell_apart(game, actual["state"]) * (game.tier(actual["state"]) == 0)
    counts: dict[str, dict[str, Any]] = {}
    for mover, name in enumerate(("white to move", "black to move")):
        values = np.where(actual["to_move"] == mover, sign_for(mover) * actual["value"], NOBODY)
        counts[name] = {word: int(ways[values == sign].sum()) for word, sign in SIGNS.items()}
        for word in ("win", "loss"):
            lasting = np.bincount(actual["remoteness"] + 1, ways * (values == SIGNS[word]))
            numbers = {str(plies): int(count) for plies, count in enumerate(lasting, start=-1) if count}
            counts[name][f"{word} in plies"] = numbers
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("ending", CLASSES)
def test_counts_of_classes_are_published_ones(tmp_path: Path, ending: str) -> None:
    game, path = ChessEnding(ending.replace("v", "")), tmp_path / "ending.db"
    solve(game, path, fold=True, engine="arrays", layout="packed")
    counts = outcomes_of(game, path)
    for side, published_counts in CLASSES[ending].items():
        assert {word: counts[side][word] for word in published_counts} == published_counts


@pytest.mark.slow
@pytest.mark.parametrize("pieces", ["KQK", "KRK"])
def test_distances_to_mate_equal_gaviota_tablebases(pieces: str) -> None:
    game = ChessEnding(pieces)
    actual, labels = solved_in_memory(game, fold=True)
    numbers = {state: number for number, state in enumerate(actual.states)}
    states = list(game.initial_states())
    classes = representatives(game, np.array(states)).tolist()
    with chess.gaviota.PythonTablebase() as tables:
        tables.add_directory(GAVIOTA)
        for state, number in zip(states, map(numbers.__getitem__, classes), strict=True):
            distance = tables.probe_dtm(chess.Board(f"{game.position(state)} - - 0 1"))
            mate = int(labels.remoteness[number]) if labels.values[number] else 0
            assert abs(distance) == mate
            assert (distance < 0) == (mate > 0 and game.to_move(state) == 1)


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


@pytest.mark.slow  # two hours each, 8 GiB of memory and 40 GB of disk
@pytest.mark.parametrize("pieces", published()["chess_ending_of_five"]["longest"])
def test_ending_with_five_pieces_has_the_published_longest_win(pieces: str, tmp_path: Path) -> None:
    game, path = ChessEnding(pieces), tmp_path / "ending.db"
    solve(game, path, fold=True, memory=8 << 30)
    with open_database(path) as db:
        lost = [kind.remoteness for kind in db.counts() if kind.outcome == "loss"]
        assert max(filter(None, lost)) == published()["chess_ending_of_five"]["longest"][pieces]
        asked = [(board, texts_of(board)) for board in islice(boards(pieces, Random(5)), 500)]
        actual = db.lookup([text for _, texts in asked for text in texts], best=False)
        labels = zip(actual.value.tolist(), actual.remoteness.tolist(), strict=True)
        for board, texts in asked:
            state, (own, *after) = game.parse(board.fen()), islice(labels, len(texts))
            moves = {name_of(game, board, legal_move) for legal_move in board.legal_moves}
            assert {game.action_name(action) for action in game.actions(state)} == moves
            assert own == backed_up(board, after), board.fen()
        assert verify_database(db) == []
