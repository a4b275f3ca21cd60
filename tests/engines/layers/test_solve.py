"""The layers engine, by each of its ways, writes the file of the graph engine, byte by byte."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver import load_game, open_database, solve
from solver.analysis.statistics import statistics
from solver.engines.choose import MAX_STATES_FOR_READABLE
from solver.engines.conversion import convert
from solver.engines.layers import forward, matching as ways
from solver.engines.layers.backward import label_layers
from solver.engines.layers.matching import SortChildren
from solver.engines.layers.opened import LayerExpansion, Layers
from solver.engines.layers.orbits import collect_representatives
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.steps import Answer
from solver.errors import BrokenRules, UnfitRules
from solver.games.connect import Connect
from solver.games.mnk import MNK
from solver.packed import Packed
from solver.system.executors import OnProgress
from tests.support.commandline import python, run
from tests.support.games.packed import Climb, Raise, Stuck, Weights
from tests.support.pieces import small_blocks, small_pieces
from tests.support.published import counted, expected, published

MASK = (1 << 19) - 1
FACTOR, INVERSE = 0x2B0C5, pow(0x2B0C5, -1, 1 << 19)


def plain(state: Packed) -> Packed:
    return state * INVERSE & MASK


def of_plain(rule: Callable[..., Any]) -> Callable[..., Any]:
    """The rule, asked about a state that was multiplied."""
    return lambda game, state, *action: rule(game, plain(state), *action)


@dataclass(frozen=True)
class Scrambled(MNK):
    """Tic-tac-toe whose states are multiplied by an odd number: larger parents have any children."""

    to_move, legal = of_plain(MNK.to_move), of_plain(MNK.legal)
    is_terminal, utility = of_plain(MNK.is_terminal), of_plain(MNK.utility)
    ply, position = of_plain(MNK.ply), of_plain(MNK.position)

    def result(self, state: Packed, action: int) -> Packed:
        return super().result(plain(state), action) * FACTOR & MASK

    def parse(self, text: str) -> int:
        return super().parse(text) * FACTOR & MASK

    def symmetries(self) -> Any:
        return ()


HIGHEST = type("Highest", (Weights,), {"result": lambda self, state, action: state | (2**63 - 1)})
"""It leads to the largest state that 63 bits can hold."""

LIAR = type("Liar", (Climb,), {"ply": lambda self, state: state * 0})
"""It never ends, and says that every state is at ply 0."""


@dataclass(frozen=True)
class Openings(MNK):
    """Tic-tac-toe that begins with a mark of x's anywhere."""

    def initial_states(self) -> Iterator[int]:
        return (self.result(0, cell) for cell in range(self.cells))

    @property
    def initial(self) -> int:
        return int(self.result(0, 0))


CASES: list[tuple[Any, dict[str, Any]]] = [
    (load_game("tictactoe"), {}),
    (load_game("tictactoe", {"misere": True}), {"fold": True}),
    (load_game("tictactoe"), {"start": "xo.......", "fold": True}),
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 2, "wild": True}), {"fold": True}),
    (load_game("mnk", {"rows": 2, "columns": 2, "k": 2}), {"fold": True}),
    (load_game("connect", {"rows": 4, "columns": 3, "k": 3}), {}),
    (load_game("connect", {"rows": 3, "columns": 4, "k": 3}), {"fold": True}),
    (load_game("dots-and-boxes", {"rows": 1, "columns": 3}), {}),
    (load_game("dots-and-boxes", {"rows": 1, "columns": 2}), {"fold": True}),
    (load_game("domineering", {"rows": 3, "columns": 3}), {}),
    (load_game("hexapawn", {"rows": 3, "columns": 4}), {}),
    (Scrambled(2, 3, 2), {}),
    (Weights(6), {}),
    (Openings(2, 3, 2), {}),
    (Openings(2, 3, 2), {"fold": True}),
    (load_game("connect", {"rows": 3, "columns": 4, "k": 3}), {"fold": True, "endless": "first"}),
    (Weights(6), {"endless": "second"}),
]


