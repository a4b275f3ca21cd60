"""Plans down to a depth: equal to the whole plan there, and no more work than their size requires."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from exporters.svg.plan_map.nested import nest
from solver import Database, Entry, choose_plan, open_database, verify_plan
from solver.database.packed.reader import PackedDatabase
from solver.errors import BrokenPlan, PlanTooLarge, UsageError
from solver.games.quixo import Quixo
from solver.plans import formats
from solver.plans.plan import Plan, unfold
from solver.plans.selection import choose as choosing
from solver.system.progress import no_progress
from tests.support.commandline import call, refusal, succeeded
from tests.support.exchanged_files import exchanged_file
from tests.support.games.packed import Sums
from tests.support.solved import solved, solving

FILES: dict[str, Callable[[Path], AbstractContextManager[Database]]] = {
    "readable": lambda folder: solved("tictactoe"),
    "packed": lambda folder: solved("tictactoe", layout="packed"),
    "folded": lambda folder: solved("connect", {"rows": 3, "columns": 3, "k": 3}, fold=True),
    "margins": lambda folder: solved("dots-and-boxes", {"rows": 1, "columns": 2}),
    "start": lambda folder: solved("tictactoe", start=".......ox"),
    "starts": lambda folder: solving(Sums(), layout="packed"),
    "loops": lambda folder: solved("ponghauki"),
    "exchanged": lambda folder: open_database(exchanged_file(Quixo(2, 3, 3), folder)),
}


@pytest.fixture(scope="module", params=FILES)
def db(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with FILES[request.param](tmp_path_factory.mktemp("cut")) as opened:
        yield opened


@pytest.fixture
def too_large_to_be_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "FAST_LIMIT", 1)


def plies_below(plan: Plan) -> dict[str, int]:
    graph = unfold(plan)
    return dict(nx.single_source_shortest_path_length(graph, next(iter(graph))))


@cache
def minimax(game: Any, state: Any) -> int:
    actions = game.actions(state)
    if not actions:
        return int(game.utility(state))
    return (max, min)[game.to_move(state)](minimax(game, game.result(state, action)) for action in actions)


def value(db: Database, position: str) -> int:
    """The value of a position, or of one that only symmetric ones of can be reached."""
    return db[position].value if position in db else minimax(db.game, db.game.parse(position))


@pytest.mark.usefixtures("too_large_to_be_small")
@pytest.mark.parametrize("fold", [False, True])
def test_cut_plan_equals_the_whole_plan_above_the_cut(db: Database, fold: bool) -> None:
    for owner in db.game.players:
        goal = -9 if db.scored else "draw" if db[db.start].value == 0 else -1
        whole = choose_plan(db, owner=owner, goal=goal, fold=fold).plan
        below, expected = plies_below(whole), unfold(whole)
        for depth in (1, 2, 5, 9):
            cut = choose_plan(db, owner=owner, goal=goal, fold=fold, depth=depth).plan
            assert plies_below(cut) == {item: ply for item, ply in below.items() if ply <= depth}
            assert cut.moves.items() <= whole.moves.items()
            kinds = unfold(cut).nodes.data("kind")
            assert dict(kinds) == {item: expected.nodes[item]["kind"] for item, _ in kinds}
            assert set(cut.cut) == {item for item, kind in kinds if below[item] == depth and kind != "end"}
            assert cut.cut == {item: value(db, item) for item in cut.cut}
            assert verify_plan(cut).gain == cut.gain(cut.value)
            assert cut.value == whole.value == db[db.start].value


@pytest.mark.usefixtures("too_large_to_be_small")
def test_cut_plan_is_proved_and_altered_ones_are_refused(tictactoe: Database) -> None:
    plan = choose_plan(tictactoe, owner="o", depth=3).plan
    assert verify_plan(plan).gain == 0
    position = next(iter(plan.moves))
    without = {item: move for item, move in plan.moves.items() if item != position}
    with pytest.raises(BrokenPlan, match="no move for o"):
        verify_plan(replace(plan, moves=without))
    with pytest.raises(BrokenPlan, match=r"promises a draw, but after the moves .* the game is lost"):
        verify_plan(replace(plan, cut={**plan.cut, next(iter(plan.cut)): 1}))
    with pytest.raises(BrokenPlan):
        verify_plan(replace(plan, cut=dict(list(plan.cut.items())[1:])))


def test_plan_shorter_than_the_depth_is_whole(tictactoe: Database) -> None:
    cut = choose_plan(tictactoe, "xo..x....", owner="x", depth=5)
    assert cut == choose_plan(tictactoe, "xo..x....", owner="x")
    assert not cut.plan.cut


@pytest.mark.parametrize("depth", [1, 3])
def test_lookups_are_bounded_by_the_size_of_the_cut_plan(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "FAST_LIMIT", 300)
    looked_up: list[object] = []

    def counted(self: PackedDatabase, state: int) -> Entry:
        looked_up.append(state)
        return entry_of(self, state)

    entry_of = PackedDatabase.entry_of
    monkeypatch.setattr(PackedDatabase, "entry_of", counted)
    with solved("connect", {"rows": 4, "columns": 4}, engine="auto", layout="packed") as db:
        made = choose_plan(db, depth=depth)
        assert len(looked_up) < 300 + made.size + 10
        assert made.size == len(plies_below(made.plan)) < 30
        for cut, limit, says in (
            (None, 300, "has more than 300 positions: plan from a later position, or "),
            (9, 100, "more than 100 positions down to 9 plies.* as by --depth 4"),
        ):
            looked_up.clear()
            with pytest.raises(PlanTooLarge, match=says):
                choose_plan(db, depth=cut, limit=limit)
            assert len(looked_up) < 2 * 300


@pytest.mark.usefixtures("too_large_to_be_small")
@pytest.mark.parametrize("owner", ["x", "o"])
def test_picture_equals_that_of_the_whole_plan_at_this_depth(tictactoe: Database, owner: str) -> None:
    for depth in (1, 2, 3):
        cut, whole = (choose_plan(tictactoe, owner=owner, depth=item).plan for item in (depth, None))
        drawn = formats.render(cut, "gv", depth)
        assert drawn.replace(b", by the database below the cut", b"") == formats.render(whole, "gv", depth)
        assert drawn == formats.render(cut, "gv")
        assert nest(cut, depth, 9, 5000) == nest(whole, depth, 9, 5000)


@pytest.mark.usefixtures("too_large_to_be_small")
@pytest.mark.parametrize("name", ["json", "nested-json", "html"])
def test_formats_for_whole_plans_refuse_a_cut_one(tictactoe: Database, name: str) -> None:
    with pytest.raises(UsageError, match="has the whole plan"):
        formats.render(choose_plan(tictactoe, depth=2).plan, name)


def test_cut_is_announced(tictactoe_db_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "FAST_LIMIT", 30)
    command, promise = ("plan", tictactoe_db_path, "-o", tmp_path / "p.svg"), "by the database below the cut"
    said = succeeded(call(*command, "--depth", 2)).stderr.removeprefix(f"{tmp_path / 'p.svg'}: ")
    assert said == f"x never loses, {promise}; at least 10 positions, at most 2 plies drawn\n"
    assert promise in (tmp_path / "p.svg").read_text()
    assert "has more than 30 positions: plan from a later position" in refusal(2, *command)


def test_progress_is_reported_for_each_position(tictactoe: Database) -> None:
    reports = list[tuple[Any, ...]]()

    def progress(*report: Any, **ply: Any) -> None:
        reports.append(report)

    assert choose_plan(tictactoe, progress=progress) == choose_plan(tictactoe, progress=no_progress)
    expected = [("choosing moves", number + 1) for number in range(len(reports))]
    assert [report[:2] for report in reports] == expected


@pytest.mark.usefixtures("too_large_to_be_small")
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_follow_refuses_replies_below_the_cut(tictactoe: Database, depth: int) -> None:
    plan = choose_plan(tictactoe, owner="x", depth=depth).plan
    with pytest.raises(UsageError, match=r"there is no reply left for '.*': omit it"):
        formats.render(plan, "gv", depth, "4 8 7" if plan.moves["........."] != 4 else "0 8 7")
