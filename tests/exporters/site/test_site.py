"""Sites in Node give the answers of `perfectplay query`, for games and files of every kind."""

import json
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from exporters.html.database_page import neighbourhood
from exporters.site import late, writer
from exporters.site.learning import Unlearnable
from exporters.site.texts import texts_of
from solver import Database, open_database, solve
from solver.games.chess_ending import ChessEnding
from solver.games.kayles import Kayles
from solver.games.nim import Nim
from solver.packed import PackedGame
from solver.rules.loading import load_game
from tests.support import by_definition as right
from tests.support.altered import flipped
from tests.support.by_definition import Answers, Rows
from tests.support.commandline import call, programs_here, refusal
from tests.support.games.explicit_graph import LOOPS
from tests.support.games.packed import Alike, Astray, Beside, Ladder, Pairs, Rails, Remote, Seldom
from tests.support.games.random_tables import FORMS, random_table
from tests.support.rules_texts import PACKED as COUNT
from tests.support.sites import answer_of, answers, assert_answered, contents, hosted, made_site, table_module
from tests.support.solved import solved_file, solving
from tests.whole.test_random_games import forms_of, solved_file as random_file

MOST = 50
"""Positions of a game that are asked for."""

PACKED = {"engine": "auto", "layout": "packed"}

STATES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "connect": ("connect", {"rows": 4, "columns": 3}, {}),
    "connect, packed": ("connect", {"rows": 3, "columns": 3, "k": 3}, PACKED),
    "mnk, folded": ("mnk", {"rows": 3, "columns": 2, "k": 3}, {"fold": True, **PACKED}),
    "margins": ("dots-and-boxes", {"rows": 1, "columns": 2}, {}),
    "loops": ("ponghauki", {}, PACKED),
    "loops, folded": ("quixo", {"rows": 2, "columns": 3, "k": 3}, {"fold": True, **PACKED}),
    "endless": ("ponghauki", {}, {"endless": "first"}),
    "teeko": ("teeko", {"rows": 3, "columns": 3}, {}),
    "hexapawn": ("hexapawn", {}, {}),
    "kayles": ("kayles", {}, {}),
    "subtraction": ("subtraction", {"heap": 300}, {}),
}
"""Games whose rules are printed: name, parameters, options of the solve."""

TEXTS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "nim": ("nim", {"heaps": (1, 2, 3)}, {}),
    "folded": ("nim", {"heaps": (2, 2)}, {"fold": True}),
}
"""Games whose positions are spelled out."""


def positions(db: Database, random: Random) -> list[str]:
    """Some positions that a file answers for, also those that it has no row of."""
    states = [db.state_of(text) for text in random.sample([*db], min(MOST, len(db)))]
    images = [symmetry.state(state) for state in states[:20] for symmetry in db.folding.symmetries]
    return [db.game.position(state) for state in [*states, *images]]


def drawn(rows: dict[str, Any]) -> list[Any]:
    """The rows of a page, with marks and texts for the numbers in them."""
    seen = []
    for text, picture, *labels, _, links in rows["positions"]:
        board = picture if isinstance(picture, list) else [rows["marks"].get(code, "/") for code in picture]
        moves = [
            (rows["moves"][name], rows["positions"][max(to, ~to)][0], to >= 0)
            for name, to in zip((links or [])[::2], (links or [])[1::2], strict=True)
        ]
        seen.append((text, board, labels, moves, links is None))
    return seen


Sites = dict[str, tuple[Path, Path, dict[str, Any]]]
"""For each game its file, its site, and what that says of itself."""


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    folder, actual = tmp_path_factory.mktemp("sites"), {}
    for name, (game, parameters, options) in (STATES | TEXTS).items():
        path = solved_file(game, parameters, **options)
        actual[name] = path, folder / name.replace(" ", "-"), made_site(path, folder / name.replace(" ", "-"))
    return actual


def test_site_answers_like_query_and_service(sites: Sites) -> None:
    asked = {}
    for path, folder, _ in sites.values():
        with open_database(path) as db:
            asked[folder] = positions(db, Random(1))
    actual = zip(sites.items(), answers(asked), answers(asked, "rows"), strict=True)
    for (name, (path, folder, about)), of_answers, of_rows in actual:
        assert ("text" in about) == (name in STATES), name
        with open_database(path) as db:
            for text, answer, rows in zip(asked[folder], of_answers, of_rows, strict=True):
                assert answer == answer_of(db, text), name
                assert drawn(rows) == drawn(json.loads(neighbourhood(db, text))), (name, text)


