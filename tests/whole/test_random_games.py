"""Every figure that commands print, for random games and files of every kind, by brute force.

Games go in layers, in circles, within tiers or by lines of different length; with symmetries, an exchange of
the players, moves in a row, margins, a winner of endless play, and starts that are symmetric or not. Files
are readable and packed, folded or not, and folded by exchanged players. What is right is in
`tests.support.by_definition`.
"""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from exporters.puzzles import page
from solver import open_database, solve
from solver.analysis.certificates.check import flaw_of, flaw_of_strong
from solver.analysis.certificates.selection import certify
from solver.analysis.certificates.strong import read_strong, write_strong
from solver.analysis.puzzles import hardest
from solver.analysis.puzzles.puzzle import Wanted
from solver.analysis.report import sampled
from solver.engines.conversion import convert, other_layout
from solver.game import ENDLESS
from solver.search.playouts import MAX_PLAYOUT_PLIES
from tests.exporters.support.page_reader import data_of
from tests.players.test_trembling import Graph
from tests.support import by_definition as right
from tests.support.by_definition import Answers, Rows
from tests.support.certificates import refused_by_program, spoilt_certificates
from tests.support.commandline import call, succeeded
from tests.support.definitions import Play, play
from tests.support.exchanged_files import exchanged_file
from tests.support.games.random_tables import FORMS, random_table
from tests.support.strong_solutions import as_file, labels_of, spoilt_solutions

QUICK, MANY = (0, 1, 2, 3, 4, 53, 6, 7), 240
"""Random games in `make test`, of every kind one, and the number of those in `make test-slow`.

In an exchanged file of game 53, play reaches some of the hardest puzzles by no side that is stored.
"""

GAMES, LONGEST = 600, 100
"""Random games that a report plays, and the plies after which one in an exchanged file is given up."""


class Solved(NamedTuple):
    """A random game, what follows from its rules, and its files."""

    answers: Answers
    files: dict[str, tuple[Path, Rows]]


SEEDS = [pytest.param(n, marks=[pytest.mark.slow] * (n not in QUICK)) for n in range(MANY)]


@pytest.fixture(scope="module", params=SEEDS)
def solved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Solved:
    """A random game with a file of each form; every kind of game is among any eight in a row."""
    seed: int = request.param
    random, exchange = Random(seed), seed % 8 > 4
    endless = "draw" if exchange else random.choice(["draw", *ENDLESS])
    game = random_table(
        seed,
        FORMS[seed % 4],
        mirrors=random.choice([0, 1, 1, 2]),
        exchange=exchange,
        closed=random.random() < 0.4,
        orbits=random.randint(10, 40),
    )
    answers, folder = Answers(game, endless, game.starts), tmp_path_factory.mktemp("random")
    if random.random() < 0.25:
        answers = Answers(game, endless, [random.choice(answers.reached)])
    return Solved(answers, {form: solved_file(answers, form, folder) for form in forms_of(answers)})


def forms_of(of: Answers) -> list[str]:
    forms = [f"{layout}-{folding}" for folding in ("none", "symmetries") for layout in ("readable", "packed")]
    return [*forms, "packed-exchange"] if of.game.others else forms


def solved_file(of: Answers, form: str, folder: Path) -> tuple[Path, Rows]:
    """A file of a game, and the positions that it should have."""
    layout, folding = form.split("-")
    rows, path = Rows(of, folding), folder / f"{form}.db"
    start = None if of.starts == of.game.starts else str(of.starts[0])
    if folding == "exchange":
        return exchanged_file(of.game, folder, endless=of.endless, start=start), rows
    engine = "layers" if layout == "packed" and rows.by == "ply" else "arrays"
    options: dict[str, Any] = {"engine": engine, "layout": layout, "fold": folding != "none"}
    solve(of.game, path, **options, endless=of.endless, start=start)
    return path, rows


