"""The searches by name, and the two commands that run them."""

import json
import re
from math import log, sqrt
from pathlib import Path
from typing import Any

import pytest

from solver import Database
from solver.analysis.search_comparison import check_game, compared, runs_of
from solver.errors import RepeatedState, UnknownSearch, WrongDatabase
from solver.games.mnk import MNK, TicTacToe
from solver.players.oracle import Truth
from solver.search import SEARCHES, Settings, search
from tests.support.commandline import call, succeeded
from tests.support.games import long
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.games.long import LongGame, go_on
from tests.support.search_examples import EXAMPLES, labelled

KEYS = ["algorithm", "position", "to_move", "move", "value", "nodes", "playouts", "seconds"]


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_takes_an_immediate_win(name: str) -> None:
    for game, position in ((TicTacToe(), "xx.oo...."), (MNK(1, 4, 2), "x.o.")):
        action = search(name, game, game.parse(position), Settings(playouts=300)).action
        assert game.utility(game.result(game.parse(position), action)) == 1


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_returns_no_action_in_a_terminal_state(name: str) -> None:
    actual = search(name, TicTacToe(), TicTacToe().parse("xxxoo...."))
    assert (actual.action, actual.value) == (None, None if name.startswith("and-or") else 1)


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_handles_five_thousand_plies(name: str) -> None:
    actual = search(name, LongGame(), 0, Settings(depth=10_000, playouts=20, policy=go_on))
    assert actual.action == 0
    assert actual.value is None or actual.value > 0


@pytest.mark.parametrize("name", SEARCHES)
def test_games_with_loops_are_searched_or_refused(name: str) -> None:
    """The first player can win at once; or else the second goes round or wins."""
    game = ExplicitGame(movers=(0, 1, 0, 0), children=((1, 2), (0, 3), (), ()), utilities=(0, 0, 1, -1))
    if name.startswith(("minimax", "alpha-beta")):
        with pytest.raises(RepeatedState, match="perfectplay solve"):
            search(name, game, 0)
    else:
        assert search(name, game, 0, Settings(playouts=50)).action == 1


def test_unknown_search_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownSearch, match="there are and-or, and-or-retry, minimax"):
        search("oracle", TicTacToe(), 0)


@pytest.mark.parametrize(
    ("algorithm", "ignored"),
    [
        ("minimax", "--for or --goal or --depth or --playouts or --exploration or --policy or --seed"),
        ("and-or", "--depth or --playouts or --exploration or --policy or --seed"),
        ("depth-limited", "--for or --goal or --playouts or --exploration or --policy or --seed"),
        ("monte-carlo", "--for or --goal or --depth or --exploration"),
        ("uct", "--for or --goal or --depth"),
    ],
)
def test_search_names_ignored_options(algorithm: str, ignored: str) -> None:
    options = "--for x --goal draw --depth 2 --playouts 5 --exploration 1 --policy random --seed 1"
    result = call("search", "tictactoe", "xox.o....", "--with", algorithm, *options.split())
    assert (result.exit_code, result.stderr) == (0, f"{algorithm} does not read {ignored}\n")
    assert not call("search", "tictactoe", "xox.o....", "--with", algorithm).stderr


def test_any_player_can_be_the_playout_policy() -> None:
    """From a drawn position perfect players draw every game, random ones do not."""
    words = ("xox.o....", "--with", "ucb1", "--playouts", 200, "--policy")
    perfect, chance, again = (searched(*words, player) for player in ("perfect", "random", "random"))
    assert (perfect["move"], perfect["value"]) == (7, 0)
    assert chance["value"] != 0
    assert again | {"seconds": 0} == chance | {"seconds": 0}


def test_and_or_prints_its_plan() -> None:
    example = EXAMPLES["plans"][0]
    result = call("search", "tictactoe", example["position"], "--with", "and-or", "--goal", "draw", "--json")
    printed = json.loads(result.stdout)
    assert list(printed) == [*KEYS, "evaluation", "plan"]
    assert (result.exit_code, printed["move"], printed["plan"]) == (0, example["move"], example["plan"])


