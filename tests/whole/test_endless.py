"""The value of endless play, in every engine, layout and folding, against an independent definition.

`tests.support.games.explicit_graph` has the definition: values by threshold, each a plain fixed point;
remoteness by horizons.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import strategies as st

from solver import load_game, open_database, solve
from solver.database import Database
from solver.engines.conversion import convert
from solver.errors import BrokenRules, SolverError, UnfitRules
from solver.game import ENDLESS, AnyGame
from solver.proof.verify import verify_database
from tests.support.commandline import call
from tests.support.definitions import Defined, defined, explicit
from tests.support.drawn import drawn
from tests.support.games.explicit_graph import ExplicitGame, Mirrored, explicit_games, mirrored
from tests.support.games.long import acyclic_games
from tests.support.games.misbehaving import Sound
from tests.support.games.packed import Ladder, Table, loops, mirrored_loops, mirrored_tables, tables, tiered
from tests.support.solved import solving

RULES = st.sampled_from(list(ENDLESS))


def ask(db: Database, expected: list[Defined], names: list[list[int]] | None) -> None:
    """Hold a database against the definition, in each way to ask it."""
    kinds, counted = Counter[tuple[int, int | None]](), Counter[tuple[int, int | None]]()
    answers, labels = db.lookup(list(db)), db.lookup(list(db), best=False)
    assert (labels.value.tolist(), labels.best_moves(0)) == (answers.value.tolist(), ())
    assert (labels.moves, labels.best.shape, len(db.lookup([]))) == ((), (len(db), 0), 0)
    for at, (text, entry) in enumerate(db.items()):
        value, remoteness, best = expected[int(text)]
        chosen = best if names is None else [names[int(text)][action] for action in best]
        assert (entry.value, entry.remoteness) == (value, remoteness), text
        assert [move.move for move in entry.moves if move.best] == chosen, text
        assert entry.best_move == next(iter(chosen), None)
        assert sorted(entry.moves, key=lambda move: not move.best) == [*entry.moves]
        assert db.probe(text) == (value, remoteness, tuple(chosen))
        assert (answers.value[at], list(answers.best_moves(at))) == (value, chosen)
        assert answers.remoteness[at] == (-1 if remoteness is None else remoteness)
        kinds[value, remoteness] += 1
    for kind in db.counts():
        counted[kind.value, kind.remoteness] += kind.positions
    assert counted == kinds


def by_graph_and_arrays(game: AnyGame, folder: Path, **options: Any) -> Database:
    """The database of a game, the same bytes by either engine, and by arrays that go on from a graph."""
    for engine, most in (("graph", 2), ("arrays", 2), ("auto", 2), ("auto", 100)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("solver.engines.choose.MAX_STATES_FOR_GRAPH", most)
            patch.setattr("solver.engines.solve.STATES_TRIED", 0)  # so that false symmetries are folded by
            solve(game, folder / f"{engine}.db", engine=engine, force=True, **options)
        assert (folder / "graph.db").read_bytes() == (folder / f"{engine}.db").read_bytes()
    return open_database(folder / "arrays.db")


ANY_GAME = st.one_of(st.one_of(explicit_games(starts=3), acyclic_games(utility=3)), loops())


@drawn(40, 400, game=ANY_GAME, endless=RULES)
def test_labels_of_any_game_match_the_definition(game: ExplicitGame | Table, endless: str) -> None:
    rules, names = explicit(game) if isinstance(game, Table) else (game, None)
    with TemporaryDirectory() as folder, by_graph_and_arrays(game, Path(folder), endless=endless) as db:
        ask(db, defined(rules, endless), names)
        assert verify_database(db) == []


@drawn(10, 40, table=st.one_of(tables(), mirrored_tables()), endless=RULES)
def test_labels_of_layered_packed_games_match_the_definition(table: Table, endless: str) -> None:
    game, names = explicit(table)
    expected = defined(game, endless)
    for fold in (False, True):
        with TemporaryDirectory() as folder:
            files = list(solved(table, Path(folder), endless=endless, fold=fold))
            for path in files:
                with open_database(path) as db:
                    ask(db, expected, names)
                    assert verify_database(db) == []
            for same in (files[:3], files[3:]):
                assert len({path.read_bytes() for path in same}) == 1


def solved(table: Table, folder: Path, **options: Any) -> Iterator[Path]:
    """The game, solved by each engine into either layout."""
    for layout in ("readable", "packed"):
        for engine in ("graph", "arrays", "layers"):
            path = folder / f"{engine}-{layout}.db"
            solve(table, path, engine=engine, layout=layout, **options)
            yield path


LOOPS = st.one_of(loops(starts=3), tiered(), mirrored_loops())


@drawn(12, 200, table=LOOPS, endless=RULES, fold=st.booleans(), start=st.integers(-1, 7))
def test_labels_with_loops_equal_the_definition(table: Table, endless: str, fold: bool, start: int) -> None:
    game, names = explicit(table)
    options: dict[str, Any] = {"endless": endless, "fold": fold}
    if start in range(table.width):
        options["start"] = str(start)
    with TemporaryDirectory() as name:
        folder = Path(name)
        for engine in ("graph", "arrays"):
            solve(table, folder / engine, engine=engine, layout="packed", **options)
        assert (folder / "graph").read_bytes() == (folder / "arrays").read_bytes()
        with open_database(folder / "arrays") as db:
            ask(db, defined(game, endless), names)
            convert(db, folder / "readable", "readable")
        with open_database(folder / "readable") as db:
            convert(db, folder / "again", "packed")
        assert (folder / "again").read_bytes() == (folder / "arrays").read_bytes()


@drawn(20, 200, game=mirrored(), endless=RULES)
def test_labels_of_verified_folded_files_match_the_definition(game: Mirrored, endless: str) -> None:
    options = {"endless": endless, "fold": True}
    with TemporaryDirectory() as folder, by_graph_and_arrays(game, Path(folder), **options) as db:
        if verify_database(db) == []:
            ask(db, defined(game, endless), None)


def test_draws_have_remoteness_unless_endless_play_is_a_draw(tmp_path: Path) -> None:
    for endless in ENDLESS:
        solve(load_game("tictactoe"), tmp_path / "t.db", start="xoxxoo.x.", endless=endless, force=True)
        text = json.loads(call("query", tmp_path / "t.db", "--json").stdout)
        assert (text["outcome"], text["remoteness"]) == ("draw", None if endless == "draw" else 2)


@pytest.mark.parametrize("prize", [2**55, 2**63 - 1, -(2**63) + 1, -(2**63)])
def test_layers_engine_refuses_utilities_too_large_for_labels(
    tmp_path: Path, prize: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, path = Ladder(3, prize), tmp_path / "game.db"
    monkeypatch.setattr("solver.engines.layers.solve.label_layers", None)  # they are refused before
    with pytest.raises(UnfitRules, match="too large for the layers engine"):
        solve(game, path, engine="layers", endless="first")
    if prize == -(2**63):
        for engine in ("auto", "graph", "arrays"):
            with pytest.raises(BrokenRules, match="below 2"):
                solve(game, path, engine=engine)
    else:
        with solving(game) as db:
            assert (db["0"].value, verify_database(db)) == (prize, [])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("prize", [2**55 - 1, 1 - 2**55])
def test_largest_utilities_of_layers_are_stored(prize: int) -> None:
    game = Ladder(3, prize)
    with solving(game, engine="graph") as one, solving(game, engine="layers") as other:
        assert dict(one) == dict(other)
        assert verify_database(one) == verify_database(other) == []


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Ladder(3, 2**56), "too large for the layers engine and the packed layout"),
        (Sound(), "is no PackedGame: use --layout readable"),
    ],
)
def test_packed_layout_refuses_unfit_games_before_labelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Any, says: str
) -> None:
    for engine, module in (("graph", "graph_solve"), ("arrays", "arrays.solve")):
        monkeypatch.setattr(f"solver.engines.{module}.label", None)
        with pytest.raises(SolverError, match=says):
            solve(game, tmp_path / "game.db", engine=engine, layout="packed")
    assert list(tmp_path.iterdir()) == []
