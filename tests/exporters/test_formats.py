from pathlib import Path

import pytest

from exporters.diagram import dot
from solver.errors import BrokenRules, UnknownFormat, UsageError
from solver.plans import formats
from solver.plans.plan import Plan
from solver.system import plugins
from solver.system.plugins import EntryPoint, entries
from tests.exporters.support.small_plans import Handmade, plan

FORK = plan(
    Handmade(
        {"root": (1, {"l": "a", "r": "b"}), "a": 1, "b": 1},
        {"root": [["", ""]], "a": [["o", ""]], "b": [["", "o"]]},
    ),
    {},
)

BUILT_IN = ["dot", "gv", "html", "json", "map", "nested-json", "pdf", "png", "svg", "tree"]


def test_formats_are_known_by_name_and_file_suffix() -> None:
    assert list(entries("exporters")) == BUILT_IN
    for name in BUILT_IN:
        assert formats.format_of(Path(f"some.folder/my.plan.{name}")) == name
        assert formats.format_of(Path(f"PLAN.{name.upper()}")) == name


@pytest.mark.parametrize("file", ["plan", "plan.txt", "plan.", ".svg", "svg"])
def test_unknown_suffix_is_refused_with_known_formats(file: str) -> None:
    with pytest.raises(UnknownFormat, match=r"dot, gv, html, json, map, nested-json, pdf, png, svg, tree$"):
        formats.format_of(Path(file))


def nothing(plan: object) -> None:
    """Render a plan, but forget to return the text."""


def without_plan() -> str:
    return ""


def failing(plan: object) -> str:
    raise KeyError("node")


def failing_rules(plan: Plan) -> str:
    return str(plan.game.actions("nowhere"))


class Beside(Handmade):
    """Rules in the module of formats, which are not to blame for these."""


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("no.such.module:render", "the format odd cannot be loaded"),
        (f"{__name__}:BUILT_IN", "^the format odd should be a function, not "),
        (f"{__name__}:nothing", "^the format odd should return text or bytes, not None$"),
        (f"{__name__}:without_plan", r"^the format odd \(.*:without_plan\) fails: TypeError: "),
        (f"{__name__}:failing", rf"^the format odd \({__name__}:failing\) fails: KeyError: 'node'$"),
        (f"{__name__}:failing_rules", "^the rules of Handmade fail in actions in the state 'nowhere'"),
        ("builtins:dict", r"^the format odd \(builtins:dict\) fails: TypeError: 'Plan' object"),
    ],
)
def test_failing_format_raises_broken_rules(entry: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = EntryPoint("odd", entry, "perfectplay.exporters")
    monkeypatch.setattr(formats, "entries", lambda group: {"odd": odd})
    with pytest.raises(BrokenRules, match=says):
        formats.render(FORK, "odd")


@pytest.mark.parametrize("entry", ["no.such.module:render", f"{__name__}:BUILT_IN"])
def test_broken_format_does_not_hide_refusal_of_another(entry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"odd": EntryPoint("odd", entry, "perfectplay.exporters")}
    for module in (formats, plugins):
        monkeypatch.setattr(module, "entries", lambda group: entries(group) | broken)
    with pytest.raises(UsageError, match=r"--depth cuts pictures \(dot, .*tree\); json has the whole plan"):
        formats.refuse_unfit("json", 1, None)


@pytest.mark.parametrize("name", BUILT_IN)
def test_formats_are_deterministic_and_only_pictures_are_cut(name: str) -> None:
    assert isinstance(rendered := formats.render(FORK, name), bytes)
    assert rendered == formats.render(FORK, name)
    if name in ("html", "json", "nested-json"):
        with pytest.raises(UsageError, match=r"--depth.*\(dot, gv, map, pdf, png, svg, tree\)"):
            formats.render(FORK, name, depth=1)
    else:
        assert formats.render(FORK, name, depth=1)
    if name in ("html", "json", "map", "nested-json", "tree"):
        with pytest.raises(UsageError, match=r"--follow.*\(dot, gv, pdf, png, svg\)"):
            formats.render(FORK, name, follow="l")
    else:
        assert formats.render(FORK, name, follow="l") != rendered


@pytest.mark.parametrize(
    ("name", "file"),
    [("graph", "plan.graph"), ("PGN", "plan.PGN"), ("PGN", "plan.pgn"), ("tar.gv", "plan.tar.gv")],
)
def test_format_of_another_package_is_used_by_entry_point(
    name: str, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = EntryPoint(name, "exporters.diagram.dot:render", "perfectplay.exporters")
    monkeypatch.setattr(formats, "entries", lambda group: entries(group) | {name: entry})
    assert formats.format_of(Path(file)) == name
    assert formats.render(FORK, name) == dot.render(FORK).encode()
