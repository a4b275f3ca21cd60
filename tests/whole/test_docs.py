"""The pages on the command line and on plug-ins name exactly what exists."""

import re
import tomllib

import click
import pytest

import solver
from solver.cli import SECTIONS as IN_HELP
from solver.commands.options import Sectioned
from solver.game import Game
from solver.system.plugins import entries
from tests.benchmarks.__main__ import HOURS, USUAL
from tests.benchmarks.measured import TABLES
from tests.support.commandline import command_named
from tests.support.pages import PAGES, ROOT, blocks, text_of

SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text_of("docs/command-line.md"), re.M | re.S))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
GROUPS: dict[str, dict[str, str]] = PROJECT["entry-points"]
PLUGINS = text_of("docs/plugins.md")


def test_api_page_lists_every_public_name() -> None:
    named = re.findall(r"^\.\. auto\w+:: solver\.(\w+)$", text_of("docs/api.md"), re.M)
    assert sorted(named) == solver.__all__


def test_citation_matches_the_project_metadata() -> None:
    cited = text_of("CITATION.cff")
    for key in ("name", "version", "license"):
        assert re.search(rf"^(title|{key}): {re.escape(PROJECT[key])}$", cited, re.M)


def options(name: str) -> list[click.Option]:
    return [param for param in command_named(name).params if isinstance(param, click.Option)]


def rows(name: str) -> dict[str, str]:
    """What the page says of a command's options: the first cell of each row, and the whole row."""
    table = re.findall(r"^(\| (`-.*?`) \| .*)$", SECTIONS[name], re.MULTILINE)
    return {cell: row for row, cell in table}


def test_page_and_help_list_commands_in_the_same_order() -> None:
    rows = re.findall(r"^\| ([A-Z][a-z ]+) \| (\[.*\)) \|$", text_of("docs/command-line.md"), re.MULTILINE)
    listed = {title: re.findall(r"\[(\w+)\]\(#\1\)", links) for title, links in rows}
    assert listed == {title: list(commands) for title, commands in IN_HELP.items()}
    in_help = sorted(name for names in IN_HELP.values() for name in names)
    assert in_help == sorted(SECTIONS) == sorted(GROUPS["perfectplay.commands"])


@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_section_shows_usage_and_help_groups_many_options(name: str) -> None:
    assert isinstance(command_named(name), Sectioned) == (len(options(name)) >= 8)
    context = click.Context(command_named(name), info_name=f"perfectplay {name}")
    usage = " ".join([f"perfectplay {name}", *command_named(name).collect_usage_pieces(context)])
    assert f"```text\n{usage}\n```" in SECTIONS[name]


@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_section_lists_exactly_the_options_of_its_command(name: str) -> None:
    named = {tuple(re.findall(r"`(--?[a-z][a-z-]*)", cell)) for cell in rows(name)}
    assert named == {tuple(sorted(item.opts, key=len)) for item in options(name)}
    known = {opt for item in GROUPS["perfectplay.commands"] for param in options(item) for opt in param.opts}
    assert set(re.findall(r"`(--[a-z][a-z-]*)", SECTIONS[name])) <= known


@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_option_row_shows_choices_default_and_required(name: str) -> None:
    context = click.Context(command_named(name))
    for option in options(name):
        (row,) = (row for cell, row in rows(name).items() if option.opts[-1] in re.findall(r"--[\w-]+", cell))
        if option.metavar:
            assert f"{option.opts[-1]} {option.metavar}`" in row.replace("\\", "")
        if isinstance(option.type, click.Choice):
            assert set(option.type.choices) <= set(re.findall(r"`([^`]+)`", row))
        given = option.show_default
        default = given if isinstance(given, str) else option.get_default(context)
        if isinstance(default, str | int) and not option.is_flag:
            assert f"`{default}` (default)" in row or f"(default {default})" in row
        assert option.required == ("required" in row)


def test_plugins_page_lists_every_entry_point() -> None:
    rows = re.findall(r"^\| `(perfectplay\.\w+)` \| (`[^|]*`) \|$", PLUGINS, re.MULTILINE)
    actual = {group: re.findall(r"`([^`]+)`", names) for group, names in rows}
    assert actual == {group: sorted(names) for group, names in GROUPS.items()}


def test_registered_entry_points_are_discovered() -> None:
    for group, names in GROUPS.items():
        assert set(names) <= set(entries(group.removeprefix("perfectplay.")))


def test_plugins_page_explains_every_entry_point_group() -> None:
    explained = re.findall(r"^\| `(perfectplay\.\w+)` \|.+\|.+\|.+\|$", PLUGINS, re.MULTILINE)
    (example,) = (block.text for block in blocks("docs/plugins.md") if block.language == "toml")
    assert set(explained) == set(tomllib.loads(example)["project"]["entry-points"]) == set(GROUPS)


@pytest.mark.parametrize(
    ("page", "group"),
    [("docs/players.md", "perfectplay.players"), ("docs/plans.md", "perfectplay.exporters")],
)
def test_pages_list_all_players_and_plan_formats(page: str, group: str) -> None:
    cells = re.findall(r"^\| ((?:`[\w-]+`(?:, )?)+) \|", text_of(page), re.MULTILINE)
    named = {name for cell in cells for name in re.findall(r"`([\w-]+)`", cell)}
    assert named == set(GROUPS[group])


def test_every_benchmark_table_has_one_place_in_the_pages() -> None:
    text = "".join(text_of(page) for page in PAGES)
    places = re.findall(r"^<!-- (?!end of )(\S+) -->\n(?:[^<]*\n)?<!-- end of \1 -->$", text, re.MULTILINE)
    assert sorted(places) == sorted(["machine", *USUAL, *HOURS])
    commands = re.findall(r"^    python -m tests\.benchmarks (\S+)$", text, re.MULTILINE)
    assert set(commands) <= set(TABLES)


def test_games_page_lists_every_member_of_game() -> None:
    table = re.findall(r"^\| (`.+?) \|", text_of("docs/games.md"), re.MULTILINE)
    named = {name for cell in table for name in re.findall(r"`(\w+)", cell)}
    members = named | {"initial", "to_move", "actions", "result", "utility"}
    derived = {"player"}  # which follows from the others
    assert members == {name for name in vars(Game) if not name.startswith("_")} - derived
