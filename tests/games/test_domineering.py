from solver.games.domineering import Domineering


def test_in_misere_play_whoever_cannot_move_wins() -> None:
    game = Domineering(1, 2, misere=True)
    assert game.actions(game.initial) == ()
    assert (game.utility(game.initial), Domineering(1, 2).utility(0)) == (1, -1)


def test_a_domino_covers_two_cells() -> None:
    game = Domineering(2, 3)
    names = [game.action_name(action) for action in game.actions(game.initial)]
    assert names == ["v0", "v1", "v2"]
    after = game.result(game.initial, game.actions(game.initial)[0])
    assert game.position(after) == "#../#.. horizontal"
    assert [game.action_name(action) for action in game.actions(after)] == ["h1", "h4"]
    assert game.show(after) == " # | 1 | 2\n---+---+---\n # | 4 | 5"
