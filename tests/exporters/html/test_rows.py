import json
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from exporters.html import database_page, plan_page
from exporters.html.rows import PageMove, PagePosition, PositionRows, SizeLimit
from solver import Database
from solver.errors import PageTooLarge
from solver.plans.plan import unfold
from solver.proof.plan import verify_plan
from tests.exporters.html.test_live_page import GAMES
from tests.exporters.support.first_best_plan import first_best
from tests.exporters.support.page_reader import data_of
from tests.exporters.support.small_plans import Handmade, Rules as GameRules, plan
from tests.support.folded_plans import folded_plan

ROOM = SizeLimit("It", "wait")


def known(position: str) -> PagePosition:
    return PagePosition(position, position, 0, 0, None, None, ())


def picture(game: Handmade, position: str) -> tuple[Any, dict[str, str]]:
    """How a position without moves is drawn in the data, and what the characters stand for."""
    rows = PositionRows(game)
    rows.fill([position], known, ROOM)
    made = json.loads(rows.document())
    return made["positions"][0][1], made["marks"]


def test_one_letter_marks_are_their_own_codes() -> None:
    game = Handmade({"a": 0}, {"a": [["x", ""], ["", "o"]]})
    assert picture(game, "a") == ("x./.o", {".": "", "x": "x", "o": "o"})


def test_other_marks_get_unique_codes() -> None:
    marks = ["knight", "/", ".", "0", "<", "\\", '"', "é", "\u202e"]
    drawn, names = picture(Handmade({"a": 0}, {"a": [marks]}), "a")
    assert [names[item] for item in drawn] == marks
    assert len(set(drawn)) == len(marks)
    assert not set(drawn) & set('/<\\".')


def test_thousand_marks_get_unique_codes() -> None:
    board = [[f"{row}-{column}" for column in range(50)] for row in range(20)]
    drawn, names = picture(Handmade({"a": 0}, {"a": board}), "a")
    assert [[names[item] for item in row] for row in drawn.split("/")] == board


@pytest.mark.parametrize("board", ["one\n  two", []])
def test_position_without_board_is_lines_of_text(board: Any) -> None:
    game = Handmade({"a": 0}, {"a": board})
    assert picture(game, "a")[0] == game.show("a").split("\n")


def test_game_texts_cannot_end_the_script_element() -> None:
    rows = PositionRows(Handmade({"</script>": 0}))
    rows.fill(["</script>"], known, ROOM)
    made = rows.document(players=("<!--", "\u2028\u2029\u202e"))
    assert "<" not in made
    assert made.isascii()
    assert json.loads(made)["players"] == ["<!--", "\u2028\u2029\u202e"]


def test_filling_rows_stops_at_the_size_limit() -> None:
    game = Handmade({str(number): (0, {"on": str(number + 1)}) for number in range(1000)} | {"1000": 0})
    seen = []

    def look_up(position: str) -> PagePosition:
        seen.append(position)
        return replace(known(position), links=[PageMove("on", str(int(position) + 1), best=True)])

    with pytest.raises(PageTooLarge, match=r"^It has 1,001 positions; .* room for about \d+: wait$"):
        PositionRows(game).fill(["0"], look_up, replace(ROOM, bytes=2000), total=1001)
    assert len(seen) < 100


def read(game: Any, data: Any) -> dict[str, tuple[Any, ...]]:
    """Each position of a page, with what its row says of it in words of the database."""
    texts = [row[0] for row in data["positions"]]
    seen = {}
    for text, drawn, mover, value, plies, ply, links in data["positions"]:
        pairs = zip(links[::2], links[1::2], strict=True)
        moves = [(data["moves"][move], texts[max(to, ~to)], to >= 0) for move, to in pairs]
        board = [[data["marks"][code] for code in row] for row in drawn.split("/")]
        assert board == [list(row) for row in game.board(game.parse(text))]
        seen[text] = (data["players"][mover], value, plies, ply, moves)
    return seen


@pytest.mark.parametrize(("name", "parameters", "options"), GAMES[:-2])
def test_page_has_all_data_of_the_database(
    solved: Any, name: str, parameters: dict[str, Any], options: dict[str, Any]
) -> None:
    db = solved(name, parameters, **options)
    data = data_of(database_page.render(db))
    assert read(db.game, data) == {
        entry.position: (
            entry.to_move,
            entry.value,
            entry.remoteness,
            entry.ply,
            [(move.move, move.position, move.best) for move in entry.moves_by_action],
        )
        for entry in db.entries()
    }
    assert data["positions"][0][0] == db.start


