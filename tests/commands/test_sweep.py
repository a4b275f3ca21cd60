"""`perfectplay sweep`: figures for every combination of parameters, against theory and brute force."""

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from exporters.report.plots import sheet
from solver import load_game, open_database, solve
from solver.analysis.report import report_on
from solver.analysis.sweep import SweptGame, combinations, plots_of, swept_game
from solver.errors import BadParameter
from solver.game import AnyGame
from tests.commands.test_batch import RATIO
from tests.commands.test_json import validate
from tests.support.commandline import call, refusal, succeeded

sweep = partial(call, "sweep")

pytestmark = pytest.mark.usefixtures("started")


def swept(*words: object) -> list[dict[str, Any]]:
    """The objects that it prints, each as the schema says."""
    actual = succeeded(sweep(*words, "--json"))
    rows = [json.loads(line) for line in actual.stdout.splitlines()]
    for row in rows:
        validate("sweep", row)
    return rows


@pytest.mark.parametrize(
    "words",
    [
        "mnk rows=2 columns=3 k=2..3 misere=false misere=true",
        "dots-and-boxes rows=1 columns=1..2",  # margins, moves in a row
        "ponghauki",  # loops
    ],
)
def test_figures_match_a_count_of_all_positions(words: str, tmp_path: Path) -> None:
    game, *parameters = words.split()
    for row in swept(game, *parameters, "--folder", tmp_path / "swept"):
        path = tmp_path / "counted.db"
        solve(load_game(game, row["parameters"]), path, force=True)
        with open_database(path) as db:
            entries, start = list(db.values()), db[db.start]
            traps = report_on(db).as_dict()["figures"]["two_plies"]
        assert row["states"] == len(entries)
        assert (row["value"], row["remoteness"]) == (start.value, start.remoteness)
        assert row["first_moves"] == len(start.moves)
        assert row["winning_first_moves"] == sum(move.outcome == "win" for move in start.moves)
        won = Fraction(sum(entry.value != 0 for entry in entries), len(entries))
        assert row["decisive"] == pytest.approx(float(won), abs=1e-6)
        assert row["traps"] == traps  # held against brute force by the tests of reports


def test_combinations_are_complete_and_in_order() -> None:
    words = [("a", "1..3"), ("b", "x"), ("a", "7"), ("c", "1,2"), ("c", "-1..0")]
    actual = combinations(words)
    assert actual == [{"a": a, "b": "x", "c": c} for a in "1237" for c in ("1,2", "-1", "0")]
    assert combinations([]) == [{}]
    for wrong in ([("a", "3..1")], [("a", "1..3"), ("a", "2")], [("a", "0..10000")], [("a", f"0..{10**17}")]):
        with pytest.raises(BadParameter):
            combinations(wrong)
    with pytest.raises(BadParameter, match="more than 10,000"):  # at once, in little memory
        combinations([("a", "0..999999999"), ("b", "0..999999999")])


def test_too_large_and_invalid_games_are_reported_unsolved(tmp_path: Path) -> None:
    rows = swept("mnk", "rows=3", "columns=3..4", "k=3..4", "--states", 7000, "--folder", tmp_path)
    assert [row["states"] for row in rows] == [5478, None, None, None]
    _, unfit, large, _ = (str(row.get("failure")) for row in rows)
    assert unfit == "k=4 in a row do not fit on a board of 3 rows and 3 columns; k can be at most 3"
    assert large.startswith("not tried: ")
    assert large.endswith("111,973 states, over 7,000")  # as published for 3 x 4
    assert sorted(path.name for path in tmp_path.glob("*.db")) == ["catalogue.db", "mnk.db"]


def test_solved_games_are_not_solved_again(tmp_path: Path, started: list[str]) -> None:
    words = ("nim", "heaps=1,2", "heaps=1,2,3", "--folder", tmp_path)
    first = sweep(*words)
    assert len(started) == 2
    assert (sweep(*words).stdout, len(started)) == (first.stdout, 2)
    assert (tmp_path / "catalogue.html").is_file()
    solve(load_game("nim", {"heaps": "2,2"}), tmp_path / "nim-heaps-2-2.db", endless="first")
    assert "exists already: use `solve --force` to replace it" in sweep(*words, "heaps=2,2").stdout


def test_values_sharing_a_file_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ratio.py").write_text(RATIO)
    words = [f"{tmp_path}/ratio.py:Ratio", "ratio=1:2", "ratio=1-2"]
    said = refusal(2, "sweep", *words, "--folder", tmp_path / "out")
    assert "two of the games would be Ratio-ratio-1-2.db" in said
    assert not (tmp_path / "out").exists()
    assert sweep(*words, "ratio=3").exit_code == 0


def test_failed_solve_is_reported_and_others_continue(tmp_path: Path) -> None:
    rules = tmp_path / "mine.py"
    rules.write_text(
        "from dataclasses import dataclass\nfrom solver.games.nim import Nim\n\n\n@dataclass(frozen=True)\n"
        "class Mine(Nim):\n    fails: bool = False\n\n    def actions(self, state):\n"
        "        return [1 / 0] if self.fails and sum(state[1:]) < 2 else super().actions(state)\n"
    )
    actual = sweep(f"{rules}:Mine", "heaps=1,2", "fails=true", "fails=false", "--json")
    failed, solved = map(json.loads, actual.stdout.splitlines())
    assert actual.exit_code == 1
    assert "division by zero" in failed["failure"]
    assert solved["states"] == 7  # heaps in order: 1 + 3 + 2 + 1


