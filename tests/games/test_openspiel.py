import sys
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pyspiel
import pytest

from solver import load_game, open_database, solve
from solver.engines.graph_states import explore
from solver.errors import BadParameter, UnreadablePosition
from solver.games.openspiel import OpenSpiel
from solver.games.openspiel_rules import MERGED, mover, picture
from solver.games.openspiel_trial import MOST_ACTIONS
from solver.proof.verify import verify_database
from solver.rules.loading import game_name, game_parameters
from tests.support.graphs import solved_graph

SMALL = [
    *("breakthrough(rows=4,columns=2)", "breakthrough(rows=3,columns=3)", "clobber(rows=2,columns=4)"),
    *("clobber(rows=3,columns=3)", "connect_four(rows=3,columns=3,x_in_row=3)"),
    *("connect_four(rows=4,columns=2,x_in_row=3)", "dots_and_boxes(num_rows=1,num_cols=2)"),
    *("dots_and_boxes(num_rows=2,num_cols=1,utility_margin=True)", "gomoku(size=2,connect=2)"),
    *("gomoku(size=2,dims=3,connect=2)", "gomoku(size=3,connect=2,anti=True)"),
    *("gomoku(size=3,connect=2,wrap=True)", "hex(num_rows=2,num_cols=3)"),
    "hex(num_rows=2,num_cols=3,string_rep=explicit)",
    *("hex(board_size=2,num_rows=2,num_cols=2,swap=True)", "mnk(m=2,n=3,k=2)", "mnk(m=3,n=2,k=3)"),
    *("nim(pile_sizes=1;2;3)", "nim(pile_sizes=2;2;2,is_misere=False)", "y(board_size=3)"),
    *("start_at(history=4;0,game=tic_tac_toe())", "misere(game=start_at(history=4;0,game=tic_tac_toe()))"),
]
LARGE = [
    *("breakthrough(rows=5,columns=3)", "clobber(rows=4,columns=4)", "connect_four"),
    *("dots_and_boxes(num_rows=2,num_cols=2)", "gomoku(size=5,connect=4)", "hex(board_size=4)"),
    *("mnk(m=4,n=4,k=3)", "nim", "y(board_size=5)", "tic_tac_toe"),
]
TREES = ["havannah(board_size=2)", "start_at(history=0;4;1,game=havannah(board_size=2))"]


def facts(opened: Any) -> tuple[Any, ...]:
    """All that a state of OpenSpiel says of what follows, but for its children the pictures only."""
    children = [opened.child(action) for action in opened.legal_actions()]
    return (
        tuple(opened.legal_actions()),
        opened.is_terminal(),
        tuple(opened.returns()) if opened.is_terminal() else (),
        tuple((picture(child), mover(child)) for child in children),
    )


def every_history(name: str) -> Iterator[Any]:
    """The states of OpenSpiel after each sequence of legal moves."""
    stack = [pyspiel.load_game(name).new_initial_state()]
    while stack:
        opened = stack.pop()
        yield opened
        stack.extend(opened.child(action) for action in opened.legal_actions())


def some_histories(name: str, games: int) -> Iterator[Any]:
    random, rules = Random(5), pyspiel.load_game(name)
    for _ in range(games):
        opened = rules.new_initial_state()
        yield opened.clone()
        while not opened.is_terminal():
            opened.apply_action(random.choice(opened.legal_actions()))
            yield opened.clone()


def merged_rightly(histories: Iterator[Any]) -> int:
    """How many histories had a picture that was met before; asserts that what follows was the same."""
    known: dict[tuple[str, int], tuple[Any, ...]] = {}
    again = 0
    for opened in histories:
        state = picture(opened), mover(opened)
        again += state in known
        future = facts(opened)
        assert known.setdefault(state, future) == future, state
    return again


@pytest.mark.parametrize("name", [*SMALL, pytest.param("tic_tac_toe", marks=pytest.mark.slow)])
def test_merged_histories_have_equal_futures(name: str) -> None:
    assert OpenSpiel(name).initial != "start"
    again = merged_rightly(every_history(name))
    assert again == 549_946 - 5478 if name == "tic_tac_toe" else again


