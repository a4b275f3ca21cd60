"""Dobutsu shogi against published counts, and against independent rules on dictionaries."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given, strategies as st

from solver import open_database, solve
from solver.games.dobutsu import Dobutsu
from tests.support.published import DATA, counted, expected, published

Board: TypeAlias = dict[str, str]
"""The pieces by the cells that they are in, such as `b4`."""

GAME = Dobutsu()
CELLS = [column + row for row in "1234" for column in "abc"]
STRAIGHT = [(0, 1), (1, 0), (-1, 0), (0, -1)]
DIAGONAL = [(1, 1), (-1, 1), (1, -1), (-1, -1)]
GOLD = [*STRAIGHT, (1, 1), (-1, 1)]
STEPS = {"L": STRAIGHT + DIAGONAL, "G": STRAIGHT, "E": DIAGONAL, "C": [(0, 1)], "H": GOLD}
"""The steps of each piece: columns aside and rows ahead."""


def of_side(letter: str, side: int) -> str:
    return letter.lower() if side else letter.upper()


def text_of(board: Board, hands: str, side: int) -> str:
    marks = "".join(board.get(cell, ".") for cell in CELLS)
    held = "".join(sorted(hands, key="GECgec".index)) or "-"
    return f"{'/'.join(marks[row : row + 3] for row in (0, 3, 6, 9))} {held} {['first', 'second'][side]}"


def steps(board: Board, side: int) -> Iterator[tuple[str, str]]:
    """The cells left and entered by each step of a side's pieces, no own piece in the way."""
    for cell, piece in board.items():
        for aside, ahead in STEPS[piece.upper()] if piece == of_side(piece, side) else ():
            target = f"{chr(ord(cell[0]) + aside)}{int(cell[1]) + (ahead if side else -ahead)}"
            if target in CELLS and board.get(target, of_side("x", 1 - side)).isupper() == bool(side):
                yield cell, target


def plays(board: Board, hands: str, side: int) -> dict[str, str]:
    """The position after each move, by its name."""
    lion = of_side("L", 1 - side)
    catches = [(cell, target) for cell, target in steps(board, side) if board.get(target) == lion]
    if catches:
        return {cell + target: text_of({}, "", 1 - side) for cell, target in catches}
    if any(board.get(column + "41"[side]) == lion for column in "abc"):
        return {}  # it has arrived
    seen = {}
    for cell, target in steps(board, side):
        piece, taken = board[cell], board.get(target, "")
        if piece.upper() == "C" and target[1] == "14"[side]:
            piece = of_side("H", side)
        after = {key: mark for key, mark in board.items() if key != cell} | {target: piece}
        gained = of_side(taken, side).replace(of_side("H", side), of_side("C", side))
        seen[cell + target] = text_of(after, hands + gained, 1 - side)
    for piece in {hand for hand in hands if hand == of_side(hand, side)}:
        for target in set(CELLS) - set(board):
            left = hands.replace(piece, "", 1)
            seen[f"{piece.upper()}*{target}"] = text_of(board | {target: piece}, left, 1 - side)
    return seen


def read(text: str) -> tuple[Board, str, int]:
    marks, held, side = text.split()
    pieces = zip(CELLS, marks.replace("/", ""), strict=True)
    return {cell: mark for cell, mark in pieces if mark != "."}, held.strip("-"), side == "second"


def hold(text: str) -> dict[str, str]:
    """The positions after the moves by both rules; an end is one by both, and worth the same."""
    state, after = GAME.parse(text), plays(*read(text))
    children = {GAME.action_name(action): GAME.result(state, action) for action in GAME.actions(state)}
    assert {name: GAME.position(child) for name, child in children.items()} == after
    assert GAME.is_terminal(state) == (not after)
    if not after:
        assert GAME.utility(state) == (1 if read(text)[2] else -1)
    return after


def test_random_play_equals_independent_rules() -> None:
    random = Random(1)
    for _ in range(25):
        text = "gle/.c./.C./ELG - first"
        while after := hold(text):
            text = random.choice(sorted(after.values()))


@st.composite
def positions(draw: st.DrawFn) -> str:
    """Any position with all pieces."""
    places = draw(st.permutations(CELLS))
    board, hands = {places[0]: "L", places[1]: "l"}, ""
    for place, piece in zip(places[2:], "GGEECC", strict=False):
        piece = of_side(piece, draw(st.integers(0, 1)))
        where = draw(st.integers(0, 2))
        if where == 0:
            hands += piece
        else:
            board[place] = piece.replace("C", "H").replace("c", "h") if where == 2 else piece
    return text_of(board, hands, draw(st.integers(0, 1)))


@given(positions())
def test_any_position_equals_independent_rules(text: str) -> None:
    assert GAME.position(GAME.parse(text)) == text
    hold(text)


def test_move_sequences_are_as_many_as_by_another_program() -> None:
    lines = Counter({GAME.initial: 1})
    for known in published()["dobutsu"]["moves"]:
        after = Counter[int]()
        for state, count in lines.items():
            for action in GAME.actions(state):
                after[GAME.result(state, action)] += count
        lines = after
        assert lines.total() == known


def test_states_at_most_is_the_published_number() -> None:
    assert GAME.states_at_most() == 2 * (published()["dobutsu"]["arrangements"] + 1)


def distances() -> Counter[tuple[str, int | None]]:
    """The published numbers of positions by result and distance, but for those that the table leaves out."""
    lines = (DATA / "dobutsu.tsv").read_text("utf-8").splitlines()
    rows = (line.split() for line in lines[4:])
    return Counter({(result, int(distance)): int(states) for distance, result, states in rows})


def test_published_distances_add_up_to_published_outcomes() -> None:
    known, counts = published()["dobutsu"], Counter[str]()
    for (result, distance), states in distances().items():
        assert result == ("loss" if distance is None or distance % 2 == 0 else "win")
        counts[result] += states
    assert counts["win"] + known["lion_can_be_taken"] == known["outcomes"]["win"]
    assert counts["loss"] + known["lion_has_arrived"] == known["outcomes"]["loss"]
    assert sum(known["outcomes"].values()) == counted("dobutsu", "classes_of_4")[()]


@pytest.mark.slow  # ten minutes, 8 GiB of memory and some 10 GB of disk
def test_labels_of_all_classes_are_published_ones(tmp_path: Path) -> None:
    """One of each class under reflection and exchange of the players; the board without lions is one more."""
    known, counts = published()["dobutsu"], distances()
    counts["win", 1] += known["lion_can_be_taken"]
    counts["loss", 0] += known["lion_has_arrived"] + 1
    counts["draw", None] = known["outcomes"]["draw"]
    path = tmp_path / "dobutsu.db"
    solve(GAME, path, engine="arrays", fold=True, memory=8 << 30)
    seen = Counter[tuple[str, int | None]]()
    with open_database(path) as db:
        assert (db.about["folded"], len(db)) == ("exchange", counted("dobutsu", "classes_of_4")[()] + 1)
        start = db[db.start]
        label = expected("dobutsu --fold")
        assert (start.value, start.remoteness) == (label["value"], label["remoteness_of_start"])
        for kind in db.counts():
            seen[kind.outcome, kind.remoteness] += kind.positions
    assert +seen == +counts


def test_board_includes_the_hands() -> None:
    state = GAME.parse("gle/.../.C./ELG C second")
    assert GAME.board(state)[0] == [""]
    assert GAME.board(state)[-2:] == [["E", "L", "G"], ["C"]]
