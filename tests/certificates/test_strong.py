"""Strong solutions: three programs accept the labels of the definition, and no others."""

import gzip
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from solver import open_database, solve
from solver.analysis.certificates import certificate
from solver.analysis.certificates.certificate import Head
from solver.analysis.certificates.check import flaw_of_strong
from solver.analysis.certificates.strong import Records, read_strong, write_strong
from solver.database.columns import merged
from solver.database.packed.keys.gap_codec import leb128_of, numbers_of
from solver.game import ENDLESS
from solver.games.hexapawn import Hexapawn
from solver.games.ponghauki import PongHauKi
from solver.packed import PackedGame
from solver.rules.arrays import Keys
from solver.rules.loading import game_parameters
from solver.rules.named import as_named
from tests.support.certificates import (
    CHECKERS,
    all_flipped,
    asked_once,
    misspelt,
    refused_by_program,
    status_in_c,
    status_in_python,
)
from tests.support.commandline import call, refusal, succeeded
from tests.support.definitions import defined
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, mirrored, reachable
from tests.support.games.known import SMALLEST
from tests.support.games.packed import Ladder
from tests.support.solved import solved_file, solving
from tests.support.strong_solutions import as_file, compiled_checker, labels_of, records_of, spoilt_solutions

ROOT = Path(__file__).parents[2]


def are_refused(head: Head, records: Records, rules: Path, game: PackedGame) -> list[bool]:
    """Whether the programs in C and Python and the solver refuse a strong solution."""
    content = as_file(head, records)
    return [
        status_in_c(compiled_checker(rules), content) == 1,
        refused_by_program(content, game, "strong.py"),
        flaw_of_strong(head, records, game) is not None,
    ]


OPTIONS: dict[str, dict[str, Any]] = {
    **{name: {"fold": True} for name in ("quixo", "domineering", "teeko", "chess-ending")},
    "connect": {"layout": "readable"},
    "mnk": {"layout": "packed"},
    "morris": {"start": "x/xo./o.."},
}
"""Options of the solve, where there are any."""

LARGE = ("chess-ending", "lgame")

GAMES = sorted(SMALLEST.keys() - {*LARGE, "dobutsu", "openspiel", "tictactoe"})
"""Games of each family that has small ones and is packed."""

IN_C = ("mnk", "hexapawn", "dots-and-boxes", "ponghauki", "quixo", "chess-ending")
"""Those that are checked in C, too."""


@pytest.mark.parametrize("name", [*GAMES, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)])
def test_checkers_accept_strong_solutions_and_refuse_altered_ones(name: str, tmp_path: Path) -> None:
    parameters = {} if name in LARGE else SMALLEST[name]
    database, out = solved_file(name, parameters, **OPTIONS.get(name, {})), tmp_path / "out"
    random = Random(1)
    succeeded(call("certify", database, "--strong", "-o", out))
    path = tmp_path / "out.strong"
    assert call("verify", path).stdout.startswith(f"{path}: proved. ")
    head, records = read_strong(path)
    program = compiled_checker(tmp_path / "out.rules.h") if name in IN_C else None
    with open_database(database) as db:
        game = db.game
        assert len(records.states) == len(db)
        assert labels_of(records)[head.starts[0]] == (db[db.start].value, db[db.start].remoteness)
    assert flaw_of_strong(head, records, game) is None
    in_python = name != "chess-ending"  # of which it asks for minutes
    assert not in_python or not refused_by_program(path.read_bytes(), game, "strong.py")
    assert program is None or status_in_c(program, path.read_bytes()) == 0
    for nth, spoilt in enumerate(spoilt_solutions(records, random, 12)):
        assert program is None or status_in_c(program, as_file(head, spoilt)) == 1
        assert flaw_of_strong(head, spoilt, game) is not None
        assert nth > 1 or not in_python or refused_by_program(as_file(head, spoilt), game, "strong.py")


def test_missing_state_or_flipped_byte_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    call("certify", solved_file("hexapawn"), "--strong", "-o", out)
    program, path, random = compiled_checker(tmp_path / "out.rules.h"), tmp_path / "out.strong", Random(2)
    head, records = read_strong(path)
    for nth in range(len(records.states)):
        assert status_in_c(program, as_file(head, records.part(np.arange(len(records.states)) != nth))) == 1
    content = gzip.decompress(path.read_bytes())
    body = content.index(b"\n\n") + 2
    for spoilt in all_flipped(path.read_bytes(), random.sample(range(body, len(content)), 40), random):
        path.write_bytes(spoilt)
        assert status_in_c(program, path.read_bytes()) == 1
        assert call("verify", path).exit_code in (1, 4)
    path.write_bytes(gzip.compress(content + b"\0\0\0"))
    assert (status_in_c(program, path.read_bytes()), call("verify", path).exit_code) == (1, 4)
    path.write_bytes(gzip.compress(content)[:-9])
    refusal(4, "verify", path)