def document(*arguments: object, status: int = 0) -> Any:
    done = call(*arguments)
    assert done.exit_code == status, (done.stderr, done.exception)
    return json.loads(done.stdout)


def of_game(actual: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in actual.items() if key not in ("game", "parameters", "title")}


def test_stats_match_the_definition(solved: Solved) -> None:
    for path, rows in solved.files.values():
        assert of_game(document("stats", path, "--json")) == right.statistics(rows), path.stem


def test_positions_match_the_definition_before_and_after_conversion(solved: Solved, tmp_path: Path) -> None:
    of = solved.answers
    expected = {str(state): right.entry(of, state) for state in of.reached}
    for path, rows in solved.files.values():
        there, back = tmp_path / f"{path.stem}-there.db", tmp_path / f"{path.stem}-back.db"
        with open_database(path) as db:
            convert(db, there, other_layout(db))
        with open_database(there) as db:
            convert(db, back, other_layout(db))
        for item in (path, there, back):
            with open_database(item) as db:
                for text in expected:
                    assert as_told(db[text]) == expected[text], (item.stem, text)
        if rows.folding == "exchange":
            rows = Rows(of, "symmetries")
        else:
            assert back.read_bytes() == path.read_bytes()
        assert of_game(document("stats", there, "--json")) == right.statistics(rows), there.stem


def as_told(entry: Any) -> dict[str, Any]:
    """An entry as `query --json` has it, with its moves in the order of actions."""
    names = ("position", "to_move", "value", "outcome", "remoteness", "best_move")
    moves = ("move", "position", "outcome", "remoteness", "best")
    listed = [{name: getattr(move, name) for name in moves} for move in entry.moves_by_action]
    return {name: getattr(entry, name) for name in names} | {"moves": listed}


def test_annotated_games_match_the_definition(solved: Solved) -> None:
    of, random = solved.answers, Random(len(solved.answers.reached))
    for number, (path, _) in enumerate(solved.files.values()):
        start = of.starts[0] if number % 2 else random.choice(of.reached)
        state, names = start, list[Any]()
        while of.children[state] and len(names) < 30:
            keeping = [move for move in of.moves(state) if of.values[move[1]] == of.values[state]]
            good = random.random() < 0.7  # so that players meet what is hard to find
            name, state = random.choice(keeping if good else list(of.moves(state)))
            names.append(name)
        listed = ["--moves", ",".join(map(str, names)), "--start", start]
        actual = document("annotate", path, *listed, "--json")
        (game,) = actual["games"]
        assert (game.pop("utility"), game.pop("note")) == (None, None)
        assert of_game(game) == right.annotated(of, start, names), path.stem
        sides = [{key: value for key, value in item.items() if key != "side"} for item in game["sides"]]
        assert actual["players"] == sides


def test_certificates_prove_only_true_values(solved: Solved) -> None:
    """Whatever is changed in one, it is refused, or what it says is still true; both programs agree."""
    of, random = solved.answers, Random(len(solved.answers.reached))
    for path, _ in random.sample([*solved.files.values()], 2):  # one after the other they take a minute
        start = random.choice(of.reached)
        with open_database(path) as db:
            for made in certify(db, str(start)):
                true_worth = of.values[start] * (1 - 2 * made.owner)
                assert (made.goal, flaw_of(made, of.game)) == (true_worth, None), path.stem
                for spoilt in spoilt_certificates(made, of.reached, random):
                    refused = flaw_of(spoilt, of.game) is not None
                    assert refused == refused_by_program(spoilt.content, of.game), path.stem
                    assert refused or spoilt.goal <= true_worth, path.stem


