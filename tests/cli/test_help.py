"""The help of the program: commands and options in sections, in whole sentences."""

import re
import tomllib

import click
import pytest
from click.testing import CliRunner

from solver import cli
from solver.cli import OTHERS, SECTIONS, main
from solver.commands.options import REST, Sectioned
from solver.system.plugins import EntryPoint, entries
from tests.support.commandline import command_named, python
from tests.support.pages import ROOT

OURS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
COMMANDS = sorted(OURS["perfectplay.commands"])


def helped(*arguments: str, width: int = 100) -> str:
    actual = CliRunner().invoke(main, [*arguments, "--help"], terminal_width=width, prog_name="perfectplay")
    assert actual.exit_code == 0
    return actual.output


def listed(text: str) -> dict[str, dict[str, str]]:
    """The rows under each heading of a help text, lines that go on joined: the first column, and the rest."""
    actual: dict[str, dict[str, str]] = {}
    for title, body in re.findall(r"^(\S.*):\n((?:  .*\n|\n)+)", text, re.MULTILINE):
        rows = re.split(r"^  (?=\S)", body, flags=re.MULTILINE)[1:]
        cells = [re.split(r"\s{2,}", row.strip()) for row in rows]
        actual[title] = {first: " ".join(rest) for first, *rest in cells}
    return actual


@pytest.mark.parametrize("width", [80, 120])
def test_every_command_is_in_one_section_with_a_full_sentence(width: int) -> None:
    sections = listed(helped(width=width))
    assert list(sections.items())[-len(SECTIONS) :] == list(SECTIONS.items())
    for name in COMMANDS:
        (sentence,) = (rows[name] for rows in sections.values() if name in rows)
        assert command_named(name).get_short_help_str(1000) == sentence
        assert sentence.endswith(".")
        assert "..." not in sentence


def test_commands_of_other_packages_are_in_the_last_section(monkeypatch: pytest.MonkeyPatch) -> None:
    assert OTHERS not in helped()
    dance = {"dance": EntryPoint("dance", "tests.cli.test_help:dance", "perfectplay.commands")}
    monkeypatch.setattr(cli, "entries", lambda group: entries(group) | dance)
    sections = listed(helped())
    assert list(sections)[-1] == OTHERS
    assert sections[OTHERS] == {"dance": "Dance once round the room, slowly."}


def test_program_help_imports_no_built_in_command() -> None:
    shown = "import sys; from solver.cli import main; main(['--help'], standalone_mode=False)"
    modules = python(f"{shown}; print(*sys.modules)").stdout.splitlines()[-1].split()
    assert "solver.cli" in modules
    assert not [name for name in modules if name.startswith(("solver.commands", "exporters"))]


@click.command()
def dance() -> None:
    """Dance once round the room, slowly. Then stop."""


def test_group_of_another_package_without_a_command_shows_its_help(monkeypatch: pytest.MonkeyPatch) -> None:
    dances = {"dances": EntryPoint("dances", "tests.cli.test_help:dances", "perfectplay.commands")}
    monkeypatch.setattr(cli, "entries", lambda group: entries(group) | dances)
    result = CliRunner().invoke(main, ["dances"], prog_name="perfectplay")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", helped("dances", width=80))


@click.group()
def dances() -> None:
    """Dance in one of several ways."""


dances.add_command(dance)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_exactly_one_section(name: str) -> None:
    command = command_named(name)
    options = [param.opts[-1] for param in command.params if isinstance(param, click.Option)]
    text = helped(name, width=300)
    rows = [row for section in listed(text).values() for row in section]
    for option in [*options, "--help"]:
        assert len([row for row in rows if option in re.findall(r"--[\w-]+", row)]) == 1, option
    if isinstance(command, Sectioned):
        assert list(listed(text)) == [*command.sections, REST]
