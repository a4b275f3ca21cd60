from solver.games.ponghauki import PongHauKi


def test_a_stone_moves_to_the_empty_point_and_there_is_no_way_along_the_top() -> None:
    game = PongHauKi()
    names = {
        text: [game.action_name(action) for action in game.actions(game.parse(text))]
        for text in ("oo/./xx x", "oo/./xx o", ".o/o/xx o", "o./o/xx x", "o./x/ox x")
    }
    assert names == {
        "oo/./xx x": ["3-2", "4-2"],
        "oo/./xx o": ["0-2", "1-2"],
        ".o/o/xx o": ["2-0"],
        "o./o/xx x": ["4-1"],
        "o./x/ox x": ["2-1", "4-1"],
    }


def test_who_is_blocked_loses() -> None:
    game = PongHauKi()
    blocked = game.parse("x./o/xo x")
    assert game.actions(blocked) == ()
    assert game.utility(blocked) == -1
    assert game.show(blocked) == "x   1\n|\\ /|\n| o |\n|/ \\|\nx---o"
