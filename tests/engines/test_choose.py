"""The choice of an engine, what is handed on to it, and advice that works."""

import ast
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import solver
from solver import Game, load_game, open_database, solve
from solver.engines.choose import chosen
from solver.engines.options import SolveOptions
from solver.game import AnyGame
from solver.system.plugins import how_to_install
from tests.support.commandline import MAIN, call, refusal, refused, run, silent
from tests.support.games.packed import Coins
from tests.support.rules_texts import HEAPS, PACKED

LIMIT = "solver.engines.choose.MAX_STATES_FOR_GRAPH"
READABLE = "solver.engines.choose.MAX_STATES_FOR_READABLE"
PLIES = "solver.engines.arrays.discovery.MAX_PLIES_FOR_FILES"


@pytest.mark.parametrize(
    ("name", "parameters", "options"),
    [
        ("mnk", {"rows": 2, "columns": 3, "k": 2}, {}),
        ("hexapawn", {"rows": 3, "columns": 3}, {}),
        ("hexapawn", {"rows": 3, "columns": 3}, {"fold": True, "endless": "first"}),
        ("rules.py:Heap", {"sizes": "5,5,5"}, {}),
        ("rules.py:Heap", {"sizes": "5,5,5"}, {"start": "2+0+3 second"}),
    ],
    ids=str,
)
def test_small_games_are_solved_through_networkx(
    name: str, parameters: Any, options: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text(HEAPS)
    graphs, edges = dict[int, nx.DiGraph](), Counter[int]()
    add_node, add_edges_from = nx.DiGraph.add_node, nx.DiGraph.add_edges_from

    def adds_node(graph: nx.DiGraph, node: Any, **attributes: Any) -> None:
        graphs[id(graph)] = graph
        add_node(graph, node, **attributes)

    def adds_edges_from(graph: nx.DiGraph, given: Any, **attributes: Any) -> None:
        listed = list(given)
        edges[id(graph)] += len(listed)
        add_edges_from(graph, listed, **attributes)

    monkeypatch.setattr(nx.DiGraph, "add_node", adds_node)
    monkeypatch.setattr(nx.DiGraph, "add_edges_from", adds_edges_from)
    game = load_game(name, parameters)
    summary = solve(game, "game.db", **options)
    (graph,) = graphs.values()
    assert (summary.engine, summary.why) == ("graph", "not over 20,000 states")
    with open_database("game.db") as db:
        assert [game.position(state) for state in graph] == list(db)
        assert edges[id(graph)] == db.moves
        for (_, node), entry in zip(graph.nodes.data(), db.entries(), strict=True):
            assert (node["value"], node["remoteness"]) == (entry.value, entry.remoteness)
            best = [move.move for move in entry.moves_by_action if move.best]
            assert [game.action_name(action) for action in node["best"]] == best


class Asked(Game[Any, Any]):
    """Three tokens go round a board, so that play has loops; the rules note each question."""

    def __init__(self, size: int, starts: int = 1) -> None:
        self.size, self.starts, self.asked = size, starts, Counter[Any]()

    @property
    def initial(self) -> Any:
        return (0, 0, 0)

    def initial_states(self) -> Any:
        return ((place, 0, 0) for place in range(self.starts))

    def to_move(self, state: Any) -> int:
        return int(sum(state) % 2)

    def actions(self, state: Any) -> Sequence[int]:
        self.asked[state] += 1
        return () if self.size - 1 in state else (0, 1, 2, 3)

    def result(self, state: Any, action: int) -> Any:
        self.asked[state, action] += 1
        if action == 3:
            return (*state[:2], max(0, state[2] - 2))
        return tuple(place + (token == action) for token, place in enumerate(state))

    def utility(self, state: Any) -> int:
        return (3, -1, 2)[state.index(self.size - 1)]

    def canonical(self, state: Any) -> Any:
        return min(state, (state[1], state[0], state[2]))


@pytest.mark.parametrize(
    ("size", "starts", "most", "fold"),
    [pytest.param(29, 1, 20_000, False, marks=pytest.mark.slow), (9, 7, 300, False), (9, 7, 3, True)],
)
def test_arrays_continue_from_the_graph_without_repeated_rule_calls(
    size: int, starts: int, most: int, fold: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("solver.engines.arrays.rules_pool.cores", lambda: 1)
    monkeypatch.setattr(LIMIT, most)
    files, states = list[Path](), list[int]()
    for engine in ("auto", "arrays"):
        game, files = Asked(size, starts), [*files, tmp_path / f"{engine}.db"]
        options = SolveOptions(fold=fold)
        with chosen(game, options, engine, tmp_path / "work") as choice:
            assert str(choice).startswith("arrays: ")
            choice.solve(files[-1])
        assert set(game.asked.values()) == {1}
        states.append(sum(isinstance(state[0], int) for state in game.asked))
    assert states[0] == states[1] > most
    assert files[0].read_bytes() == files[1].read_bytes()


def test_small_bound_leads_to_networkx_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("solver.engines.choose.memory_solve")
    with chosen(load_game("tictactoe"), SolveOptions(), "auto", tmp_path / "work") as choice:
        choice.solve(tmp_path / "game.db")
    with open_database(tmp_path / "game.db") as db:
        assert len(db) == 5478


def test_deep_games_get_equal_labels_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(READABLE, 99)
    whys = {10: "few states at each ply", 100: "over 99 states, with loops, in files"}
    for fold in (False, True):
        for plies, why in whys.items():
            monkeypatch.setattr(PLIES, plies)
            assert solve(HEAP, tmp_path / f"{plies} {fold}.db", layout="packed", fold=fold).why == why
        with (
            open_database(tmp_path / f"10 {fold}.db") as deep,
            open_database(tmp_path / f"100 {fold}.db") as db,
        ):
            assert deep.layout == db.layout == "packed"
            assert {text: db[text] for text in db} == {text: deep[text] for text in deep}


STEPS = PACKED.replace("action_count = 1", "action_count = 2").replace("+ 1", "+ 1 + action")
"""Rules in which states are reached in different numbers of plies."""

WALK = "import numpy as np" + STEPS.replace("Count", "Walk").replace("state < 4", "np.where(state < 4, 1, 0)")
"""Packed rules that cannot be compiled, which line 16 keeps from it."""


NIM = load_game("nim", {"heaps": "3,4,5"})
HEAP = load_game("subtraction", {"heap": 90})


@pytest.mark.parametrize(
    ("game", "options", "limits", "choice"),
    [
        (load_game("tictactoe"), {}, {}, "graph: not over 20,000 states"),
        (load_game("tictactoe"), {"layout": "packed"}, {}, "arrays: 5,478 states, packed"),
        (load_game("tictactoe"), {"start": "xxxoo...."}, {}, "graph: not over 20,000 states"),
        (load_game("tictactoe"), {"engine": "arrays"}, {}, "arrays: as asked"),
        (load_game("tictactoe"), {"engine": "layers"}, {}, "layers: as asked"),
        (load_game("tictactoe"), {}, {LIMIT: 999, READABLE: 999}, "layers: over 999 states, ply by ply"),
        (NIM, {}, {LIMIT: 200}, "arrays: at most 240 states, over 20,000"),
        (NIM, {"start": "3,4,5 first"}, {LIMIT: 80}, "arrays: this game has more than 80 states"),
        (load_game("hexapawn"), {}, {LIMIT: 100}, "arrays: 135 states, over 20,000"),
        (HEAP, {"layout": "packed"}, {READABLE: 99, PLIES: 10}, "arrays: few states at each ply"),
        (HEAP, {"layout": "packed"}, {READABLE: 99}, "arrays: over 99 states, with loops, in files"),
        (Coins(), {}, {READABLE: 0}, "arrays: over 0 states, tier by tier, in files"),
    ],
    ids=str,
)
def test_choice_states_the_engine_and_the_reason(
    game: AnyGame, options: Any, limits: Any, choice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit, most in limits.items():
        monkeypatch.setattr(limit, most)
    engine = options.pop("engine", "auto")
    with chosen(game, SolveOptions(**options), engine, tmp_path / "work") as decision:
        assert str(decision) == choice


def test_solve_reports_rules_that_cannot_be_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(READABLE, 3)
    said = list[str]()
    (tmp_path / "rules.py").write_text(WALK)
    solve(load_game(f"{tmp_path / 'rules.py'}:Walk"), tmp_path / "walk.db", say=said.append)
    assert said == [
        "this is slower than it could be: the rules of Walk cannot be compiled, which takes "
        "operators only: Untraceable: the rules branch on a state (rules.py, line 16)"
    ]


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
from solver.cli import main
from solver.engines import choose
choose.MAX_STATES_FOR_READABLE = 0
main(sys.argv[1:])
"""

NEEDED = f"solving in files needs numba: {how_to_install('fast')}"


@pytest.mark.parametrize("words", ["tictactoe --engine layers", "morris --layout packed --cluster local:2"])
def test_engines_in_files_name_the_missing_package(words: str, tmp_path: Path) -> None:
    refused = run("solve", *words.split(), cwd=tmp_path, program=WITHOUT_NUMBA)
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", f"Error: {NEEDED}\n")
    assert list(tmp_path.iterdir()) == []


WITHOUT_CACHE = """
import sys
from numba.core import caching
caching.CacheImpl._locator_classes = []  # as if no folder of numba's could be written
from solver.cli import main
main(sys.argv[1:])
"""


WITHOUT_HOME = f"""
import os.path
os.path.expanduser = lambda path: path
{MAIN}
"""
"""As for a user whom the system does not know, without HOME: numba would make a folder called ~."""


@pytest.mark.parametrize("program", [WITHOUT_CACHE, WITHOUT_HOME])
def test_missing_numba_cache_folder_is_reported(tmp_path: Path, program: str) -> None:
    words = ("connect", "rows=3", "columns=3", "--engine", "layers")
    said = refused(2, run("solve", *words, cwd=tmp_path, program=program))
    assert said.endswith("set NUMBA_CACHE_DIR to a folder that you may write\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("date", ["", "abc", "1.5", "1700000000"])
def test_numba_works_whatever_the_date_of_a_build(date: str, tmp_path: Path) -> None:
    words = ("connect", "rows=3", "columns=3", "--engine", "layers")
    silent(run("solve", *words, cwd=tmp_path, env=os.environ | {"SOURCE_DATE_EPOCH": date}))


@pytest.mark.parametrize("game", ["morris", "tictactoe"])
def test_large_games_are_solved_in_memory_without_numba(game: str, tmp_path: Path) -> None:
    solved = run("solve", game, "--layout", "packed", "--fold", cwd=tmp_path, program=WITHOUT_NUMBA)
    slow = f"in memory, and slowly: {NEEDED}"
    assert solved.stderr == f"{slow}\n"
    assert f"engine      arrays: over 0 states, {slow}\n" in solved.stdout  # nobody has looked for loops
    solve(load_game(game), tmp_path / "fast.db", layout="packed", fold=True)
    assert (tmp_path / f"{game}.db").read_bytes() == (tmp_path / "fast.db").read_bytes()


@pytest.mark.parametrize(
    ("words", "needs"),
    [
        ("tictactoe", {"states": 6046, "counted_by": None, "memory": 6046 * 2000, "work": None}),
        ("hexapawn", {"states": 135, "counted_by": "this program", "seconds": None}),
        ("tictactoe --layout packed", {"counted_by": "this program", "memory": 5478 * 200}),
        ("tictactoe --engine arrays --layout readable", {"states": 6046, "counted_by": None}),
        ("connect rows=3 columns=3 --start ......x.. --engine layers", None),
        (
            "connect rows=6 columns=5",
            {"states": 1044334437, "work": 1044334437, "database": 417733775, "memory": None, "seconds": 104},
        ),
        ("connect rows=6 columns=5 --fold", {"states": 522167218, "folded": True, "seconds": 52}),
    ],
)
def test_dry_run_prints_needs_and_writes_no_file(
    words: str, needs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    decision = json.loads(call("solve", *words.split(), "--dry-run", "--json").stdout)
    assert decision["needs"] == needs if needs is None else decision["needs"] | needs == decision["needs"]
    rows = call("solve", *words.split(), "--dry-run").stdout.splitlines()
    assert rows[0] == f"engine      {decision['engine']['name']}: {decision['engine']['why']}"
    assert (len(rows) == 1) == (needs is None)
    assert list(tmp_path.iterdir()) == []


def test_dry_run_and_solve_refuse_the_same_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in ("tictactoe -o nowhere/x.db", "nim --cluster local:2 --engine graph", "nim --start what"):
        refused = [call("solve", *words.split(), *dry) for dry in ((), ("--dry-run",))]
        assert refused[0].exit_code == refused[1].exit_code != 0
        assert refused[0].stderr == refused[1].stderr


@pytest.mark.parametrize("words", ["connect rows=5 columns=5", "quixo rows=4 columns=4 k=4"])
def test_dry_run_and_solve_refuse_too_little_memory(words: str, tmp_path: Path) -> None:
    # In a process that holds little, as the first states take some, too, and that starts no workers.
    alone = f"import os; os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}}); {MAIN}"
    for dry in ((), ("--dry-run",)):
        asked = run("solve", *words.split(), "--memory", "200M", *dry, cwd=tmp_path, program=alone)
        said = refused(2, asked)
        assert "a solve in files needs" in said
    assert not [*tmp_path.iterdir()]


def test_engine_advised_by_layers_solves_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "steps.py").write_text(STEPS)
    advice = refusal(2, "solve", "steps.py:Count", "--engine", "layers").strip().rpartition("use ")[2].split()
    assert advice == ["--engine", "arrays"]
    assert call("solve", "steps.py:Count", *advice).exit_code == 0


def test_no_message_recommends_the_graph_engine() -> None:
    for path in Path(solver.__file__).parent.glob("**/*.py"):
        if "graph" in (text := path.read_text()):
            constants = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
            assert not [node.value for node in constants if "engine graph" in str(node.value)], path
