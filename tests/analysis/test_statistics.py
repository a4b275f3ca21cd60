import json
from pathlib import Path

from solver.analysis.statistics import longest_wins
from tests.support.commandline import call
from tests.support.exchanged_files import exchanged_file
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.games.packed import ExchangedTable
from tests.support.published import expected, published
from tests.support.solved import solving


def test_json_has_the_published_figures_of_tictactoe(tictactoe_db_path: Path) -> None:
    actual = json.loads(call("stats", str(tictactoe_db_path), "--json").stdout)
    assert actual == {
        "game": "tictactoe",
        "parameters": {"misere": False, "wild": False},
        "start": ".........",
        **expected("tictactoe"),
        "remoteness_of_start": None,
        "best_move": 0,
    }
    assert actual["states"] - actual["terminal"] == published()["tictactoe"]["undecided"]


def test_wins_in_games_with_loops_are_counted_by_remoteness() -> None:
    with solving(ExplicitGame(((0, 1), ()), (0, 1), (0, -4))) as db:
        assert longest_wins(db) == [("1", 0)]
        words = call("stats", db.path).stdout
    assert "win in plies  0: 1\n" in words
    assert "loss in plies" not in words


def test_starts_and_value_of_endless_play_are_printed() -> None:
    game = ExplicitGame(((2,), (1, 3), (), ()), (0, 0, 1, 1), (0, 0, 1, -1), (0, 1))
    with solving(game, endless="second") as db:
        assert db["1"].ply is None
        words = call("stats", db.path).stdout
        assert call("query", db.path, "3").exit_code == 0
    assert "starts        this is the first of 2 starts\n" in words
    assert "endless play  won by second\n" in words


def test_counts_of_one_are_singular(tmp_path: Path) -> None:
    file = tmp_path / "nim.db"
    call("solve", "nim", "heaps=1", "-o", file)
    assert "states        2, 1 of them terminal; 1 move\n" in call("stats", file).stdout
    assert "All 2 positions of nim and their 1 move follow" in call("verify", file).stdout
    for fold, noun in (([], "position"), (["--fold"], "class of symmetric positions")):
        call("solve", "tictactoe", "--start", "xxxoo....", "--force", *fold, "-o", tmp_path / "over.db")
        assert f"The 1 {noun} of tictactoe and its 0 moves" in call("verify", tmp_path / "over.db").stdout
        assert f"over.db`, 1 {noun} |" in call("report", tmp_path / "over.db").stdout
    assert "\nThe 1 position in which the game is not over was evaluated." in call("report", file).stdout
    call("certify", file, "-o", tmp_path / "nim")
    assert ", by 1 state." in call("verify", tmp_path / "nim.first").stdout


def test_values_are_for_the_player_to_move_where_players_were_exchanged(tmp_path: Path) -> None:
    game = ExchangedTable(1, 1, (3, -1, 1, -1), (0, 0, 1, 1), (0, 1, 0, -1), (0, 2), tells=False)
    file = exchanged_file(game, tmp_path)
    assert "values        1 with 1, 1 with -1, for the player to move\n" in call("stats", file).stdout
    call("convert", file, "-o", tmp_path / "both.db")
    assert "values        2 with 1, 2 with -1\n" in call("stats", tmp_path / "both.db").stdout


class Odd(ExplicitGame):
    """The first player is called second, and the other way round."""

    players = ("second", "first")


def test_winner_of_endless_play_is_named() -> None:
    with solving(Odd(((1,), (0,)), (0, 1), (0, 0)), endless="first") as db:
        assert {entry.winner for entry in db.entries()} == {"second"}
        assert "endless play  won by second\n" in call("stats", db.path).stdout
        assert "| endless play | won by second |\n" in call("report", db.path).stdout
        assert ", endless play won by second\n" in call("diff", db.path, db.path).stdout
