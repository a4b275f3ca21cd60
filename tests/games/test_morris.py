import pytest

from solver.games.morris import BOARDS, Morris
from tests.support.graphs import solved_graph
from tests.support.published import published


def test_tapatan_has_the_published_classes_and_is_won_by_the_centre_only() -> None:
    game, known = Morris(), published()["tapatan"]
    graph = solved_graph(game)
    assert len({game.canonical(state) for state in graph}) == known["classes"]
    assert [graph.nodes[child]["value"] for _, child in graph.nodes[0]["moves"]] == known["openings"]
    assert graph.nodes[0]["best"] == [4]


def names(game: Morris, text: str) -> list[str]:
    state = game.parse(text)
    return [game.action_name(action) for action in game.actions(state)]


def test_stones_are_placed_first_and_then_moved_along_the_ways() -> None:
    assert names(Morris(), "xo./.../...") == ["2", "3", "4", "5", "6", "7", "8"]
    placed = "xo./xox/o.."
    assert names(Morris("tapatan"), f"{placed} x") == ["5-2", "5-8"]
    assert names(Morris("tapatan"), f"{placed} o") == ["1-2", "4-2", "4-7", "4-8", "6-7"]
    assert names(Morris("three-mens-morris"), f"{placed} o") == ["1-2", "4-7", "6-7"]
    assert names(Morris("nine-holes"), f"{placed} x") == [f"{a}-{b}" for a in (0, 3, 5) for b in (2, 7, 8)]
    assert names(Morris("achi"), placed) == ["2", "7", "8"]
    assert names(Morris("tsoro-yematatu"), "x/oo./xxo x") == ["0-3"]


@pytest.mark.parametrize(
    ("variant", "text", "utility"),
    [
        ("tapatan", "xxx/oo./... o", 1),
        ("tapatan", "oxx/xo./..o x", -1),
        ("nine-holes", "xxx/oo./... o", 1),
        ("tsoro-yematatu", "x/x.o/xo. o", 1),
        ("tapatan", "xo./ox./... x", None),
        ("nine-holes", "oxx/xo./..o x", None),
        ("tsoro-yematatu", "x/xoo/.xo x", None),
    ],
)
def test_three_in_a_line_win(variant: str, text: str, utility: int | None) -> None:
    game = Morris(variant)
    state = game.parse(text)
    assert game.is_terminal(state) == (utility is not None)
    if utility is not None:
        assert game.utility(state) == utility


def test_who_cannot_move_has_lost() -> None:
    game = Morris("achi")
    blocked = game.parse("o.o/xox/xox x")
    assert game.actions(blocked) == ()
    assert game.utility(blocked) == -1
    assert names(game, "o.o/xox/xox o") == ["0-1", "2-1", "4-1"]


@pytest.mark.parametrize("variant", BOARDS)
def test_the_picture_shows_every_point(variant: str) -> None:
    game = Morris(variant)
    shown = game.show(game.initial).split()
    assert shown == [str(point) for point in range(len(shown))]
    assert [len(row) for row in game.board(game.initial)] == list(BOARDS[variant].widths)
