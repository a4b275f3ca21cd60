"""Matches: results, chance, forfeits, saved games."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from solver import solve
from solver.analysis.statistics import percentages, wilson
from solver.errors import BrokenRules, ForeignFile
from solver.game import ENDLESS
from solver.games.mnk import TicTacToe
from solver.players import Truth, make_player
from solver.players.game_record import BrokenRecord, as_line, read_games, replay
from solver.players.match import MAX_GAME_PLIES, Opponent, PlayedGame, match_score, play_match
from tests.exporters.support import page_rules
from tests.support.altered import alter
from tests.support.commandline import call, refused, succeeded
from tests.support.games.explicit_graph import ExplicitGame, explicit_games
from tests.support.games.long import LongGame
from tests.support.search_examples import EXAMPLES
from tests.support.solved import solving

run = partial(call, "match")

GAME = TicTacToe()
END_OR_GO_ROUND = ExplicitGame(((1, 2), (0,), ()), (0, 1, 0), (0, 0, 0))


@dataclass
class By:
    """A player that is one function of the state."""

    rule: Callable[[Any], Any]
    deterministic: bool = True

    def choose(self, state: Any, random: Random) -> Any:
        return self.rule(state)


def named(*names: str, truth: Truth) -> tuple[Opponent, Opponent]:
    one, two = (Opponent(name, make_player(name, truth)) for name in names)
    return one, two


def first_action(game: Any) -> Opponent:
    return Opponent("first action", By(lambda state: game.actions(state)[0]))


def counts(one: str, two: str, games: int, seed: int) -> tuple[int, int, int]:
    with Truth(GAME) as truth:
        played = list(play_match(GAME, named(one, two, truth=truth), games=games, seed=seed))
    actual = match_score((one, two), played, swap=False)
    return (*actual.wins, actual.draws)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (8, 10, 0.4902, 0.9433), (50, 100, 0.4038, 0.5962), (15, 148, 0.0624, 0.1605)],
)
def test_wilson_intervals_equal_published_ones(successes: int, trials: int, low: float, high: float) -> None:
    """The last one: R. G. Newcombe, Statistics in Medicine 17, 1998, table I, method 3."""
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-4)


def test_wilson_interval_without_trials_and_as_percentages() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert percentages(wilson(97, 100)) == "91.5 to 99.0%"
    assert percentages(wilson(0, 100_000)) == "0.000 to 0.004%"


UCB1 = {f"ucb1(playouts={it['playouts']})": (it["won"], it["lost"], it["drawn"]) for it in EXAMPLES["ucb1"]}


@pytest.mark.parametrize(("player", "published"), [("random", (57, 31, 12)), *UCB1.items()])
def test_scores_against_random_match_published_ones(player: str, published: Sequence[int]) -> None:
    for ours, theirs in zip(counts(player, "random", 100, seed=1), published, strict=True):
        spread = sqrt(max(theirs, 3) * (100 - min(theirs, 97)) / 100 * 2)  # both are samples
        assert abs(ours - theirs) <= 3 * spread


def test_random_players_win_with_the_exact_chances() -> None:
    games, chances = 3000, [a / b for a, b in EXAMPLES["random_games"].values()]
    for count, chance in zip(counts("random", "random", games, seed=5), chances, strict=True):
        assert abs(count / games - chance) < 4 * sqrt(chance * (1 - chance) / games)


def test_seed_determines_a_match() -> None:
    with Truth(GAME) as truth:
        players = named("uct(playouts=20)", "random", truth=truth)
        once, again, other = (list(play_match(GAME, players, games=5, seed=seed)) for seed in (3, 3, 4))
    assert once == again != other


def test_random_draws_of_a_player_do_not_depend_on_the_opponent() -> None:
    first_moves = set[tuple[Any, ...]]()
    with Truth(GAME) as truth:
        for other in ("random", "perfect", "mc(playouts=5)"):
            played = play_match(GAME, named("random", other, truth=truth), games=20, seed=2)
            first_moves.add(tuple(game.moves[0] for game in played))
    (moves,) = first_moves
    assert len({*moves}) > 3


@pytest.mark.parametrize(
    ("rule", "note"),
    [
        (lambda state: 1 / 0, "bad fails in '.........': ZeroDivisionError: division by zero"),
        (lambda state: sys.exit("enough"), "bad fails in '.........': SystemExit: enough"),
        (lambda state: 99, "bad plays 99 in '.........', which is not legal"),
        (lambda state: [0], "bad plays [0] in '.........', which is not legal"),
    ],
)
def test_failing_player_forfeits_and_the_match_continues(rule: Callable[[Any], Any], note: str) -> None:
    bad = Opponent("bad", By(rule))
    played = list(play_match(GAME, (bad, first_action(GAME)), games=4, swap=True))
    assert match_score(("bad", "first action"), played, swap=True).wins == (0, 4)
    assert played[0].note == note
    assert (played[0].winner, played[1].winner) == (1, 0)


def test_value_equal_to_a_legal_action_is_played_as_that_action() -> None:
    (played,) = play_match(GAME, (Opponent("float", By(lambda state: float(GAME.actions(state)[0]))),) * 2)
    assert played.moves == (0, 1, 2, 3, 4, 5, 6)
    assert all(isinstance(move, int) for move in played.moves)


def test_failing_rules_raise_broken_rules() -> None:
    broken = ExplicitGame(((5,), ()), (0, 1), (0, 0))
    with pytest.raises(BrokenRules, match="IndexError"):
        list(play_match(broken, (first_action(broken), first_action(broken))))


def test_game_of_10000_plies_is_drawn() -> None:
    long = LongGame(MAX_GAME_PLIES + 5)
    (game,) = play_match(long, (first_action(long), first_action(long)))
    assert (len(game.moves), game.winner) == (MAX_GAME_PLIES, None)
    assert "10,000 plies" in (game.note or "")


@given(explicit_games(), st.integers(0, 99))
def test_played_games_can_be_replayed(game: ExplicitGame, seed: int) -> None:
    with Truth(game) as truth:
        (played,) = play_match(game, named("random", "random", truth=truth), seed=seed)
    states = replay(game, played)
    assert len(states) == len(played.moves) + 1
    assert max(Counter(states).values()) <= 3


def saved(path: Path, *games: PlayedGame) -> Path:
    path.write_text("".join(as_line(GAME, game) + "\n" for game in games))
    return path


def test_blank_lines_and_byte_order_mark_are_ignored(tmp_path: Path) -> None:
    path, line = tmp_path / "games.jsonl", as_line(GAME, WON)
    path.write_bytes(f"\ufeff{line}\r\n\r\n{line}\n \n".encode())
    assert list(read_games(path)) == [(GAME, WON)] * 2
    path.write_text("\n\n")
    with pytest.raises(ForeignFile, match="has no game"):
        list(read_games(path))


WON = PlayedGame(("a", "b"), ".........", (0, 3, 1, 4, 2), 0, 1, None)


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (replace(WON, moves=(0, 0)), "ply 2: 0 is no move in .*; the moves are 1, 2"),
        (replace(WON, moves=(0, 3, 1)), "not over"),
        (replace(WON, moves=(*WON.moves, 5)), f"move {len(WON.moves) + 1} is played after the end"),
        (replace(WON, utility=-1), "utility 1, not -1"),
        (replace(WON, start="nonsense"), "cannot read"),
        (replace(WON, winner=1), "not that of a game with this winner"),
        (replace(WON, moves=(0,), utility=0, winner=None, note="b fails"), "utility 1, not 0"),
    ],
)
def test_replay_refuses_impossible_games(game: PlayedGame, says: str) -> None:
    assert len(replay(GAME, WON)) == 6
    assert len(replay(GAME, replace(WON, moves=(0,), note="b fails"))) == 2
    with pytest.raises(BrokenRecord, match=says):
        replay(GAME, game)


@pytest.mark.parametrize("line", ["no json", "[]", '{"game": "tictactoe"}', '{"game": 1}'])
def test_malformed_line_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(as_line(GAME, WON) + "\n" + line + "\n")
    with pytest.raises(ForeignFile, match="line 2"):
        list(read_games(path))


def test_command_takes_database_and_start(tictactoe_db_path: Path) -> None:
    won_by_x = ("--start", "xo..x....", "--games", 20, "--json")
    result = run(tictactoe_db_path, "perfect", "random", *won_by_x)
    assert json.loads(result.stdout)["wins"] == [20, 0]


def test_command_names_the_reason_of_a_forfeit(tmp_path: Path) -> None:
    bad = "class Bad:\n    def __init__(self, game): pass\n    def choose(self, *_): return 1 / 0\n"
    (tmp_path / "bad.py").write_text(bad)
    result = succeeded(run("tictactoe", f"{tmp_path}/bad.py:Bad", "random", "--games", 3))
    assert "ZeroDivisionError: division by zero (3 times)" in result.stderr
    assert result.stdout.splitlines()[2].split()[:3] == ["random", "wins", "3"]


def test_lone_surrogates_are_replaced_in_saved_games(tmp_path: Path) -> None:
    """Of a player's failure, or of a player whose file has a name that is no UTF-8."""
    lost = replace(WON, players=("plan(\udcff.json)", "b"), moves=(0,), note="b fails: \ud800")
    path = tmp_path / "games.jsonl"
    path.write_bytes(f"{as_line(GAME, lost)}\n".encode())
    ((_, actual),) = read_games(path)
    assert actual == replace(lost, players=("plan(?.json)", "b"), note="b fails: ?")
    replay(GAME, actual)


