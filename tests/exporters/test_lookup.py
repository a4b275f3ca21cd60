"""The two players by lookup: against the rules on every line of play, and against each other."""

import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from exporters import plan_json
from exporters.lookup.player import Player
from solver import Plan, make_plan
from solver.proof.plan import verify_document
from solver.rules.asking import representative
from tests.exporters.support import small_plans
from tests.exporters.support.small_plans import Handmade, plan
from tests.support.folded_plans import folded_plan
from tests.support.hostile_files.plans_and_matches import everywhere
from tests.support.solved import solved

SCRIPT = files("exporters") / "lookup" / "player.py"
JAVASCRIPT = (files("exporters") / "lookup" / "player.js").read_text("utf-8")

GAMES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "tictactoe": ("tictactoe", {}),
    "wild": ("mnk", {"rows": "3", "columns": "3", "k": "2", "wild": "true"}),
    "connect": ("connect", {"rows": "3", "columns": "3", "k": "3"}),
    "nim": ("nim", {"heaps": "2,3,4"}),
    "hexapawn": ("hexapawn", {"rows": "3", "columns": "3"}),
    "kayles": ("kayles", {"n": "5"}),
    "chomp": ("chomp", {"rows": "3", "columns": "3"}),
    "dots": ("dots-and-boxes", {"rows": "1", "columns": "2"}),
    "ponghauki": ("ponghauki", {}),
    "morris": ("morris", {"variant": "tsoro-yematatu"}),
}
"""By a name of its own: the game and its parameters."""

MOST_PLIES = 10
"""Longer lines are followed so far: play may be endless."""


Plans = Mapping[str, Plan]


@pytest.fixture(scope="module")
def plans() -> Plans:
    """Plans for all who can reach a draw at least, folded and not."""
    seen = {}
    for name, (game, parameters) in GAMES.items():
        with solved(game, parameters) as db:
            value = db[db.start].value
            for owner, gain in (("first", value), ("second", -value)):
                if gain >= 0:
                    seen[f"{name} {owner}"] = make_plan(db, owner=owner)
                    seen[f"{name} {owner} folded"] = folded_plan(db, owner=owner)
    return seen


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page()
    opened.add_script_tag(content=JAVASCRIPT)
    yield opened
    opened.close()


def walked(document: Mapping[str, Any]) -> list[Any]:
    """What the Python player sees and does on every line of play, each line as the moves that lead to it."""
    seen = []
    lines: list[tuple[tuple[str, ...], Player]] = [((), Player(dict(document)))]
    for moves, player in lines:  # which grows meanwhile
        seen.append([list(moves), player.position, player.move, sorted(player.replies), player.utility])
        for move in [player.move] if player.move is not None else sorted(player.replies):
            if len(moves) < MOST_PLIES:
                further = copy.copy(player)
                further.play(move)
                lines.append(((*moves, move), further))
    return seen


WALKED = """([text, most]) => {
  const plan = JSON.parse(text), seen = [], lines = [[]];
  for (const moves of lines) {
    const player = new Player(plan);
    moves.forEach((move) => player.play(move));
    const replies = player.replies.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    seen.push([moves, player.position, player.move ?? null, replies, player.utility ?? null]);
    if (moves.length < most)
      (player.move === undefined ? replies : [player.move]).forEach((move) => lines.push([...moves, move]));
  }
  return seen;
}"""
"""The same in JavaScript."""


def test_plan_documents_are_verified_for_play_without_rules(plans: Plans) -> None:
    symmetries = list[int]()
    for name, made in plans.items():
        plan, proved, lacks = verify_document(document := plan_json.document(made))
        assert (plan, lacks) == (made, None), name
        assert proved.gain == made.gain(made.value), name
        symmetries += [len(document["symmetries"])] if made.folded else []
    assert len(plans) == 2 * len(symmetries) > 20
    assert max(symmetries) > 7


def test_python_player_follows_the_rules_on_every_line(plans: Plans) -> None:
    for name, made in plans.items():
        game, ends = made.game, 0
        for moves, position, move, replies, utility in walked(json.loads(plan_json.render(made))):
            state = game.parse(made.root)
            for played in moves:
                state = next(
                    game.result(state, item)
                    for item in game.actions(state)
                    if str(game.action_name(item)) == played
                )
            shown = representative(game, state) if made.folded else state
            assert position == game.position(shown), name
            legal = sorted(str(game.action_name(action)) for action in game.actions(state))
            if not legal:
                ends += 1
                assert utility == game.utility(state), name
                assert made.gain(utility) >= made.gain(made.value), name
            elif game.to_move(state) == made.owner:
                assert (move in legal, replies, utility) == (True, [], None), name
            else:
                assert (move, replies, utility) == (None, legal, None), name
        assert ends or name.startswith("ponghauki"), name


def test_javascript_and_python_players_agree(plans: Plans, page: Page) -> None:
    for name, made in plans.items():
        text = plan_json.render(made)
        assert page.evaluate(WALKED, [text, MOST_PLIES]) == walked(json.loads(text)), name


HOSTILE = [
    *(*small_plans.HOSTILE, "\\u0022\\", "\u202eright to left\u2028", "\x00\n\r\t", "'" + "ä😀" * 500),
    *("__proto__", "constructor", "toString", "", " "),
]