@pytest.mark.parametrize("name", LARGE)
def test_merged_histories_have_equal_futures_on_larger_boards(name: str) -> None:
    assert merged_rightly(some_histories(name, games=60))


def test_every_merged_game_is_tested() -> None:
    proved = {name.partition("(")[0] for name in SMALL} | {"tic_tac_toe"}
    assert proved - {"start_at", "misere"} == set(MERGED)
    assert {name.partition("(")[0] for name in LARGE} == set(MERGED)


@pytest.mark.parametrize("name", TREES)
def test_other_games_are_trees_of_histories(name: str) -> None:
    game, histories = OpenSpiel(name), sum(1 for _ in every_history(name))
    assert game.initial == "start"
    assert len(explore(game)) == histories


Translate: TypeAlias = Callable[[str, int], Any]
"""Our action for a state and an action of OpenSpiel."""


def same(state: str, action: int) -> int:
    return action


def line(rows: int, columns: int) -> Translate:
    """OpenSpiel numbers all level lines first, then all upright ones; we number them in turn."""
    step = 2 * columns + 1
    level = [row * step + column for row in range(rows + 1) for column in range(columns)]
    upright = [row * step + columns + column for row in range(rows) for column in range(columns + 1)]
    return lambda state, action: [*level, *upright][action]


BOXES = "dots_and_boxes(num_rows={},num_cols=2,utility_margin=True)"


def heap(state: str, action: int) -> tuple[int, int]:
    """OpenSpiel numbers the heaps, and how many are taken; its heaps are `(0): 1 2 3 first`."""
    heaps = list(map(int, state.split()[1:-1]))
    taken, number = divmod(action, len(heaps))
    return heaps[number], heaps[number] - taken - 1


def pairs_with_same_labels(ours: Any, theirs: Any, translate: Translate) -> int:
    """How many pairs of states there are that the same moves lead to; asserts that their labels agree."""
    mine, other = solved_graph(ours), solved_graph(theirs)
    seen = {(ours.initial, theirs.initial)}
    queue = deque(seen)
    while queue:
        one, two = queue.popleft()
        moves = [(translate(two, action), action) for action in theirs.actions(two)]
        for label in ("value", "remoteness", *(["to_move"] if moves else [])):
            assert mine.nodes[one][label] == other.nodes[two][label], (label, one, two)
        assert {move for move, _ in moves} == set(ours.actions(one)), (one, two)
        for move, action in moves:
            pair = ours.result(one, move), theirs.result(two, action)
            if pair not in seen:
                seen.add(pair)
                queue.append(pair)
    assert {one for one, _ in seen} == set(mine)
    assert {two for _, two in seen} == set(other)
    return len(seen)


@pytest.mark.parametrize(
    ("ours", "parameters", "theirs", "translate"),
    [
        ("tictactoe", {}, "tic_tac_toe", same),
        ("tictactoe", {"misere": True}, "misere(game=tic_tac_toe())", same),
        ("mnk", {"rows": 2, "columns": 4, "k": 3}, "mnk(m=4,n=2,k=3)", same),
        *(
            pytest.param("mnk", {"rows": rows, "columns": 3, "k": 3}, theirs, same, marks=pytest.mark.slow)
            for rows, theirs in ((3, "gomoku(size=3,connect=3)"), (4, "mnk(m=3,n=4,k=3)"))
        ),
        ("connect", {"rows": 3, "columns": 3, "k": 3}, "connect_four(rows=3,columns=3,x_in_row=3)", same),
        ("connect", {"rows": 2, "columns": 4, "k": 4}, "connect_four(rows=2,columns=4)", same),
        pytest.param("connect", {}, "connect_four(rows=4,columns=4)", same, marks=pytest.mark.slow),
        ("nim", {"heaps": (1, 2, 3)}, "nim(pile_sizes=1;2;3,is_misere=False)", heap),
        ("nim", {"heaps": (3, 4, 5)}, "nim(pile_sizes=3;4;5,is_misere=False)", heap),
        ("nim", {"heaps": (1, 3, 5, 7), "misere": True}, "nim", heap),
        ("dots-and-boxes", {"rows": 1, "columns": 2}, BOXES.format(1), line(1, 2)),
        ("dots-and-boxes", {"rows": 2, "columns": 2}, BOXES.format(2), line(2, 2)),
    ],
)
def test_labels_equal_those_of_the_built_in_game(
    ours: str, parameters: dict[str, Any], theirs: str, translate: Translate
) -> None:
    assert pairs_with_same_labels(load_game(ours, parameters), OpenSpiel(theirs), translate) > 1


