import pytest

from solver.words import guarantee, plies, result, standing


@pytest.mark.parametrize(("count", "words"), [(0, "0 plies"), (1, "1 ply"), (2, "2 plies")])
def test_plies_are_counted_in_words(count: int, words: str) -> None:
    assert plies(count) == words


def test_a_result_says_how_far_off_it_is() -> None:
    assert result("win", 1) == "win in 1 ply"
    assert result("loss", 4) == "loss in 4 plies"
    assert result("draw", None) == result("draw", 0) == "draw"
    assert result("win", None) == "win in endless play"


@pytest.mark.parametrize(
    ("outcome", "remoteness", "words"),
    [
        ("win", 3, "o to move: win in 3 plies"),
        ("draw", None, "o to move: draw"),
        ("loss", 0, "the game is over: o, who would be to move, has lost"),
        ("win", 0, "the game is over: o, who would be to move, has won"),
        ("draw", 0, "the game is over: a draw"),
    ],
)
def test_a_standing_is_for_the_player_to_move(outcome: str, remoteness: int | None, words: str) -> None:
    assert standing("o", outcome, remoteness) == words


@pytest.mark.parametrize(
    ("gain", "longest", "words"),
    [
        (1, 0, "x wins"),
        (1, 5, "x wins in at most 5 plies"),
        (2, 5, "x wins by at least 2 in at most 5 plies"),
        (0, None, "x never loses"),
        (-1, 3, "x may lose"),
    ],
)
def test_a_guarantee_says_what_the_owner_gets(gain: int, longest: int | None, words: str) -> None:
    assert guarantee("x", gain, longest) == words