def test_site_reads_texts_like_query(sites: Sites) -> None:
    """With other characters and spaces: the same position, or refused as well."""
    asked = {}
    for name in STATES:
        path, folder, about = sites[name]
        with open_database(path) as db:
            random, some = Random(name), positions(db, Random(1))
            texts = [typed_otherwise(text, random) for text in some]
            texts += ["", "x..", *(f"{text} {side}" for text in some for side in db.game.players)]
            last = about["text"]["last"]
            assert (last == "white") == (db.game_name == "hexapawn")
            if last is not None:
                texts += [text.removesuffix(f" {last}") for text in some]
        asked[folder] = texts
    for name, texts, actual in zip(STATES, asked.values(), answers(asked), strict=True):
        with open_database(sites[name][0]) as db:
            for text, answer in zip(texts, actual, strict=True):
                wanted, refusals = answer_of(db, text), ("unreadable-position", "unknown-position")
                assert answer == wanted or (answer in refusals and wanted in refusals), (name, text)


@pytest.mark.parametrize("game", [Pairs, Beside])
def test_site_answers_positions_from_every_start(game: type[Pairs], tmp_path: Path) -> None:
    """Starts that are symmetric to each other, named twice, or of several plies."""
    texts, asked, known = [str(state) for state in range(8)], dict[Path, list[str]](), []
    for starts, fold in product([(0, 1, 2), (0, 0, 1, 1, 3), (0, 6), (6, 0, 3)], [False, True]):
        name = f"{starts} {fold}"
        solve(game(starts), path := tmp_path / f"{name}.db", fold=fold)
        made_site(path, folder := tmp_path / name)
        asked[folder] = texts
        with open_database(path) as db:
            known.append({text: answer_of(db, text) for text in texts if text in db})
    for folder, of_file, actual in zip(asked, known, answers(asked), strict=True):
        known_of_site = [None if isinstance(answer, str) else answer for answer in actual]
        assert known_of_site == [of_file.get(text) for text in texts], folder.name


def test_state_outside_its_symmetry_class_is_refused(tmp_path: Path) -> None:
    with solving(Astray((0, 6)), fold=True) as db:
        made_site(db.path, folder := tmp_path / "site")
        assert ["3" in db, "1" in db] == [False, True]
    refused, answer = answers({folder: ["3", "1"]})[0]
    assert (refused, answer["value"]) == ("unknown-position", 1)


def test_surrounding_spaces_are_read_only_if_the_game_reads_them(tmp_path: Path) -> None:
    """A spelled-out site says of others only that it does not write them."""
    for game, is_read in ((Nim((1, 2)), True), (LOOPS, False)):
        solve(game, path := tmp_path / f"{is_read}.db")
        made_site(path, folder := tmp_path / str(is_read))
        start = json.loads((folder / "site.json").read_text())["start"]
        words = ["node", str(folder / "query.mjs"), f" {start} "]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        is_refused = "only those that it writes" in done.stdout
        assert (done.returncode, is_refused) == (0 if is_read else 3, not is_read)


class Spaced(Pairs):
    """Pairs whose texts have a space for each bit that is not set."""

    def position(self, state: int) -> str:
        return "".join("x" if state >> bit & 1 else " " for bit in range(3))

    def parse(self, text: str) -> int:
        return sum(1 << bit for bit, mark in enumerate(text) if mark == "x")


def test_positions_with_outer_spaces_are_read(tmp_path: Path) -> None:
    with solving(Spaced((0, 1, 2, 3))) as db:
        assert "text" in made_site(db.path, folder := tmp_path / "site")
        assert {"   ", "x  ", " x ", "  x"} < {*db}
        assert [answer["position"] for answer in answers({folder: [*db]})[0]] == [*db]


