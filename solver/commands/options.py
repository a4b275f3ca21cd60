"""Shared options, and help with sections for commands with many options."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from os.path import islink, realpath
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from solver.commands import completion
from solver.commands.arguments import FILE, OneOf, WholeNumber, byte_size
from solver.errors import UsageError
from solver.rules.named import rules_given
from solver.rules.source.trust import trusting


def trusts_rules(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--rules` and `--trust-rules` to a command whose files may name rules files."""

    @click.option(
        "--rules",
        type=FILE,
        multiple=True,
        metavar="FILE.py",
        help="The rules file that FILE names, if it is neither beside FILE nor in this folder.",
    )
    @click.option(
        "--trust-rules", is_flag=True, help="Run the rules file that FILE names, even if it is not trusted."
    )
    @wraps(command)
    def with_rules(*arguments: Any, rules: tuple[str, ...], trust_rules: bool, **options: Any) -> None:
        with trusting(trust_rules), rules_given(rules):
            command(*arguments, **options)

    return with_rules


def writes(
    metavar: str,
    words: str,
    *names: str,
    check: Callable[[str], object] = Path,
    prints: bool = True,
    **options: Any,
) -> Callable[[Any], Any]:
    """The option `-o`, or one with other `names`, for a file to write; `check` raises for a bad file.

    `-` is refused for other names, and if the command cannot print the output of `-o`.
    """

    def checked(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value == "-" and (names or not prints):
            raise click.BadParameter("this is not printed: give a name (./- for a file named -)", ctx, param)
        if value == "-" and sys.__stdout__ is None:
            raise click.BadParameter("standard output is closed", ctx, param)
        if value is not None and islink(realpath(value)):
            raise click.BadParameter(f"{value} is a link that leads to itself", ctx, param)
        if value is not None and not Path(value).is_dir():  # the command refuses a folder or writes into it
            check(value)
        return value

    options |= {"metavar": metavar, "callback": checked, "help": words}
    return click.option(*(names or ("-o", "--output")), type=FILE, **options)


def chooses(
    name: str, values: Iterable[str], words: str, *names: str, **options: Any
) -> Callable[[Any], Any]:
    """An option that takes one of several values; its default, if any, is shown."""
    shown = "default" in options
    return click.option(name, *names, type=OneOf(list(values)), show_default=shown, help=words, **options)


def names_game(name: str, metavar: str, **options: Any) -> Callable[[Any], Any]:
    """The arguments for a game and for PARAM=VALUE pairs; the parameter of the pairs is called `name`."""
    words = click.argument(name, nargs=-1, metavar=metavar, shell_complete=completion.parameters, **options)
    return lambda command: click.argument("game", shell_complete=completion.games)(words(command))


def names_side(name: str, words: str) -> Callable[[Any], Any]:
    """The option `--for` of a command that concerns one player."""
    return click.option("--for", name, metavar="PLAYER", shell_complete=completion.sides, help=words)


def number(
    *names: str, words: str, least: int = 1, most: int | None = None, **options: Any
) -> Callable[[Any], Any]:
    """An option for an integer from `least` to `most`; its metavar is N by default."""
    options = {"show_default": "default" in options, "metavar": "N", **options}
    return click.option(*names, type=WholeNumber(least, most), help=words, **options)


marks = click.option(
    "--certificate",
    "certificates",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Show the SHA-256 of this certificate of the value, and how to check it; it is checked first.",
)

limits_memory = click.option(
    "--memory", type=byte_size, metavar="SIZE", help="Memory limit, such as 4G; default: what is free."
)

seeds = click.option("--seed", type=int, default=0, show_default=True, help="Seed of random choices.")

prints_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, errors included.")
"""The errors of a command with this option are written as JSON, too, by `solver.cli`."""


def reads_files(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--json`, `--rules` and `--trust-rules`, as for most commands that read files of games."""
    with_json: Callable[..., None] = prints_json(trusts_rules(command))
    return with_json


REST = "Other options"
"""The section of the options that are in no other section."""


class Sectioned(click.Command):
    """A command whose help has its options in sections, and some of whose options are for others."""

    def __init__(self, *arguments: Any, sections: Any, only_with: Any = None, **options: Any) -> None:
        """Create a command with `sections`, from headings to the names of options' parameters.

        An option in `only_with` is refused without the one that it is mapped to.
        """
        self.sections: Mapping[str, Sequence[str]] = sections
        self.only_with: Mapping[str, str] = only_with or {}
        super().__init__(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        for name, other in self.only_with.items():
            if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE and not ctx.params[other]:
                raise UsageError(f"--{name.replace('_', '-')} is for --{other}")
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in their sections."""
        options = [option for option in self.get_params(ctx) if isinstance(option, click.Option)]
        rows = {option.name: row for option in options if (row := option.get_help_record(ctx)) is not None}
        for title, names in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([rows.pop(name) for name in names])
        with formatter.section(REST):
            formatter.write_dl(list(rows.values()))


def command(*examples: str, **options: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """The decorator of a command, whose help ends with `examples`, one per line.

    `options` are those of `Sectioned`.
    """
    epilog = "\n".join(["\b", "Examples:", *(f"  {line}" for line in examples)])
    return click.command(epilog=epilog, cls=Sectioned if options else click.Command, **options)