def test_folded_and_unfolded_databases_give_equal_pages(solved: Any) -> None:
    plain, folded = (solved("tictactoe", start="x...o....", fold=fold) for fold in (False, True))
    assert database_page.render(folded) == database_page.render(plain)


@pytest.mark.parametrize("owner", ["x", "o"])
def test_plan_page_has_its_choices_and_all_replies(tictactoe: Database, owner: str) -> None:
    made = first_best(tictactoe, owner=owner)
    actual = read(made.game, data_of(plan_page.render(made)))
    graph = unfold(made)
    assert set(actual) == set(graph)
    for text, (mover, value, _, _, moves) in actual.items():
        assert made.gain(value) == graph.nodes[text]["gain"]
        if mover == owner and moves:
            assert [move for move, _, _ in moves] == [made.moves[text]]
        else:
            assert [move for move, _, _ in moves] == [move.move for move in tictactoe[text].moves_by_action]
        assert not any(best for _, _, best in moves if mover != owner)


@pytest.mark.parametrize("owner", ["x", "o"])
def test_folded_plan_page_is_a_complete_unfolded_plan(tictactoe: Database, owner: str) -> None:
    folded = folded_plan(tictactoe, owner=owner)
    actual = read(folded.game, data_of(plan_page.render(folded)))
    moves = {text: moves[0][0] for text, (mover, *_, moves) in actual.items() if moves and mover == owner}
    # What the page plays is a plan of its own, which keeps the same promise from the rules alone.
    guarantee = verify_plan(replace(folded, folded=False, moves=moves))
    assert (guarantee.gain, guarantee.positions) == (0, len(actual))
    assert len(actual) > len(unfold(folded))


def test_plan_page_gives_longest_play_of_each_position(tictactoe: Database) -> None:
    made = first_best(tictactoe, "x..o.....", owner="x")
    actual = read(made.game, data_of(plan_page.render(made)))
    for position, (_, value, plies, _, moves) in actual.items():
        assert value == 1
        assert plies == max((actual[child][2] + 1 for _, child, _ in moves), default=0)
        # By best moves a win that is forced takes as long as the database says.
        assert plies == tictactoe[position].remoteness


def test_positions_in_a_loop_have_no_longest_play() -> None:
    rules: GameRules = {"start": (1, {"on": "turn", "end": "won"}), "turn": (0, {"back": "start"}), "won": 1}
    data = data_of(plan_page.render(plan(Handmade(rules), {"turn": "back"})))
    assert {row[0]: row[4] for row in data["positions"]} == {"start": None, "turn": None, "won": 0}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("mnk", {"rows": 3, "columns": 3, "k": 2}),
        pytest.param("tictactoe", {}, marks=pytest.mark.slow),
        pytest.param("dots-and-boxes", {"rows": 2, "columns": 2}, marks=pytest.mark.slow),
        ("nim", {"heaps": (3, 4, 5)}),
    ],
)
def test_too_large_database_is_refused_after_a_sample(
    solved: Any, name: str, parameters: dict[str, Any]
) -> None:
    db = solved(name, parameters)
    whole = len(database_page.render(db).partition('"positions":[')[2].partition("]}")[0])
    counting = patch.object(type(db), "__getitem__", autospec=True, side_effect=type(db).__getitem__)
    with counting as look_up, pytest.raises(PageTooLarge) as refused:
        database_page.render(db, most_bytes=whole // 2)
    assert 0 < look_up.call_count <= database_page.SAMPLE + 1
    assert f"has {len(db):,} positions" in str(refused.value)
    room = int(str(refused.value).split("about ")[1].split(":")[0].replace(",", ""))
    assert 0.4 * len(db) < room < 0.6 * len(db)


def test_too_large_plan_is_refused(tictactoe: Database) -> None:
    with pytest.raises(PageTooLarge, match=r"^the plan has 776 positions; .* use --format json$"):
        plan_page.render(first_best(tictactoe, owner="o"), most_bytes=10_000)


def test_too_large_folded_database_is_refused_while_unfolding(solved: Any) -> None:
    folded = solved("tictactoe", fold=True)
    with pytest.raises(PageTooLarge, match=r"^Tic-tac-toe has too many positions; .* about 2,\d00: "):
        database_page.render(folded, most_bytes=150_000)