@pytest.mark.parametrize("fold", [False, True])
def test_large_file_with_few_sampled_states_has_a_site(
    fold: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, most in {"MAX_LISTED": 100, "MAX_PLIES": 10, "MAX_MOVES": 2000, "SAMPLE": 400}.items():
        monkeypatch.setattr(f"exporters.site.states.{name}", most)
    with solving(load_game("subtraction", {"heap": 300}), fold=fold) as db:
        texts = [text for text in db if not db[text].is_terminal][::7]
        assert "text" in assert_answered(db, tmp_path / "site", texts)


@pytest.mark.parametrize("game", [Ladder(3, 1 << 53), Ladder(2, 1 << 53), Remote()], ids=str)
def test_unsafe_javascript_integers_are_refused(game: PackedGame, tmp_path: Path) -> None:
    with solving(Ladder(3, (1 << 53) - 1)) as db:
        made_site(db.path, tmp_path / "held")
    with solving(game) as db:
        assert "254,740,991" in refusal(2, "site", db.path, "-o", tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_long_game_with_greatest_safe_values_has_a_site(tmp_path: Path) -> None:
    texts = ["0", "1", "999", "1000", "2198", "2199", "2200", "2201"]
    with solving(Rails(1100, (1 << 53) - 1)) as db:
        assert_answered(db, tmp_path / "site", texts)


def test_only_sites_of_chess_read_fen() -> None:
    chess, plain = ChessEnding("KRK"), Kayles()
    for game, is_read in ((chess, True), (plain, False)):
        assert texts_of(game, [*islice(game.initial_states(), 0, 200_000, 5000)])[0]["fen"] == is_read


class Sometimes(Ladder):
    """A ladder of which some rungs have boards and all have pictures of one shape."""

    def board(self, state: int) -> list[list[str]] | None:
        return [["x"]] if state % 2 == self.prize else None

    def show(self, state: int) -> str:
        return f"rung {state}"


@pytest.mark.parametrize("odd", [0, 1])
def test_boards_in_some_positions_only_cannot_be_learned(odd: int) -> None:
    with pytest.raises(Unlearnable, match="its boards have different numbers of cells"):
        texts_of(Sometimes(7, odd), range(8))


def typed_otherwise(text: str, random: Random) -> str:
    """The text as people may type it, right or wrong."""
    changes: list[Callable[[str], str]] = [
        str.upper,
        str.title,
        str.swapcase,
        lambda text: text.replace("/", ""),
        lambda text: text.replace(".", "_"),
        lambda text: text.replace(".", random.choice("-_"), 1),
        lambda text: text.replace(" ", "  "),
        lambda text: f" {text}\t",
        lambda text: text.replace("/", " "),
        lambda text: text.replace(",", ""),
    ]
    place, new = random.randrange(len(text)), random.choice(" /,-_.x")
    changes += [lambda text: text[:place] + new + text[place:], lambda text: text[:place] + text[place + 1 :]]
    for change in random.sample(changes, random.choice([1, 1, 2])):
        text = change(text)
    return text


def test_spelled_out_texts_ignore_outer_spaces(sites: Sites) -> None:
    asked = {
        sites["nim"][1]: [" 1,2,3 first ", "1,2,2 first", "x"],
        sites["kayles"][1]: ["|||||||| second", "|||||||| third"],
    }
    assert [
        [item if isinstance(item, str) else item["position"] for item in some] for some in answers(asked)
    ] == [
        ["1,2,3 first", "unknown-position", "unknown-position"],
        ["unknown-position", "unreadable-position"],
    ]


@pytest.mark.parametrize("first", range(0, 12, 4))
def test_sites_of_random_games_answer_correctly(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By states and spelled out, late ones left out; play that the file does not know is refused."""
    asked, known = dict[Path, list[str]](), dict[Path, tuple[Answers, Rows]]()
    monkeypatch.setattr(late, "MIN_STATES", 20)
    lacking = set[int]()
    for seed in range(first, first + 4):
        random = Random(seed)
        exchange = seed % 8 > 4
        endless = "draw" if exchange else random.choice(["draw", "first", "second"])
        game = random_table(
            seed, FORMS[seed % 4], mirrors=random.choice([1, 2]), exchange=exchange, closed=seed % 3 > 0
        )
        of = Answers(game, endless, game.starts)
        for form in random.sample(forms_of(of), 2):
            folder = tmp_path / str(seed)
            folder.mkdir(exist_ok=True)
            path, rows = random_file(of, form, folder)
            printed = random.random() < 0.7
            with monkeypatch.context() as patch:
                if printed:
                    patch.setattr(writer, "printed_module", table_module)
                about = made_site(path, folder / f"{form}-site")
            assert ("text" in about) == printed
            if "late" in about:
                lacking.add(seed)
            asked[folder / f"{form}-site"] = [str(state) for state in range(len(game.movers))]
            known[folder / f"{form}-site"] = of, rows
    assert lacking == {first}
    for (folder, texts), actual in zip(asked.items(), answers(asked), strict=True):
        of, rows = known[folder]
        for text, answer in zip(texts, actual, strict=True):
            if rows.standing_for(int(text)) in rows.states:
                assert labels(answer) == labels(right.entry(of, int(text))), (folder, text)
            else:
                assert answer == "unknown-position", (folder, text)


def labels(answer: dict[str, Any]) -> Any:
    """What is the same in an answer and by definition."""
    names = ("position", "to_move", "value", "outcome", "remoteness", "best_move")
    moves = {item["move"]: {**item, "value": None} for item in answer["moves"]}
    return {name: answer[name] for name in names}, moves


def test_site_lists_checksums_of_all_its_files(tmp_path: Path) -> None:
    made_site(solved_file("hexapawn"), tmp_path)
    lines = (files := contents(tmp_path)).pop("SHA256SUMS").decode().splitlines()
    assert lines == [f"{sha256(files[name]).hexdigest()}  {name}" for name in sorted(files)]


def test_force_replaces_only_a_site_folder(tmp_path: Path) -> None:
    path, folder, other = solved_file("hexapawn"), tmp_path / "site", tmp_path / "other"
    made_site(solved_file("kayles"), folder)
    assert "use --force" in refusal(2, "site", path, "-o", folder)
    (folder / "more").touch()
    assert call("site", path, "-o", folder, "--force").exit_code == 0
    made_site(path, tmp_path / "new")
    assert contents(folder) == contents(tmp_path / "new")
    other.mkdir()
    (other / "letter").touch()
    for force in ([], ["--force"]):
        assert call("site", path, "-o", other, *force).exit_code == 2
    assert [item.name for item in tmp_path.iterdir() if ".part" in item.name] == []


def test_node_program_prints_one_line_per_position(tmp_path: Path) -> None:
    path = solved_file("hexapawn")
    made_site(path, tmp_path / "site")
    moved = shutil.move(tmp_path / "site", tmp_path / "elsewhere")
    words = ["node", f"{moved}/query.mjs", "bbb/.../www white", "bbb/www/... white", "nothing"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd="/")
    first, unknown, unreadable = map(json.loads, done.stdout.splitlines())
    assert first == json.loads(call("query", path, "--json").stdout)
    assert (done.returncode, done.stderr) == (3, "")
    codes = [item["error"]["code"] for item in (unknown, unreadable)]
    assert codes == ["unknown-position", "unreadable-position"]
    done = subprocess.run(words[:2], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "Usage: node query.mjs POSITION...\n")


def test_offline_site_above_size_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MAX_OFFLINE", 50_000)
    words = "site", solved_file("hexapawn"), "-o", tmp_path / "site", "--offline"
    assert "omit --offline" in refusal(2, *words)
    assert not (tmp_path / "site").exists()


def test_verify_accepts_offline_site_only_with_its_own_worker(
    tmp_path: Path,
) -> None:
    seen = []
    for name in ("hexapawn", "kayles"):
        folder = tmp_path / name
        assert call("site", solved_file(name), "-o", folder, "--offline").exit_code == 0
        assert call("verify", folder).exit_code == 0
        seen.append((folder / "offline.js").read_text())
    assert seen[0] != seen[1]
    (tmp_path / "kayles" / "offline.js").write_text(seen[0])
    assert call("verify", tmp_path / "kayles").exit_code == 1


def verified(site: Path) -> tuple[int, list[str]]:
    """The exit status of `verify`, and the problems that it lists."""
    result = call("verify", site, "--json")
    return result.exit_code, json.loads(result.stdout)["problems"]


@pytest.mark.parametrize("kind", ["loops", "nim", "endless", "own start", "folded"])
def test_verify_accepts_site_and_refuses_altered_block(kind: str, tmp_path: Path) -> None:
    own_start: Any = ("hexapawn", {}, {"start": "bb./wb./..w white"})
    name, parameters, options = {**STATES, **TEXTS, "own start": own_start}[kind]
    made_site(solved_file(name, parameters, **options), tmp_path / "site")
    assert verified(tmp_path / "site") == (0, [])
    block = tmp_path / "site" / "blocks" / "00000.bin"
    before, random = block.read_bytes(), Random(kind)
    content = flipped(before, random.randrange(len(before)), random)
    block.write_bytes(content)
    wrong = "blocks/00000.bin has another SHA-256 than SHA256SUMS lists"
    other = "blocks/00000.bin is not the file that follows from the rules"
    assert verified(tmp_path / "site") == (1, [wrong, other])
    sums = tmp_path / "site" / "SHA256SUMS"
    was, now = (sha256(item).hexdigest() for item in (before, content))
    sums.write_text(sums.read_text().replace(was, now))
    status, problems = verified(tmp_path / "site")
    assert (status, other in problems) == (1, True)


def test_listed_files_outside_the_site_or_missing_are_refused(tmp_path: Path) -> None:
    made_site(solved_file("nim", {"heaps": (1, 2)}), tmp_path / "site")
    (tmp_path / "site" / "late.js").unlink()
    sums = tmp_path / "site" / "SHA256SUMS"
    sums.write_text(f"{'0' * 64}  /dev/zero\n{sums.read_text()}")
    status, problems = verified(tmp_path / "site")
    words = "is no file of this folder, but SHA256SUMS lists it"
    assert (status, problems[:2]) == (1, [f"{name} {words}" for name in ("/dev/zero", "late.js")])


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("connect, packed", {"engine": "arrays"}),
        ("loops, folded", {"fold": True, "layout": "readable"}),
        ("tiers", {"engine": "layers"}),
    ],
)
def test_verify_accepts_site_of_any_engine_and_layout(
    name: str, form: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.engines.choose.MAX_STATES_FOR_READABLE", 0)
    (tmp_path / "rules.py").write_text(f"{COUNT}\n    def tier(self, state):\n        return state\n")
    game, parameters, _ = {**STATES, "tiers": (f"{tmp_path}/rules.py:Count", {}, {})}[name]
    solve(load_game(game, parameters), tmp_path / "game.db", **form)
    assert made_site(tmp_path / "game.db", tmp_path / "site")["loops"] == (name != "tiers")
    assert verified(tmp_path / "site") == (0, [])


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"game": "nim"}', '{"game": 1, "rules": 2, "play": 3}'])
def test_verify_refuses_invalid_site_in_one_line(content: str, tmp_path: Path) -> None:
    (tmp_path / "site.json").write_text(content)
    refusal(4, "verify", tmp_path)


def test_batch_makes_a_folder_of_sites_with_an_index(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs_here(monkeypatch)
    listed = "".join(f'[[solve]]\ngame = "{game}"\n' for game in ("hexapawn", "nim heaps=1,2"))
    (tmp_path / "games.toml").write_text(listed)
    for status in ("done", "up to date"):
        done = call("batch", tmp_path / "games.toml", "-o", tmp_path / "out", "--sites")
        assert (done.exit_code, done.stdout.count(status)) == (0, 2)
    sites, names = tmp_path / "out" / "sites", ("hexapawn", "nim-heaps-1-2")
    assert sorted(path.name for path in sites.iterdir()) == ["hexapawn", "index.html", "nim-heaps-1-2"]
    for name in names:
        alone = tmp_path / f"{name}-alone"
        made_site(tmp_path / "out" / f"{name}.db", alone)
        assert (alone / "SHA256SUMS").read_bytes() == (sites / name / "SHA256SUMS").read_bytes()
        assert f'href="{name}/index.html"' in (sites / "index.html").read_text()
    page = browser.new_page()
    with hosted(sites) as url:
        for number, words in enumerate(["Hexapawn", "Nim"]):
            page.goto(url)
            page.get_by_role("link", name="Play").nth(number).click()
            expect(page.locator("h1")).to_contain_text(words)
            expect(page.locator("#moves button").first).to_be_visible()
    page.close()
    shutil.rmtree(sites / "hexapawn")
    assert call("batch", tmp_path / "games.toml", "-o", tmp_path / "out").exit_code == 0
    assert "hexapawn/index.html" not in (sites / "index.html").read_text()


@pytest.mark.parametrize("game", [Alike(), Seldom()], ids=str)
def test_boards_not_determined_by_texts_are_drawn(game: PackedGame, tmp_path: Path) -> None:
    """Boards that do not follow from the bits that single words of a text show are spelled out."""
    folder, texts = tmp_path / "site", [game.position(state) for state in range(700, 800)]
    with solving(game) as db:
        assert ("text" in assert_answered(db, folder, texts)) == (type(game) is Alike)
        for text, rows in zip(texts, answers({folder: texts}, "rows")[0], strict=True):
            assert drawn(rows) == drawn(json.loads(neighbourhood(db, text)))