WAYS = ("as it comes", "windows", "sorting", "little room")


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """One of the ways from layer to layer, whatever the size of the layers."""
    if request.param == "windows":
        monkeypatch.setattr("solver.engines.layers.windows.merge.KEYS_PER_LABEL_WINDOW", 64)
        monkeypatch.setattr("solver.engines.layers.matching.MIN_STATES_FOR_WINDOWS", 1)
        monkeypatch.setattr("solver.engines.layers.matching.MAX_GAP_FOR_BITS", 1 << 62)
        monkeypatch.setattr("solver.engines.layers.windows.merge.CHILDREN_PER_SHARE", 50)
    if request.param == "sorting":
        monkeypatch.setattr("solver.engines.layers.matching.MIN_STATES_FOR_WINDOWS", 1 << 62)
    if request.param == "little room":
        monkeypatch.setattr("solver.engines.storage.context.SolveContext.keys_per_sort", 200)
        monkeypatch.setattr("solver.engines.storage.resumable.memory_for_files", lambda _: 1)
        small_pieces(monkeypatch)
        small_blocks(monkeypatch)
        monkeypatch.setattr("solver.engines.storage.resumable.resources.cores", lambda: 3)
    return str(request.param)


@pytest.fixture(scope="module")
def by_graph(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., bytes]:
    """The packed file of the graph engine; by one way or another, only the size of its blocks differs."""
    folder = tmp_path_factory.mktemp("graph")

    @cache
    def solved(case: int) -> Path:
        game, options = CASES[case]
        solve(game, folder / f"{case}.db", engine="graph", layout="readable", **options)
        return folder / f"{case}.db"

    @cache
    def file_of(case: int, *, small_blocks: bool) -> bytes:  # which the way has set
        packed = folder / f"{case}-{small_blocks}.db"
        with open_database(solved(case)) as db:
            convert(db, packed, "packed")
        return packed.read_bytes()

    return file_of


LARGE = (load_game("tictactoe"), load_game("connect", {"rows": 3, "columns": 4, "k": 3}))


def _often(way: str, case: int) -> bool:
    """Return whether `make test` solves a case in this way: one way for each case of a small game."""
    return way == WAYS[case % len(WAYS)] and CASES[case][0] not in LARGE


@pytest.mark.parametrize(
    ("way", "case"),
    [
        pytest.param(
            way, case, marks=[] if _often(way, case) else [pytest.mark.slow], id=f"{way}-{game} {options}"
        )
        for way in WAYS
        for case, (game, options) in enumerate(CASES)
    ],
    indirect=["way"],
)
def test_every_way_writes_the_file_of_the_graph_engine(
    tmp_path: Path, way: str, case: int, by_graph: Callable[..., bytes]
) -> None:
    game, options = CASES[case]
    summary = solve(game, tmp_path / "layers.db", engine="layers", **options)
    assert (tmp_path / "layers.db").read_bytes() == by_graph(case, small_blocks=way == "little room")
    with open_database(tmp_path / "layers.db") as db:
        assert (summary.states, summary.terminal) == (len(db), int(db.about["terminal"]))
    assert [path.name for path in tmp_path.iterdir()] == ["layers.db"]


def test_unsorted_layers_are_detected_and_sorted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_disorder = set[int | None]()

    def note(task: str, done: int, total: int | None, ply: int | None = None) -> None:
        if task == "sorting states, as their order is not that of their parents":
            in_disorder.add(ply)

    monkeypatch.setattr(ways, "MIN_STATES_FOR_WINDOWS", 1)
    solve(Scrambled(3, 3, 3), tmp_path / "scrambled.db", engine="layers", progress=note)
    assert len(in_disorder) > 3
    with open_database(tmp_path / "scrambled.db") as db:
        assert statistics(db)["per_ply"] == expected("tictactoe")["per_ply"]


class Huge(LayerExpansion):
    """An expansion of a layer whose pieces from the eighth on claim to lie behind 2**33 states."""

    def __init__(self, context: SolveContext, layer: KeyFile) -> None:
        layer.begins[8:] += 1 << 33  # pieces are read by eight
        super().__init__(context, layer)


