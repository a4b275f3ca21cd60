import pytest

from solver.games.hexapawn import Hexapawn


def test_pawns_step_ahead_and_take_diagonally() -> None:
    game = Hexapawn()

    def moves(text: str) -> list[str]:
        state = game.parse(text)
        return [game.action_name(action) for action in game.actions(state)]

    assert moves("bbb/.../www") == ["a1-a2", "b1-b2", "c1-c2"]
    assert moves("bbb/w../.ww black") == ["b3xa2", "b3-b2", "c3-c2"]
    assert moves("bbb/.w./w.w white") == ["b2xa3", "b2xc3", "a1-a2", "c1-c2"]
    assert game.show(game.parse("bbb/w../.ww black")).split("\n")[2] == "  w | b2 | c2"


def test_a_pawn_that_is_taken_is_gone() -> None:
    game = Hexapawn()
    state = game.parse("bbb/w../.ww black")
    assert game.position(game.result(state, game.actions(state)[0])) == "b.b/b../.ww white"


@pytest.mark.parametrize(
    ("text", "utility"),
    [
        ("wbb/.../.ww black", 1),  # white has arrived
        ("bb./.../b.. white", -1),  # black has arrived
        (".b./.w./... black", 1),  # black is blocked
        (".b./.w./... white", -1),  # white is blocked
        (".../.w./... black", 1),  # black has nothing left
    ],
)
def test_the_player_who_has_just_moved_has_won(text: str, utility: int) -> None:
    game = Hexapawn()
    assert game.actions(game.parse(text)) == ()
    assert game.utility(game.parse(text)) == utility