def hostile_plan() -> Plan:
    """A plan in which all texts are what programs stumble over."""
    rules: dict[str, int | tuple[int, dict[str, str]]] = {"root": (1, {text: f"a{text}" for text in HOSTILE})}
    for text in HOSTILE:
        rules |= {f"a{text}": (0, {text: text, "lose": "lost"}), text: 1}
    return plan(Handmade(rules | {"lost": -1}), {f"a{text}": text for text in HOSTILE}, goal="win")


def test_hostile_move_names_are_played(page: Page) -> None:
    text = plan_json.render(hostile_plan())
    document = json.loads(text)
    assert list(document["replies"]["root"]) == HOSTILE
    assert [choice["move"] for choice in document["states"].values()] == HOSTILE
    seen = walked(document)
    assert {tuple(moves): utility for moves, *_, utility in seen if len(moves) == 2} == {
        (item, item): 1 for item in HOSTILE
    }
    assert sorted(page.evaluate(WALKED, [text, MOST_PLIES])) == sorted(seen)


@pytest.mark.parametrize("strange", ["9", "constructor", "__proto__", ""])
def test_move_not_in_the_plan_is_refused(plans: Plans, page: Page, strange: str) -> None:
    for name in ("tictactoe first", "tictactoe second folded"):
        document = plan_json.document(plans[name])
        with pytest.raises(KeyError):
            Player(document).play(strange)
        program = """([plan, move]) => {
          try { new Player(plan).play(move); } catch (error) { return error.message; }
        }"""
        assert "has no move" in page.evaluate(program, [document, strange])


def played(folder: Path, content: str | bytes, typed: str) -> "subprocess.CompletedProcess[str]":
    """What the script prints, with nothing but itself and the standard library."""
    script = folder / "player.py"
    shutil.copy(str(SCRIPT), script)
    (folder / "plan.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    command = [sys.executable, "-I", "-S", str(script), str(folder / "plan.json")]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=60)


def test_script_plays_against_a_person(plans: Plans, tmp_path: Path) -> None:
    run = played(tmp_path, plan_json.render(plans["tictactoe first"]), "0\n99\n4\n2\n5\n7\n")
    assert "The plan for x plays 0." in run.stdout
    assert "x........  Your move, one of 1 2 3 4 5 6 7 8: " in run.stdout
    run = played(tmp_path, plan_json.render(plans["tictactoe second folded"]), "\n".join("012345678" * 2))
    assert run.stdout.splitlines()[-1].endswith(("-1 to the first player.", "+0 to the first player."))
    assert (run.returncode, run.stderr) == (0, "")


def test_script_ends_cleanly_at_end_of_input(plans: Plans, tmp_path: Path) -> None:
    run = played(tmp_path, plan_json.render(plans["tictactoe first"]), "4\n")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("\nYou left the game.\n")


def test_script_refuses_unplayable_document_in_one_line(plans: Plans, tmp_path: Path) -> None:
    document = plan_json.document(plans["tictactoe second"])
    documents: list[Any] = [
        {},
        [],
        {**document, "replies": {}},
        {key: document[key] for key in ("root", "states")},
        {**document, "states": {document["root"]: {"move": 1, "then": document["root"]}}},
        {**document, "states": {document["root"]: {"move": "", "then": "\x1b[2J"}}},
    ]
    contents: list[str | bytes] = [b"", b"[" * 100_000, b"\xff", b'"\\ud800"', b"9" * 10_000]
    for unusable in (*contents, *map(json.dumps, documents)):
        run = played(tmp_path, unusable, "4\n")
        assert (run.returncode, len(run.stderr.splitlines())) == (1, 1), unusable[:10]
        assert "a plan that `perfectplay plan` wrote" in run.stderr
        assert "\x1b" not in run.stdout


PLAYED = """(texts) => texts.map((text) => {
  try { new Player(JSON.parse(text)); return "played"; } catch (error) { return error.message; }
})"""
"""Which of many plans are played in JavaScript, and why not."""


OTHER_INTEGERS = ("1.5", "-0.0", "1e+300", f"{2**63}", f"{2**63 + 1}", f"{10**99}")
"""What are integers to one of the two languages alone."""


def test_both_players_refuse_the_same_documents(plans: Plans, page: Page) -> None:
    document = plan_json.document(plans["connect first folded"])
    texts = [
        text
        for text in (data.decode() for data in [*everywhere(document)][::5])
        if not any(number in text for number in OTHER_INTEGERS)
    ]
    seen = []
    for text in texts:
        try:
            player = Player(json.loads(text))
        except ValueError as error:
            seen.append(f"this is {error}")
            continue
        seen.append("played")
        assert isinstance([player.move, player.replies, player.utility], list)
    assert len(set(seen)) == 2
    assert page.evaluate(PLAYED, texts) == seen


@pytest.mark.parametrize("number", [2**53, -(2**53), 2**62 + 1])
def test_javascript_player_refuses_unsafe_integers(page: Page, number: int) -> None:
    plain = {"root": "a", "states": {"a": {"move": 1, "then": "b"}}, "replies": {}, "ends": {"b": 1}}
    rounded = [plain | {"states": {"a": {"move": number, "then": "b"}}}, plain | {"ends": {"b": number}}]
    said = page.evaluate(PLAYED, [json.dumps(plan) for plan in (plain, *rounded)])
    assert said == ["played", *["this is no plan that can be played without rules"] * 2]