def test_strong_solutions_match_the_definition(solved: Solved, tmp_path: Path) -> None:
    of, random, path = solved.answers, Random(1), tmp_path / "game.strong"
    for database, rows in solved.files.values():
        with open_database(database) as db:
            write_strong(db, path)
        head, records = read_strong(path)
        states = [*rows.states]
        if rows.folding == "exchange":
            states += [of.canonical(of.game.others[state]) for state in states]
        assert labels_of(records) == {state: (of.values[state], of.remoteness[state]) for state in states}
        starts = {rows.standing_for(int(start)) for start in head.starts}
        assert starts == {rows.standing_for(start) for start in of.starts}, database.stem
        assert flaw_of_strong(head, records, of.game) is None, database.stem
        for spoilt in spoilt_solutions(records, random, 4):
            is_refused = flaw_of_strong(head, spoilt, of.game) is not None
            assert is_refused or labels_of(spoilt).items() < labels_of(records).items(), database.stem
    assert not refused_by_program(path.read_bytes(), of.game, "strong.py")
    assert refused_by_program(as_file(head, spoilt), of.game, "strong.py") == is_refused


def test_views_match_the_definition(solved: Solved) -> None:
    for form, (path, rows) in solved.files.items():
        if form.startswith("readable"):
            with closing(sqlite3.connect(path)) as file:
                for view, expected in right.views(rows).items():
                    actual = file.execute(f"select * from {view}").fetchall()
                    in_order = actual if view == "principal_variation" else sorted(actual)
                    assert in_order == expected, (form, view)


def test_puzzles_match_the_definition(solved: Solved) -> None:
    of = solved.answers
    expected = right.puzzles(of)
    for path, _ in solved.files.values():
        assert document("puzzles", path, "--json", "-n", 1000)["puzzles"] == expected, path.stem
        for player in of.game.players:
            own = [item for item in expected if item["to_move"] == player]
            actual = document("puzzles", path, "--json", "-n", 3, "--for", player)["puzzles"]
            assert actual == own[:3], path.stem


def test_puzzle_pages_match_the_definition(solved: Solved) -> None:
    """They have best play after wrong moves, and against best play all moves that keep the value."""
    of = solved.answers
    for path, _ in solved.files.values():
        with open_database(path) as db:
            puzzles = hardest(db, Wanted(20))
            rows = data_of(page(db, puzzles)) if puzzles else {"positions": [], "choices": []}
        states = [int(row[0]) for row in rows["positions"]]
        choices, told_in = {states[n] for n in rows["choices"]}, set[int]()
        for state, (_, _, mover, value, plies, _, links) in zip(states, rows["positions"], strict=True):
            assert (mover, value, plies) == (of.movers[state], of.values[state], of.remoteness[state])
            if links is None:
                continue
            told_in.add(state)
            every = [(name, child, name in of.best_moves[state]) for name, child in of.moves(state)]
            known = every if state in choices else [item for item in every if item[2]][:1]
            pairs = zip(links[::2], links[1::2], strict=True)
            assert known == [(rows["moves"][name], states[max(to, ~to)], to >= 0) for name, to in pairs]
        for puzzle in puzzles:
            root, met = int(puzzle.entry.position), set[int]()
            solver, waiting = of.movers[root], [root]
            while waiting:
                *line, state = right.best_line(of, waiting.pop(), solver)
                assert {*line} <= told_in, path.stem
                if of.movers[state] == solver and of.children[state] and state not in met:
                    met.add(state)
                    for child in of.children[state]:
                        if of.values[child] == puzzle.entry.value:
                            waiting.append(child)
                        else:
                            assert {*right.best_line(of, child)} <= told_in, path.stem
            assert met <= choices, path.stem