def test_command_replay_checks_saved_games(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    run("tictactoe", "random", "random", "--games", 3, "--save", path)
    result = succeeded(call("replay", path, "--show", "2"))
    assert "3 games follow from the rules" in result.stdout
    assert GAME.show(GAME.initial) in result.stdout
    saved(path, WON, replace(WON, utility=-1), replace(WON, winner=1), WON)
    result = call("replay", path)
    assert result.exit_code == 1
    assert [line.split(": ")[1] for line in result.stdout.splitlines()] == ["game 2", "game 3"]


def test_match_by_rules_file_is_played_and_replayed(tmp_path: Path) -> None:
    games, players = tmp_path / "games.jsonl", ("perfect", "depth-limited(depth=1)")
    rules = f"{page_rules.__file__}:Countdown"
    result = run(rules, "most=9", *players, "--games", 4, "--swap", "--save", games, "--json")
    assert json.loads(result.stdout)["wins"] == [4, 0]
    assert call("replay", games).exit_code == 0


@pytest.mark.parametrize(
    ("endless", "utility", "says"),
    [("draw", 0, "a draw"), ("first", 1, "won by first"), ("second", -1, "won by second")],
)
def test_endless_play_scores_as_in_the_file(endless: str, utility: int, says: str, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    with solving(ExplicitGame(((1,), (0,)), (0, 1), (0, 0)), endless=endless) as db:
        result = run(db.path, "random", "random", "--save", games)
        assert result.stderr == f"{says}, as '0' occurred 3 times\n"
        ((game, played),) = read_games(games)
    assert (played.utility, played.endless) == (utility, endless)
    assert len(replay(game, played)) == 5
    assert ('"endless"' in games.read_text()) == (endless != "draw")
    with pytest.raises(BrokenRecord, match="ends with the utility"):
        replay(game, replace(played, endless="first" if endless != "first" else "second"))


@pytest.mark.parametrize("wrong", ["nobody", 3, None, ["draw"], {}])
def test_saved_game_with_invalid_endless_is_refused(tmp_path: Path, wrong: object) -> None:
    line = json.loads(as_line(GAME, WON)) | {"endless": wrong}
    (tmp_path / "games.jsonl").write_text(json.dumps(line))
    with pytest.raises(ForeignFile, match="'endless' should be one of draw, first, second"):
        list(read_games(tmp_path / "games.jsonl"))


@example(END_OR_GO_ROUND, "first")
@example(END_OR_GO_ROUND, "second")
@given(explicit_games(), st.sampled_from(list(ENDLESS)))
@settings(max_examples=50)
def test_perfect_players_reach_the_value_of_the_start(game: ExplicitGame, endless: str) -> None:
    with solving(game, endless=endless) as db:
        for known in (Truth(game, db), Truth(game, endless=endless)):
            with known as truth:
                both = named("perfect", "perfect", truth=truth)
                (played,) = play_match(game, both, endless=truth.endless)
            assert played.utility == db["0"].value


def test_damaged_database_is_refused_not_forfeited(tmp_path: Path) -> None:
    solve(ExplicitGame(((1,), (2,), (3,), ()), (0, 1, 0, 1), (0, 0, 0, 1)), tmp_path / "game.db")
    path = alter(tmp_path / "game.db", "update positions set remoteness = 7 where position = '2'")
    assert "game.db is damaged" in refused(4, run(path, "random", "perfect", "--games", 9))