def test_malformed_head_is_refused_by_all_checkers(tmp_path: Path) -> None:
    out, path = tmp_path / "out", tmp_path / "out.strong"
    call("certify", solved_file("tictactoe", fold=True), "--strong", "-o", out)
    program, rules = compiled_checker(tmp_path / "out.rules.h"), asked_once(runpy.run_path(f"{out}.rules.py"))
    content = gzip.decompress(path.read_bytes())
    unended = content[:-1] + bytes([content[-1] | 128])
    for item in (content, unended, *misspelt(content)):
        path.write_bytes(gzip.compress(item, 1))
        refused = [status_in_c(program, path.read_bytes()), status_in_python("strong.py", path, rules)]
        assert [*refused, call("verify", path).exit_code > 0] == [item != content] * 3, item[:999]


def test_malformed_file_is_refused_after_few_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file can stand for many bytes, as states that it only announces, as one long number or line."""
    call("certify", solved_file("hexapawn"), "--strong", "-o", tmp_path / "out")
    path, decoded = tmp_path / "out.strong", list[bytes]()

    def remembered(data: bytes) -> Keys:
        decoded.append(data)
        return numbers_of(data)

    monkeypatch.setattr(certificate, "BYTES_AT_ONCE", 100)
    monkeypatch.setattr(certificate, "numbers_of", remembered)
    content = gzip.decompress(path.read_bytes())
    body = content.partition(b"\n\n")[2]
    assert call("verify", path).exit_code == 0
    assert b"".join(decoded) == body
    for spoilt in (
        re.sub(rb"\ncount \d+", b"\ncount 1000000000000", content),
        content.replace(body, LONG + body),
        content.replace(b"\nparameters ", b"\nparameters " + b" " * 5000),
    ):
        decoded.clear()
        path.write_bytes(gzip.compress(spoilt))
        refusal(4, "verify", path)
        assert len(b"".join(decoded)) <= 100


LONG = b"\x80" * 5000


def head_of(game: ExplicitGame, endless: str, symmetries: int) -> Head:
    numbers = {"endless": ENDLESS[endless], "symmetries": symmetries, "texts": 1, "count": 0}
    return Head(as_named(game), game_parameters(game), [str(start) for start in game.starts], numbers)


LABELS = st.tuples(st.integers(-3, 3), st.none() | st.integers(0, 5))


@given(
    explicit_games(7, starts=3) | mirrored(),
    st.sampled_from([*ENDLESS]),
    st.dictionaries(st.integers(0, 9), LABELS | st.none() | st.just("right"), max_size=4),
    st.booleans(),
)
@settings(max_examples=100)
def test_only_labels_matching_the_definition_are_accepted(
    game: ExplicitGame, endless: str, changes: dict[int, Any], folded: bool
) -> None:
    """Whether states are taken out, added, or get other labels, be it a whole loop of them."""
    right = [label[:2] for label in defined(game, endless)]
    images = [symmetry.state for symmetry in game.symmetries()] if folded else []
    labels = {state: right[state] for state in reachable(game)}
    if images:
        labels = {min(state, images[0](state)): label for state, label in labels.items()}
    for state, label in changes.items():
        if label is None:
            labels.pop(state, None)
        elif state < len(right):
            labels[state] = right[state] if label == "right" else label
    pairs = [(image, label) for s, label in labels.items() for image in (s, *(f(s) for f in images))]
    there = {state for state, _ in pairs}
    children = {child for state in there for child in game.children[state]}
    is_right = all(label == right[state] for state, label in pairs) and {*children, *game.starts} <= there
    head, records = head_of(game, endless, len(images)), records_of({str(s): labels[s] for s in labels})
    assert (flaw_of_strong(head, records, game) is None) == is_right
    if labels:
        assert refused_by_program(as_file(head, records), game, "strong.py") == (not is_right)


@given(explicit_games(8, starts=2), st.sampled_from([*ENDLESS]))
@settings(max_examples=15)
def test_written_labels_match_the_definition(
    tmp_path_factory: pytest.TempPathFactory, game: ExplicitGame, endless: str
) -> None:
    path = tmp_path_factory.mktemp("game") / "game.db"
    solve(game, path, endless=endless)
    with open_database(path) as db:
        db.game = game
        assert write_strong(db, path.with_suffix(".strong")) == len(db)
    head, records = read_strong(path.with_suffix(".strong"))
    right = defined(game, endless)
    assert labels_of(records) == {str(state): right[state][:2] for state in reachable(game)}
    assert ({*map(int, head.starts)}, head.numbers["endless"]) == ({*game.starts}, ENDLESS[endless])
    assert not refused_by_program(path.with_suffix(".strong").read_bytes(), game, "strong.py")


@pytest.mark.parametrize("label", [(1, -1), (-1, -1), (1, 7)])
def test_consistently_altered_loop_is_refused(label: tuple[int, int], tmp_path: Path) -> None:
    """Each of the states that go round follows from the others, if it is not asked when play ends."""
    call("certify", solved_file("ponghauki"), "--strong", "-o", tmp_path / "out")
    head, records = read_strong(tmp_path / "out.strong")
    loop = records.remoteness < 0
    assert loop.any()
    assert (records.values[loop] == 0).all()
    records.values[loop], records.remoteness[loop] = label
    assert are_refused(head, records, tmp_path / "out.rules.h", PongHauKi()) == [True] * 3


def test_missing_start_repeated_state_and_false_symmetry_are_refused(tmp_path: Path) -> None:
    call("certify", solved_file("hexapawn"), "--strong", "-o", tmp_path / "out")
    head, records = read_strong(tmp_path / "out.strong")
    rules, game = tmp_path / "out.rules.h", Hexapawn()
    more = head._replace(starts=[*head.starts, int(records.states[-1]) + 1])
    twice = records.part([0, *range(len(records.states))])
    symmetric = head._replace(numbers={**head.numbers, "symmetries": 2})  # there is one
    assert are_refused(head, records, rules, game) == [False] * 3
    assert are_refused(symmetric, records, rules, game)[::2] == [True] * 2
    boundless = head._replace(numbers={**head.numbers, "endless": 10**30})
    assert flaw_of_strong(boundless, records, game) is not None
    assert are_refused(more, records, rules, game) == are_refused(head, twice, rules, game) == [True] * 3


@given(st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=9), max_size=4), st.integers(1, 3))
def test_streams_are_merged_in_ascending_order(streams: Sequence[Sequence[int]], size: int) -> None:
    def batches(states: Sequence[int]) -> Any:
        for begin in range(0, len(states), size):
            some = np.array(states[begin : begin + size])
            yield Records(some, 2 * some, 3 * some)

    actual = [Records(*part) for part in merged([batches(sorted(states)) for states in streams])]
    states = [state for records in actual for state in records.states.tolist()]
    assert states == sorted(state for some in streams for state in some)
    assert all((records.values == 2 * records.states).all() for records in actual)


@given(st.lists(st.integers(0, 2**63 - 1)))
def test_leb128_numbers_round_trip(numbers: list[int]) -> None:
    assert numbers_of(leb128_of(np.array(numbers, np.int64))).tolist() == numbers
    assert leb128_of(np.array([624485])) == b"\xe5\x8e\x26"  # the example of DWARF's, section 7.6


@pytest.mark.parametrize(
    ("solved", "says"),
    [
        (lambda: solved_file("ponghauki", endless="second"), "the value is -1 (second wins endless play)\n"),
        (
            lambda: solved_file("domineering", {"rows": 1, "columns": 2}),
            "proved: 1 state; from 0 the value is -1\n",
        ),
    ],
)
def test_checkers_print_the_value_and_the_winner_of_endless_play(
    solved: Callable[[], Path], says: str, tmp_path: Path
) -> None:
    call("certify", solved(), "--strong", "-o", tmp_path / "out")
    words = [sys.executable, f"{CHECKERS}/strong.py", f"{tmp_path}/out.rules.py", f"{tmp_path}/out.strong"]
    python = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    content = gzip.decompress((tmp_path / "out.strong").read_bytes())
    program = compiled_checker(tmp_path / "out.rules.h")
    c = subprocess.run(program, input=content, capture_output=True, check=True)
    assert python.stdout == c.stdout.decode()
    assert python.stdout.endswith(says)


@pytest.mark.parametrize("value", [2**62 - 1, -(2**62), 2**62, -(2**62) - 1])
def test_value_outside_the_format_is_refused(value: int, tmp_path: Path) -> None:
    with solving(Ladder(3, prize=value)) as db:
        result = call("certify", db.path, "--strong", "-o", tmp_path / "ladder")
    if abs(value) < 2**62 or value == -(2**62):
        assert call("verify", tmp_path / "ladder.strong").exit_code == 0
    else:
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "too large for a strong solution" in result.stderr