@pytest.mark.parametrize("ending", ["html", "md", "json"])
def test_table_is_written_in_every_format(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"table.{ending}"
    actual = sweep("subtraction", "heap=3..5", "take=1,2", "take=1,2,3", "-o", path)
    assert (actual.exit_code, actual.stdout) == (0, "")
    text = path.read_text()
    if ending == "json":
        assert [row["states"] for row in json.loads(text)] == [6, 6, 8, 8, 10, 10]
    else:
        assert text.count("first to move") == 6
        assert ("subtraction: first moves that win by heap" in text) == (ending == "html")


def swept_subtraction(*words: str, folder: Path) -> Iterator[SweptGame]:
    for values in combinations([(name, value) for name, _, value in (word.partition("=") for word in words)]):
        solve(load_game("subtraction", values), folder / "game.db", force=True)
        with open_database(folder / "game.db") as db:
            yield swept_game(values, report_on(db))


@cache
def plies_of(heap: int, most: int) -> int:
    """How long subtraction of 1 to `most` is: who wins hurries, who loses does not."""
    left = [heap - taken for taken in range(1, min(heap, most) + 1)]
    if not left:
        return 0
    won = [after for after in left if after % (most + 1) == 0]
    return 1 + (min(plies_of(after, most) for after in won) if won else max(plies_of(a, most) for a in left))


def test_curves_match_the_theory(tmp_path: Path) -> None:
    games = list(swept_subtraction("heap=5..9", "take=1,2", "take=1,2,3", "misere=false", folder=tmp_path))
    plots = {plot.title: plot for plot in plots_of("subtraction", games)}
    names = ("plies of perfect play", "first moves that win", "decisive positions", "traps")
    assert [*plots] == [f"subtraction: {name} by heap" for name in names]
    length, winning, decisive, _ = plots.values()
    for most, line in ((2, 0), (3, 1)):
        assert length.lines[line].name == f"take={','.join(map(str, range(1, most + 1)))}"
        assert length.lines[line].points == [(heap, plies_of(heap, most)) for heap in range(5, 10)]
        shares = [(heap - 5, Fraction(heap % (most + 1) > 0, most)) for heap in range(5, 10)]
        assert winning.lines[line].points == [(at, float(share)) for at, share in shares]
        assert decisive.lines[line].points == [(heap, 1) for heap in range(5, 10)]
    assert (length.percent, length.names, winning.names) == (False, [], [*"56789"])


def test_non_integer_values_are_named_on_the_axis(tmp_path: Path) -> None:
    games = list(swept_subtraction("heap=9", "take=1,2", "take=1,2,3", folder=tmp_path))
    length, *_ = plots_of("subtraction", games)
    assert (length.names, length.lines[0].points) == (["1,2", "1,2,3"], [(0, 6), (1, 5)])
    svg = ET.fromstring(sheet("Title", "Words", [length]))
    lines = [line.get("points", "").split() for line in svg.iter("{http://www.w3.org/2000/svg}polyline")]
    assert [*map(len, lines)] == [1, 1]
    texts = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Title", "Words", "1,2", "1,2,3", "take"} <= {*texts}


def test_plot_is_written_beside_the_table(tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    actual = sweep("subtraction", "heap=3..4", "--plot", path)
    assert (actual.exit_code, actual.stdout.splitlines()[0][:4]) == (0, "heap")
    svg = ET.fromstring(path.read_text())
    assert svg.get("role") == "img"
    assert svg[0].text == "subtraction by its parameters"
    assert (svg[1].text or "").startswith("subtraction: plies of perfect pla")


def test_each_game_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Counter[str]()

    def load(name: str, parameters: dict[str, str]) -> AnyGame:
        made[parameters["heaps"]] += 1
        return load_game(name, parameters)

    for module in ("solver.commands.sweep", "solver.commands.batch.jobs", "solver.rules.loading"):
        monkeypatch.setattr(f"{module}.load_game", load)
    assert sweep("nim", "heaps=1,2", "heaps=1", "--states", 1).exit_code == 0
    assert made == {"1,2": 1, "1": 1}


def test_more_than_eight_curves_are_not_drawn(tmp_path: Path) -> None:
    path, many = tmp_path / "sweep.html", [f"take=1,{least}" for least in range(2, 11)]
    for takes in (many[:8], many):
        assert sweep("subtraction", "heap=11..12", *takes, "-o", path, "--folder", tmp_path).exit_code == 0
        text, curves = path.read_text(), len(takes) if len(takes) <= 8 else 0
        joined = re.findall(r'<polyline [^>]*points="[^" ]+ [^"]+"', text)
        assert len(joined) == 3 * curves
        assert all(re.search(rf"\.l{nth} ?\{{", text) for nth in range(curves))  # each has a colour
        path.unlink()