@pytest.mark.parametrize(("output", "says"), [(["--json"], '"plan": null'), ([], "plan        none")])
def test_and_or_without_a_plan_exits_with_1(output: list[str], says: str) -> None:
    result = call("search", "tictactoe", "oo.ox...x x", "--with", "and-or", "--for", "x", *output)
    assert (result.exit_code, says in result.stdout) == (1, True)


def test_deep_plan_is_printed() -> None:
    words = (f"{long.__file__}:LongGame", "--with", "and-or", "--goal", "win", "--json")
    assert succeeded(call("search", *words)).stdout.count('"then"') == 5000


def compare(*words: object) -> Any:
    """The rows that `compare` prints of a position of tic-tac-toe."""
    return json.loads(call("compare", "tictactoe", *words, "--json").stdout)


def searched(*words: object) -> Any:
    return json.loads(call("search", "tictactoe", *words, "--json").stdout)


def test_compare_lists_every_search_and_whether_its_move_is_best() -> None:
    rows, game = compare("xo......."), TicTacToe()
    state = game.parse("xo.......")
    nodes = labelled(game, state).nodes
    node = nodes[state]
    assert [row["algorithm"] for row in rows] == list(SEARCHES)
    for row in rows:
        assert list(row) == [*KEYS, "settings", "best", "keeps_value", "note"]
        child = nodes[game.result(state, row["move"])]
        assert row["keeps_value"] == (child["value"] == node["value"])
        assert row["best"] == (row["keeps_value"] and child["remoteness"] == node["remoteness"] - 1)


def test_compare_prints_refused_searches_below_the_table() -> None:
    words = "mnk rows=4 columns=4 k=4 xoxooxox........ --nodes 2000 --playouts 50"
    *lines, last = succeeded(call("compare", *words.split())).stdout.splitlines()
    names, _, reason = last.partition(": ")
    assert "minimax" in names.split(", ")
    assert reason.startswith("the search needs more than 2,000 nodes")
    answered = [name for name in SEARCHES if name not in names.split(", ")]
    assert [re.split(r"[( ]", line)[0] for line in lines[2:]] == answered


def test_large_number_as_move_is_printed_without_separators(tmp_path: Path) -> None:
    rules = "class Far(Nim):\n    def action_name(self, action): return 1000 + action[1]\n"
    (tmp_path / "far.py").write_text(f"from solver.games.nim import Nim\n{rules}")
    for words, line in (("search --with minimax", 1), ("search --with ucb1", -1), ("compare", -1)):
        command, *options = words.split()
        shown = call(command, f"{tmp_path / 'far.py'}:Far", "heaps=1", *options).stdout
        assert "1000" in shown.splitlines()[line].split(), words


def test_compare_marks_no_fastest_move_in_a_draw() -> None:
    lines = call("compare", "tictactoe", "xox.o....", "--playouts", 50).stdout.splitlines()[2:]
    assert {line.split()[4] for line in lines if line.split()[3] == "yes"} == {"-"}
    rows = compare("xox.o....", "--playouts", 50)
    assert {row["best"] for row in rows} == {None}
    assert True in {row["keeps_value"] for row in rows}


def test_compare_takes_the_truth_from_a_database(tictactoe_db_path: Path, tictactoe: Database) -> None:
    game = TicTacToe()
    state = game.parse("xo.ox....")
    with Truth(game, start="xo.ox....") as aside:
        assert Truth(game, tictactoe).entry(state).moves_by_action == aside.entry(state).moves_by_action
    said = "of tictactoe misere=false wild=false, not of tictactoe misere=true wild=false"
    with pytest.raises(WrongDatabase, match=said):
        check_game(tictactoe, TicTacToe(misere=True))
    rows = compare("xo.ox....", "--database", tictactoe_db_path)
    assert {row["algorithm"]: row["best"] for row in rows}["minimax"] is False  # it forks where it could win