@pytest.mark.parametrize("name", ["tic_tac_toe", "breakthrough(rows=3,columns=3)", *TREES])
def test_positions_are_read_by_a_new_game_object(name: str) -> None:
    asked = OpenSpiel(name)
    states = list(explore(asked))
    for state in [states[0], *Random(2).choices(states, k=6), states[-1]]:
        game = OpenSpiel(name)
        text = game.position(state)
        assert game.parse(text) == state
        assert game.actions(state) == asked.actions(state)
        assert "\n" not in text


def test_move_sequences_are_read_as_positions() -> None:
    game = OpenSpiel("tic_tac_toe")
    assert game.parse("0 4 8") == game.parse("8 4 0") == game.parse("x../.o./..x second")
    assert game.parse("start") == game.initial
    tree = OpenSpiel(TREES[0])
    assert tree.parse(" 0  1 ") == "0 1" != tree.parse("1 0")


@pytest.mark.parametrize("name", ["tic_tac_toe", TREES[0]])
@pytest.mark.parametrize(
    "text", ["0 0", "0 4 8888888888888888", "...x", "xxx/xxx/xxx first", "", "-1", "0 ²"]
)
def test_unreachable_positions_are_refused(name: str, text: str) -> None:
    game = OpenSpiel(name)
    with pytest.raises(UnreadablePosition, match="cannot read the position"):
        game.parse(text)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("kuhn_poker", "leaves something to chance"),
        ("phantom_ttt", "hides something"),
        ("goofspiel", "is not played in turns"),
        ("chinese_checkers(players=3)", "is for 3 players"),
        ("catch", "is not for two players"),
        ("noughts", "no game 'noughts'; those for two with nothing hidden are amazons,"),
        ("", "no game ''"),
        ("breakthrough(rows=x)", "Wrong type for parameter rows"),
        ("breakthrough(wide=3)", "Unknown parameter 'wide'"),
        ("breakthrough(", "Missing closing bracket"),
        ("breakthrough(rows=0)", "rows_ > 1"),
        ("mnk(m=10000000,n=1000000,k=3)", f"more than {MOST_ACTIONS:,} actions"),
    ],
)
def test_unsolvable_games_are_refused(name: str, hint: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadParameter) as caught:
        OpenSpiel(name)
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_warnings_of_openspiel_are_printed(capfd: pytest.CaptureFixture[str]) -> None:
    OpenSpiel("quoridor(board_size=3)")
    assert "known issues" in capfd.readouterr().err


def test_missing_openspiel_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BadParameter, match="pip install open_spiel"):
        load_game("openspiel:nim")


def test_show_explains_the_numbers_of_moves() -> None:
    game = OpenSpiel("tic_tac_toe")
    assert game.show(game.parse("0 4 8")).startswith("x..\n.o.\n..x\n\n1: o(0,1), 2: o(0,2)")
    assert game.show(game.parse("0 3 1 4 2")) == "xxx\noo.\n..."


def test_database_is_proved_and_reloads_its_game(tmp_path: Path) -> None:
    game = load_game("openspiel:dots_and_boxes(num_rows=1,num_cols=2)")
    assert load_game(game_name(game), game_parameters(game)) == game
    solve(game, tmp_path / "boxes.db")
    with open_database(tmp_path / "boxes.db") as db:
        assert verify_database(db) == []
        assert db.game == game
        assert db["0 1 2"] == db["2 1 0"]