def test_grades_match_the_definition(solved: Solved, tmp_path: Path) -> None:
    """Of a player who makes the first move that there is, or the last one."""
    (tmp_path / "player.py").write_text(PLAYER)
    first = len(solved.answers.reached) % 2
    player = f"{tmp_path / 'player.py'}:{'First' if first else 'Last'}"
    choice = slice(1) if first else slice(-1, None)
    for path, rows in solved.files.values():
        if not rows.going_on:
            continue
        actual, expected = document("grade", path, player, "--json"), right.graded(rows, choice)
        of, worst, lines = solved.answers, actual.pop("worst"), actual.pop("against_perfect")
        assert actual.pop("player") == player
        assert [lines[side]["value"] for side in ("first", "second")] == expected.pop("against_perfect")
        for line in lines.values():
            assert _played(of, line["line"], ends=line["plies"] is not None) in (line["value"], None)
        expected["against_trembling"] = pytest.approx(expected["against_trembling"])
        assert actual == expected, path.stem
        for line in worst:
            state = int(line["position"])
            child = of.children[state][of.names[state].index(line["move"])]
            assert line["blunder"] == f"{of.outcome(state)}-{of.outcome(child, of.movers[state])}"


PLAYER = """
class First:
    deterministic = True

    def __init__(self, game):
        self.game = game

    def choose(self, state, random):
        return self.game.actions(state)[0]


class Last(First):
    def choose(self, state, random):
        return self.game.actions(state)[-1]
"""


def _played(of: Answers, line: list[int], *, ends: bool) -> int | None:
    """The utility of a line of play from the start; None if it comes back to a position instead."""
    states = [of.starts[0]]
    for move in line:
        states.append(of.children[states[-1]][of.names[states[-1]].index(move)])
    assert bool(of.children[states[-1]]) != ends
    assert ends or states[-1] in states[:-1]
    return of.values[states[-1]] if ends else of.level


def test_ranks_match_the_definition(solved: Solved) -> None:
    of = solved.answers
    graphs = [Graph(of.rules, of.endless, side, 0.25) for side in (0, 1)]
    asked = Random(0).sample(of.reached, min(4, len(of.reached)))
    for path, _ in solved.files.values():
        for state in asked:
            if of.children[state]:
                actual = document("query", path, state, "--rank", "--tremble", 0.25, "--json")
                _compare_ranks(of, graphs[of.movers[state]], state, actual)


def _compare_ranks(of: Answers, graph: Graph, state: int, actual: dict[str, Any]) -> None:
    ranking, keys = actual["ranking"], []
    assert ranking["tremble"] == 0.25
    assert ranking["whole"] or ranking["plies"] == 30
    assert sorted(move["move"] for move in actual["moves"]) == sorted(of.names[state])
    for move in actual["moves"]:
        child = of.children[state][of.names[state].index(move["move"])]
        replies = of.children[child] if of.movers[child] != of.movers[state] else ()
        errors = sum(graph.gift(child, reply) > 0 for reply in replies)
        expected = graph.sign * of.values[child] + graph.within(ranking["plies"], child)
        assert (move["replies"], move["errors"]) == (len(replies), errors)
        assert move["expected"] == pytest.approx(expected, abs=1e-6)
        if ranking["whole"]:
            gifts = graph.within(ranking["plies"], child)
            assert graph.within(ranking["plies"] + 20, child) == pytest.approx(gifts)
        share = errors / len(replies) if replies else 0
        keys.append((-graph.sign * of.values[child], -round(move["expected"], 9), -share))
    assert keys == sorted(keys)


def test_diff_reports_no_difference_between_files_of_a_game(solved: Solved) -> None:
    files = list(solved.files.values())
    for (path, rows), (other, its_rows) in zip(files, [*files[1:], files[0]], strict=True):
        actual = document("diff", path, other, "--json")
        assert actual["same"], (path.stem, other.stem)
        assert actual["common"] == max(len(rows.states), len(its_rows.states))