def test_compare_has_no_truth_for_games_too_large_to_solve() -> None:
    game, position = MNK(4, 4, 4), "xoxo............"
    runs = runs_of(Settings(most_nodes=500, playouts=20), {})
    rows = compared(game, game.parse(position), runs, Truth(game, start=position, at_most=5000))
    assert {row.best for row in rows} == {None}


def test_finished_game_has_no_best_move() -> None:
    rows = compare("xxxoo....")
    assert {(row["move"], row["best"], row["keeps_value"]) for row in rows} == {(None, None, None)}
    for command in (("search", "--with", "uct"), ("compare",)):
        lines = succeeded(call(*command, "tictactoe", "xxxoo....")).stdout.splitlines()
        assert lines[0].endswith("xxxoo...., the game is over: x has won")


def test_compare_lists_refused_searches_as_rows() -> None:
    circle = ExplicitGame(movers=(0, 1, 0), children=((1,), (0, 2), ()), utilities=(0, 0, 1))
    rows = {str(row.run): row for row in compared(circle, 0, runs_of(Settings(playouts=5), {}))}
    assert "perfectplay solve" in (rows["minimax"].note or "")
    assert rows["ucb1"].note is None


def test_compare_runs_each_combination_of_settings() -> None:
    """Each row is what a search with these settings alone gives; others are run once, with none."""
    choices = ("--depth", "1", "--depth", "2", "--playouts", "9", "--playouts", "60", "--exploration", "0.5")
    rows = compare("xox.o....", *choices)
    tree = [{"depth": 1}, {"depth": 2}]
    flat = [{"playouts": 9}, {"playouts": 60}]
    bandits = [{**item, "exploration": 0.5} for item in flat]
    by_name: dict[str, Any] = {"depth-limited-minimax": tree, "depth-limited": tree, "monte-carlo": flat}
    by_name |= dict.fromkeys(("ucb1", "uct", "uct-solver"), bandits)
    expected = [(name, settings) for name in SEARCHES for settings in by_name.get(name, [{}])]
    assert [(row["algorithm"], row["settings"]) for row in rows] == expected
    for row in rows:
        if row["settings"]:
            given = [f"--{name}={value}" for name, value in row["settings"].items()]
            alone = searched("xox.o....", "--with", row["algorithm"], *given)
            assert [alone[key] for key in KEYS[:-1]] == [row[key] for key in KEYS[:-1]]
    shown = call("compare", "tictactoe", "xox.o....", *choices).stdout
    assert "\nucb1(playouts=60,exploration=0.5)  " in shown


@pytest.mark.parametrize("exploration", [0.7071067811865476, 1.4142135623730951])
def test_ucb1_reports_playouts_mean_and_bound_of_each_move(exploration: float) -> None:
    actual = searched("xo..x....", "--with", "ucb1", "--playouts", 300, "--exploration", exploration)
    moves = actual["moves"]
    assert [move["move"] for move in moves] == [2, 3, 5, 6, 7, 8]
    assert sum(move["playouts"] for move in moves) == 300
    for move in moves:
        assert move["mean"] == move["total"] / move["playouts"]
        # Lecture notes: the mean and sqrt 2 times sqrt (ln N / n), which on rewards in [-1, 1] is C = 0.7071.
        width = exploration / 0.7071067811865476 * sqrt(2 * log(300) / move["playouts"])
        assert move["bound"] == pytest.approx(move["mean"] + width)
    most = max(moves, key=lambda item: item["playouts"])
    assert (actual["move"], actual["value"]) == (most["move"], -most["mean"])  # o is to move


def test_ucb1_has_no_bound_for_moves_without_playouts() -> None:
    moves = searched("--with", "ucb1", "--playouts", 2)["moves"]
    assert [item["bound"] is None for item in moves] == [False, False, *[True] * 7]
    assert moves[-1] == {"move": 8, "playouts": 0, "total": 0, "mean": None, "bound": None}