@pytest.mark.parametrize("fold", [False, True])
def test_layers_may_exceed_32_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fold: bool) -> None:
    game = load_game("connect", {"rows": 3, "columns": 4, "k": 3})
    small_pieces(monkeypatch)
    solve(game, tmp_path / "sorted.db", engine="layers", fold=fold)
    monkeypatch.setattr(ways, "MIN_STATES_FOR_WINDOWS", 1)
    monkeypatch.setattr("solver.engines.layers.windows.merge.CHILDREN_PER_SHARE", 50)
    monkeypatch.setattr(ways, "MAX_GAP_FOR_BITS", 1 << 62)
    monkeypatch.setattr(forward, "MergeChildren", None)  # a layer in disorder would be sorted
    with monkeypatch.context() as huge:

        def label(opened: Layers, *others: Any) -> None:
            huge.undo()
            opened.expansion.cache_clear()
            label_layers(opened, *others)

        huge.setattr("solver.engines.layers.solve.label_layers", label)
        huge.setattr("solver.engines.layers.opened.LayerExpansion", Huge)
        solve(game, tmp_path / "windows.db", engine="layers", fold=fold)
    assert (tmp_path / "windows.db").read_bytes() == (tmp_path / "sorted.db").read_bytes()


@pytest.mark.parametrize("game", [Connect(4, 3, 3), Connect(3, 4, 3), MNK()], ids=str)
def test_representatives_of_non_canonical_children_are_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Connect | MNK
) -> None:
    noted: list[tuple[list[int], list[int]]] = []

    def note(opened: Layers, layer: KeyFile, ply: int) -> None:
        collect_representatives(opened, layer, ply)
        file = opened.representatives(ply)
        assert file is not None
        noted.append((layer.read_states(0, layer.states).tolist(), file.read_states(0, file.states).tolist()))

    monkeypatch.setattr(forward, "collect_representatives", note)
    monkeypatch.setattr(ways, "MIN_STATES_FOR_WINDOWS", 1)
    solve(game, tmp_path / "folded.db", engine="layers", fold=True)
    assert any(item for _, item in noted)
    for parents, actual in noted:
        children = {int(game.result(state, action)) for state in parents for action in game.actions(state)}
        classes = [(child, game.canonical(child)) for child in children]
        assert actual == sorted({canonical for child, canonical in classes if canonical != child})


def test_runs_of_few_children_span_several_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, runs = Connect(3, 4, 3), list[SortChildren]()
    solve(game, tmp_path / "plain.db", engine="layers", fold=True)

    def note(task: SortChildren, layers: Layers, on_progress: OnProgress) -> Answer:
        runs.append(task)
        return own(task, layers, on_progress)

    own = SortChildren.run
    monkeypatch.setattr(SortChildren, "run", note)
    monkeypatch.setattr(ways, "MIN_STATES_FOR_WINDOWS", 1)
    monkeypatch.setattr("solver.engines.storage.context.SolveContext.keys_per_sort", 300)
    monkeypatch.setattr("solver.engines.storage.resumable.SHARDS_PER_THREAD", 1)
    small_pieces(monkeypatch, 64)
    solve(game, tmp_path / "small.db", engine="layers", fold=True)
    assert (tmp_path / "small.db").read_bytes() == (tmp_path / "plain.db").read_bytes()
    assert max(item.end - item.begin for item in runs if item.which == "representatives.run") > 1


class OneTurn(MNK):
    """It has a turn of the board among its symmetries, but not the turn back."""

    def symmetries(self) -> Any:
        return [item for item in super().symmetries() if item.state(2) == 8 and item.state(8) != 2]


def test_symmetries_without_an_inverse_are_refused(tmp_path: Path, way: str) -> None:
    with pytest.raises(BrokenRules, match="their symmetries do not take the one to the other and back"):
        solve(OneTurn(), tmp_path / "folded.db", engine="layers", fold=True)
    assert list(tmp_path.iterdir()) == []