def test_diff_with_the_misere_game_matches_the_definition(solved: Solved, tmp_path: Path) -> None:
    """The other game is misère, and endless play may have another winner."""
    of, random = solved.answers, Random(len(solved.answers.reached))
    game = replace(of.game, utilities=tuple(-utility for utility in of.game.utilities))
    other = Answers(game, "draw" if game.others else random.choice([*ENDLESS]), of.starts)
    b, its_rows = solved_file(other, random.choice(forms_of(other)), tmp_path)
    for a, rows in solved.files.values():
        expected = right.difference(rows, its_rows)
        actual = document("diff", a, b, "--json", "--limit", 1000, status=int(not expected["same"]))
        assert of_game(actual.pop("a")) == _labels(rows, a)
        assert of_game(actual.pop("b")) == _labels(its_rows, b)
        for kind in ("value", "remoteness"):
            listed = actual["first"][kind]
            plies = [item["ply"] for item in listed]
            assert plies == sorted(plies, key=lambda ply: ply or 0)
            actual["first"][kind] = {item.pop("position"): item for item in listed}
        assert actual == expected, (a.stem, b.stem)


def _labels(rows: Rows, path: Path) -> dict[str, Any]:
    of = rows.answers
    about = {"endless": of.endless, "folded": rows.folding != "none", "positions": len(rows.states)}
    return {"file": str(path), **about, "start": str(of.starts[0]), **right.labels_as_dict(of, of.starts[0])}


def report(path: Path, folder: Path, *options: object) -> dict[str, Any]:
    succeeded(call("report", path, "-o", folder / "report.json", *options))
    actual: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return actual


@pytest.fixture(scope="module")
def reports(solved: Solved, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("reports")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampled, "MAX_RANDOM_PLIES", LONGEST)
        patch.setattr(sampled, "MAX_PERFECT_PLIES", LONGEST)
        options = ("--sample", GAMES, "--seed", 3)
        return {name: report(path, folder, *options) for name, (path, _) in solved.files.items()}


def test_report_counts_match_the_definition(solved: Solved, reports: dict[str, Any]) -> None:
    for name, (path, rows) in solved.files.items():
        actual, expected = reports[name], right.counted(rows)
        assert {key: actual[key] for key in expected} == expected, name
        assert (actual["file"], actual["folded"]) == (str(path), rows.folding != "none")
        assert (actual["endless"], actual["seed"]) == (solved.answers.endless, 3)
        symmetry, known = actual["symmetry"], right.symmetry(rows)
        assert symmetry.pop("tried") <= len(rows.states)
        for key in ("orbit", "classes"):
            symmetry[key] = value_of(symmetry[key])
        assert symmetry == pytest.approx(known, abs=1e-6), name


def value_of(figure: dict[str, Any] | None) -> float | None:
    assert figure is None or figure["interval"] is None
    return None if figure is None else figure["value"]


def test_report_figures_match_the_definition(solved: Solved, reports: dict[str, Any]) -> None:
    for name, (_, rows) in solved.files.items():
        actual = reports[name]
        whole = {key: value_of(figure) for key, figure in actual["figures"].items()}
        assert whole == pytest.approx(right.figures(rows, rows.going_on), abs=1e-6), name
        by_row = {at: [s for s in some if rows.children[s]] for at, some in rows.by_row.items()}
        told_of = {item.pop(rows.by): item for item in actual["figures_by"]}
        assert told_of.keys() == {at for at, some in by_row.items() if some}
        for at, item in told_of.items():
            assert item.pop("asked") == len(by_row[at])
            exact = {key: value_of(figure) for key, figure in item.items()}
            assert exact == pytest.approx(right.figures(rows, by_row[at]), abs=1e-6), (name, at)


