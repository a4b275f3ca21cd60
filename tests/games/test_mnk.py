from collections import Counter

import pytest
from hypothesis import given, strategies as st

from solver.engines.graph_states import explore
from solver.games.mnk import MNK, TicTacToe
from tests.support.boards import in_line, is_full
from tests.support.graphs import solved_graph, terminal
from tests.support.plain_retrograde import Label, retrograde
from tests.support.published import by_number, expected, published

SIZES = [(2, 2, 2), (3, 3, 3), (3, 4, 3), (4, 3, 4), (1, 5, 2), (5, 1, 3), (3, 3, 1), (5, 6, 4)]
OTHERS = [TicTacToe(misere=True), TicTacToe(wild=True), MNK(2, 3, 2, misere=True, wild=True)]
games = st.sampled_from([*(MNK(*size) for size in SIZES), *OTHERS])


@st.composite
def placed(draw: st.DrawFn) -> tuple[MNK, int]:
    """A game and any board, either side to move."""
    game = draw(games)
    cells = "".join(draw(st.lists(st.sampled_from("xo."), min_size=game.cells, max_size=game.cells)))
    return game, game.parse(f"{cells} {draw(st.sampled_from(game.players))}")


def test_counts_of_tictactoe_games_are_published_ones() -> None:
    known = published()["tictactoe"]
    ways: Counter[int] = Counter({0: 1})
    lengths, ends = Counter[int](), Counter[int]()
    for state, node in solved_graph(TicTacToe()).nodes.data():
        for _, child in node.get("moves", ()):
            ways[child] += ways[state]
        if "utility" in node:
            lengths[node["depth"]] += ways[state]
            ends[node["utility"]] += ways[state]
    assert sum(ways.values()) == known["histories"]
    assert lengths == by_number(known["games_by_length"])
    assert [ends[1], ends[-1], ends[0]] == known["games_x_o_draw"]


@pytest.mark.parametrize("size", ["2x2x2", "3x3x3", pytest.param("4x3x3", marks=pytest.mark.slow)])
def test_ends_and_classes_are_published_ones(size: str) -> None:
    rows, columns, k = map(int, size.split("x"))
    game, known = MNK(rows, columns, k), published()
    graph = explore(game)
    assert len(graph) <= game.states_at_most()
    assert terminal(graph) == known["mnk"]["terminal_x_o_draw"][size]
    classes = known["mnk"]["classes"].get(size, known["tictactoe"]["classes"])
    assert len({game.canonical(state) for state in graph}) == classes


def wild_by_definition(misere: bool) -> dict[str, Label]:
    """The label of every board of wild tic-tac-toe that play can reach."""
    rows = ("012", "345", "678", "036", "147", "258", "048", "246")

    def mover(board: str) -> int:
        return (9 - board.count(".")) % 2

    def winner(board: str) -> int | None:
        is_won = any({board[int(cell)] for cell in row} in ({"x"}, {"o"}) for row in rows)
        return mover(board) ^ (not misere) if is_won else None

    def children(board: str) -> list[str]:
        free = [cell for cell in range(9) if board[cell] == "."]
        return [f"{board[:cell]}{mark}{board[cell + 1 :]}" for cell in free for mark in "xo"]

    return retrograde("." * 9, mover, winner, children)


@pytest.mark.parametrize("misere", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_wild_tictactoe_has_published_value_and_defined_labels(misere: bool) -> None:
    game = TicTacToe(wild=True, misere=misere)
    graph = solved_graph(game)
    assert graph.nodes[0]["value"] == expected(f"tictactoe wild=true{' misere=true' * misere}")["value"]
    labels = [(node["value"], node["remoteness"] if node["value"] else None) for node in graph.nodes.values()]
    assert Counter(labels) == Counter(wild_by_definition(misere).values())
    assert len(graph) <= game.states_at_most()


@pytest.mark.parametrize("position", published()["tictactoe_positions"]["value"])
def test_positions_have_their_known_value(position: str) -> None:
    value = solved_graph(TicTacToe(), position).nodes[TicTacToe().parse(position)]["value"]
    assert value == published()["tictactoe_positions"]["value"][position]


@given(placed())
def test_positions_are_read_back_in_any_case(case: tuple[MNK, int]) -> None:
    game, state = case
    assert game.parse(game.position(state)) == state
    assert game.parse(game.position(state).upper()) == state


@given(placed())
def test_show_has_every_cell(case: tuple[MNK, int]) -> None:
    game, state = case
    cells, board = game.position(state).split()[0], game.board(state)
    assert [len(row) for row in board] == [game.columns] * game.rows
    assert "".join(mark or "." for row in board for mark in row) == cells
    shown = game.show(state).replace("\n", "|").split("|")
    texts = [text.strip() for text in shown if not set(text) <= {"-", "+"}]
    assert texts == [str(cell) if mark == "." else mark for cell, mark in enumerate(cells)]


def test_largest_board_fits_into_a_state() -> None:
    game, state = MNK(1, 31, 31), 0
    for action in reversed(range(31)):
        state = game.result(state, action)
        assert state < 2**63
    assert game.position(state) == "x" + "ox" * 15
    assert game.is_terminal(state)


@pytest.mark.parametrize(
    ("game", "count"),
    [(MNK(3, 3, 3), 7), (MNK(3, 4, 3), 3), (MNK(1, 5, 2), 1), (MNK(3, 3, 3, wild=True), 15)],
)
def test_number_of_symmetries_is_that_of_the_shape(game: MNK, count: int) -> None:
    assert len(game.symmetries()) == count


@given(placed())
def test_lines_equal_those_of_a_plain_count(case: tuple[MNK, int]) -> None:
    game, state = case
    lines = in_line(game.board(state), game.k)
    gain = ("x" in lines) - ("o" in lines)
    if game.wild:
        gain = bool(lines) * (1 if game.to_move(state) == 1 else -1)
    assert game.utility(state) == (-gain if game.misere else gain)
    assert game.is_terminal(state) == (bool(lines) or is_full(game.board(state)))