def test_layers_engine_does_not_import_networkx_or_pandas(tmp_path: Path) -> None:
    program = f"""
import sys
from solver.cli import main
command = ['solve', 'connect', '--engine', 'layers', '-o', {str(tmp_path / "connect.db")!r}]
main([*command, 'rows=3', 'columns=3', 'k=3'], standalone_mode=False)
assert not {{'networkx', 'sqlite_utils', 'pandas'}} & set(sys.modules)
"""
    python(program)


def test_layer_with_more_runs_than_open_files_is_solved(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="this system does not limit how many files are open")
    program = f"""
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from solver import load_game, solve
from solver.database.packed.keys import gap_codec
from solver.engines.storage import context
from solver.engines.layers import matching
setrlimit(RLIMIT_NOFILE, (40, getrlimit(RLIMIT_NOFILE)[1]))
context.SolveContext.keys_per_sort, matching.MIN_STATES_FOR_WINDOWS = 8, 1 << 62
gap_codec.PIECE = matching.PIECE = 8
solve(load_game('connect', dict(rows=2, columns=4)), {str(tmp_path / "many.db")!r}, engine='layers')
"""
    assert run(program=program).returncode == 0
    solve(load_game("connect", {"rows": 2, "columns": 4}), tmp_path / "few.db", engine="layers")
    assert (tmp_path / "many.db").read_bytes() == (tmp_path / "few.db").read_bytes()


@pytest.mark.parametrize(
    ("rows", "most"), [(3, 20_000), pytest.param(4, MAX_STATES_FOR_READABLE, marks=pytest.mark.slow)]
)
def test_default_engine_uses_layers_only_for_many_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int, most: int
) -> None:
    monkeypatch.setattr("solver.engines.choose.MAX_STATES_FOR_READABLE", most)
    solve(load_game("mnk", {"rows": 3, "columns": 3}), tmp_path / "few.db")
    game, said = load_game("mnk", {"rows": 4, "columns": rows}), list[str]()
    solve(game, tmp_path / "many.db", fold=True, say=said.append)
    assert [("of disk for the work" in sentence) for sentence in said] == [True]
    with open_database(tmp_path / "few.db") as few, open_database(tmp_path / "many.db") as many:
        assert "label_span" not in few.about
        assert "label_span" in many.about
        assert len(many) == published()["mnk"]["classes"][f"4x{rows}x3"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["few.db", "many.db"]


@pytest.mark.parametrize(
    ("game", "error", "words"),
    [
        (Climb(), UnfitRules, "reached in more than one number of plies"),
        (LIAR(), UnfitRules, "reached in more than one number of plies"),
        (load_game("chomp"), UnfitRules, "reached in more than one number of plies"),
        (load_game("nim"), UnfitRules, "the states of Nim are no integers, as layers need"),
        (HIGHEST(), UnfitRules, "it has the state 9223372036854775807"),
        (Stuck(), BrokenRules, "no action in the state 10"),
        (Raise(), BrokenRules, "fail"),
    ],
)
def test_unfit_rules_leave_no_file(tmp_path: Path, game: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        solve(game, tmp_path / "game.db", engine="layers")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "terminal", "bytes_each"),
    [
        ("mnk rows=4 columns=4 k=4", published()["mnk"]["terminal_x_o_draw"]["4x4x4"], 0.6),
        ("connect rows=5 columns=5", published()["connect_5x5"]["terminal_x_o_draw"], 0.36),
    ],
)
def test_large_games_match_published_counts(
    game: str, terminal: list[int], bytes_each: float, tmp_path: Path
) -> None:
    name, *parameters = game.split()
    solve(load_game(name, dict(item.split("=") for item in parameters)), tmp_path / "large.db")
    with open_database(tmp_path / "large.db") as db:
        actual = statistics(db)
    assert actual == actual | expected(game) | {"terminal": sum(terminal)}
    assert name == "mnk" or actual["states"] == counted("connect")[5, 5, 4]
    assert (tmp_path / "large.db").stat().st_size < bytes_each * actual["states"]
