"""The plot of accuracy by ply, and the command that draws it."""

import json
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from exporters.svg.accuracy import HEIGHT, render
from exporters.svg.plot import DASHES, LINE_COLOURS, marker
from exporters.svg.rendering import rendered
from solver.analysis.grade import AllCounts, ChoiceCounts, Grade
from solver.errors import NotLegible
from solver.game import AnyGame
from solver.games.mnk import TicTacToe
from tests.exporters.support.rendered_text import SVG, pages_and_title, texts_of
from tests.support.commandline import call, refusal, succeeded
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.solved import solved, solved_file, solving

run = partial(call, "grade")


def a_grade(name: str, *counts: tuple[int, int, int], exact: bool = True) -> Grade:
    """A grade by the counts of decisive choices of each ply, beside which there is one more choice."""
    by_ply = {ply: of_one_more(*count) for ply, count in enumerate(counts)}
    choices, best, keeps = (sum(column) for column in zip(*counts, strict=True))
    total = of_one_more(choices, best, keeps, len(counts))
    return Grade(name, ("x", "o"), exact, total=total, by_ply=by_ply)


def of_one_more(choices: int, best: int, keeps: int, more: int = 1) -> AllCounts:
    """Counts of decisive choices, and of some more that are best, as all moves there are."""
    decisive = ChoiceCounts(choices, choices, best, keeps)
    return AllCounts(choices + more, choices + more, best + more, keeps + more, decisive)


def test_each_panel_has_a_line_of_shares_for_each_player() -> None:
    root = ET.fromstring(render([a_grade("a", (1, 1, 1), (4, 1, 2)), a_grade("b", (1, 0, 0), (4, 4, 4))]))
    heights = [
        [1 - float(point.split(",")[1]) / HEIGHT for point in line.attrib["points"].split()]
        for line in root.iter(f"{SVG}polyline")
    ]
    decisive = [[1, 0.25], [0, 1], [1, 0.5], [0, 1]]  # best of a and of b, then what keeps the value
    assert heights == [*decisive, [1, 0.4], [0.5, 1], [1, 0.6], [0.5, 1]]


def test_plot_names_axes_panels_and_players() -> None:
    name = 'me.py:A<b>&"c"(x=1)'
    texts = texts_of(render([a_grade(name, (4, 2, 3))]))
    assert [text for text in texts if text.startswith(("Plays", "Keeps"))] == [
        "Plays a best move where a move loses value",
        "Keeps the value where a move loses value",
        "Plays a best move everywhere",
        "Keeps the value everywhere",
    ]
    assert texts.count("share of choices") == 4
    assert f"{name}: best 50.0%, keeps the value 75.0%; everywhere 60.0% and 80.0%" in texts


def test_ply_without_decisive_choice_has_no_upper_point() -> None:
    of_all = AllCounts(1, 1, 1, 1)
    root = ET.fromstring(render([Grade("a", ("x", "o"), True, total=of_all, by_ply={0: of_all})]))
    assert [item.attrib["points"] != "" for item in root.iter(f"{SVG}polyline")] == [False, False, True, True]
    assert "a: best -, keeps the value -; everywhere 100.0% and 100.0%" in root.itertext()


def test_pdf_plot_contains_its_text() -> None:
    pages, title = pages_and_title(rendered(render([a_grade("minimax", (4, 2, 3))]), "pdf"))
    assert title == "How good the players are"
    for item in ("Plays a best move", "share of choices", "minimax: best 50.0%", "80%"):
        assert item in pages[0].extract_text()


def test_only_estimates_have_intervals() -> None:
    exact, estimate = (render([a_grade("a", (4, 2, 3), exact=exact)]) for exact in (True, False))
    assert "95%" not in exact
    assert "bars: 95% intervals" in estimate
    assert (exact.count('l0 bar"'), estimate.count('l0 bar"')) == (0, 4)


def test_player_lines_differ_even_without_colours() -> None:
    markers = [marker(nth, 0, 0).replace(f"m{nth}", "") for nth in range(len(LINE_COLOURS))]
    assert len(set(LINE_COLOURS)) == len(LINE_COLOURS)
    assert len({(nth % len(DASHES), drawn) for nth, drawn in enumerate(markers)}) == len(LINE_COLOURS)


def test_grade_without_choices_is_refused() -> None:
    with pytest.raises(NotLegible, match="nothing to draw"):
        render([Grade("a", ("x", "o"))])


def test_grade_command_prints_and_plots(tictactoe_db_path: Path, tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    result = run(tictactoe_db_path, "perfect", "random", "--sample", 300, "--seed", 1, "--plot", plot)
    assert result.exit_code == 0
    assert "player      perfect" in result.stdout
    assert "where decisive; 300, 100.0% (95%: 98.7 to 100.0%) of all\n" in result.stdout
    assert len(list(ET.parse(plot).iter(f"{SVG}polyline"))) == 8


def test_grade_command_prints_json_object_or_list(tictactoe_db_path: Path) -> None:
    one = run(tictactoe_db_path, "random", "--sample", 20, "--json")
    two = run(tictactoe_db_path, "random", "perfect", "--sample", 20, "--json")
    assert json.loads(one.stdout)["player"] == "random"
    assert [load["player"] for load in json.loads(two.stdout)] == ["random", "perfect"]
    assert json.loads(two.stdout)[0] == json.loads(one.stdout)


def test_unwritable_plot_is_refused_before_the_grade_is_printed(tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    plot.symlink_to("/dev/full")
    said = refusal(4, "grade", solved_file("ponghauki"), "random", "--plot", plot)
    assert "cannot write" in said


def test_looping_game_is_plotted_by_remoteness(tmp_path: Path) -> None:
    succeeded(run(solved_file("ponghauki"), "random", "--plot", tmp_path / "plot.svg"))
    root = ET.parse(tmp_path / "plot.svg")
    assert "plies to the end under best play" in texts_of(root.getroot())
    with solved("ponghauki") as db:
        ends = {entry.remoteness for entry in db.entries() if not entry.is_terminal} - {None}
    lines = [line.attrib["points"].split() for line in root.iter(f"{SVG}polyline")]
    assert sum(map(len, lines[len(lines) // 4 * 3 :])) == len(ends)
    assert root.findtext(f"{SVG}title") == "Pong Hau K'i: how good the players are"


@pytest.mark.parametrize(
    ("game", "players", "says"),
    [
        (ExplicitGame(((1,), (0,)), (0, 1), (0, 0)), 1, "no position of"),
        (TicTacToe(), 9, "8 players at most, not 9"),
    ],
)
def test_impossible_plot_is_refused_before_grading(
    game: AnyGame, players: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.analysis.grade.grade", None)
    names = [f"depth-limited(depth={number + 1})" for number in range(players)]
    with solving(game) as db:
        words = "grade", db.path, *names, "--plot", tmp_path / "plot.svg"
        assert says in refusal(NotLegible.exit_status, *words)
    assert not (tmp_path / "plot.svg").exists()