def test_report_random_play_matches_the_definition(solved: Solved, reports: dict[str, Any]) -> None:
    of, start = solved.answers, solved.answers.starts[0]
    labels, groups = {item["move"]: item for item in right.entry(of, start)["moves"]}, dict[int, list[int]]()
    for move, child in of.moves(start):
        groups.setdefault(of.canonical(child), []).append(move)
    for name, (_, rows) in solved.files.items():
        most = LONGEST if rows.folding == "exchange" else MAX_PLAYOUT_PLIES
        actual, random = reports[name], play(of.children, of.values, start, most + 1)
        compare_play(actual["random_play"], random, GAMES // 2)
        compare_play(actual["perfect_play"], play(of.best, of.values, start, most), GAMES // 2)
        assert sorted(item["moves"] for item in actual["first_moves"]) == sorted(groups.values()), name
        assert [item["best"] for item in actual["first_moves"]][:1] in ([], [True])
        for item in actual["first_moves"]:
            label = labels[item["moves"][0]]
            assert item == item | {key: label[key] for key in ("outcome", "remoteness", "best")}
            child = int(label["position"])
            assert item["value"] == of.values[child]
            known = play(of.children, of.values, child, most)
            exact = not random.returns and rows.folding != "exchange"
            compare_figures(item["random"], known, GAMES // len(labels), exact=exact)


def compare_play(actual: dict[str, Any], known: Play, games: int) -> None:
    """Hold play by chance against what is known of it."""
    compare_figures(actual, known, games, exact=actual["exact"])
    assert actual["given_up_after"] is None or actual["unfinished"]["value"] > 0
    lengths, told_of = {plies for _, plies in known.ends}, {*map(int, actual["lengths"])}
    assert told_of == lengths if actual["exact"] else told_of <= lengths
    assert actual["shortest"] == min(told_of, default=None)
    assert actual["longest"] == max(told_of, default=None)


def compare_figures(actual: dict[str, Any], known: Play, games: int, *, exact: bool) -> None:
    """Hold shares and means, of so many games or more, against what is known: within five deviations."""
    for way in ("first", "draw", "second", *(["unfinished"] if "unfinished" in actual else [])):
        share = known.of(way)
        room = 1e-6 if exact else 5 * sqrt(share * (1 - share) / games) + 1e-6
        assert actual[way]["value"] == pytest.approx(share, abs=room), way
        interval = actual[way]["interval"]
        assert interval is None or interval[0] < interval[1]
        assert interval or actual[way]["value"] == pytest.approx(share, abs=1e-6), way
    for at, name in enumerate(("utility", "plies")):
        moments = known.moments(at)
        if moments is None or actual[name] is None:
            assert actual[name] is None
            assert moments is None or sum(known.ends.values()) < 10 / games
            continue
        room = 1e-6 if exact else 6 * sqrt(moments[1] / games / sum(known.ends.values())) + 1e-6
        assert actual[name]["value"] == pytest.approx(moments[0], abs=room), name


def test_report_positions_match_the_definition(solved: Solved, reports: dict[str, Any]) -> None:
    of = solved.answers
    for name, (_, rows) in solved.files.items():
        actual, (longest, plies) = reports[name], right.longest_wins(rows)
        assert [int(item["position"]) for item in actual["longest_wins"]] == longest, name
        for trap in actual["longest_wins"]:
            assert trap["plies"] == len(trap["line"]) == plies
            state = int(trap["position"])
            for move in trap["line"]:
                at = of.names[state].index(move)
                assert move in of.best_moves[state]
                state = of.children[state][at]
            assert not of.children[state]
        traps, known = actual["traps"], right.traps(rows)
        assert [(trap[rows.by], trap["error"]) for trap in traps] == [
            (at, pytest.approx(error, abs=1e-6)) for at, error in known[:5]
        ], name
        for trap in traps:
            state = int(trap["position"])
            keeps = zip(of.names[state], of.children[state], strict=True)
            assert {*trap["keeps"]} == {move for move, child in keeps if of.values[child] == of.values[state]}
            assert right.figures(rows, [state])["two_plies"] == pytest.approx(trap["error"], abs=1e-6)
        assert len({of.canonical(int(trap["position"])) for trap in traps}) == len(traps)
        draws = right.draws(rows)
        assert (actual["draws"] is None) == (draws is None)
        if draws is not None:
            assert {key: actual["draws"][key] for key in draws} == draws, name
            assert actual["draws"]["asked"] == sum(draws.values())
