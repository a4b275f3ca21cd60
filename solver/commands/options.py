"""Options of several commands, and help with options in sections for commands that have many."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from os.path import islink, realpath
from pathlib import Path
from typing import Any

import click

from solver.commands import completion
from solver.commands.arguments import FILE, OneOf, WholeNumber
from solver.rules.named import rules_given
from solver.rules.source.trust import trusting


def trusts_rules(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--rules` and `--trust-rules` to a command whose files may name rules files."""

    @click.option(
        "--rules",
        type=FILE,
        multiple=True,
        metavar="FILE.py",
        help="The rules file named in FILE, if it is not beside it or in this folder.",
    )
    @click.option(
        "--trust-rules", is_flag=True, help="Run the rules file named in FILE even if it is not trusted yet."
    )
    @wraps(command)
    def asked(*arguments: Any, rules: tuple[str, ...], trust_rules: bool, **options: Any) -> None:
        with trusting(trust_rules), rules_given(rules):
            command(*arguments, **options)

    return asked


def writes(
    metavar: str,
    words: str,
    *names: str,
    check: Callable[[str], object] = Path,
    prints: bool = True,
    **options: Any,
) -> Callable[[Any], Any]:
    """The option `-o`, or one of other `names`, for what is written; `check` raises for bad files.

    `-` is refused with other names, and if the command does not print what `-o` writes.
    """

    def checked(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value == "-" and (names or not prints):
            raise click.BadParameter("this is not printed: give a name (./- for a file named -)", ctx, param)
        if value is not None and islink(realpath(value)):
            raise click.BadParameter(f"{value} is a link that leads to itself", ctx, param)
        if value is not None and not Path(value).is_dir():  # which the command refuses, or writes into
            check(value)
        return value

    options |= {"metavar": metavar, "callback": checked, "help": words}
    return click.option(*(names or ("-o", "--output")), type=FILE, **options)


def chooses(
    name: str, values: Iterable[str], words: str, *names: str, **options: Any
) -> Callable[[Any], Any]:
    """An option that is one of some values; its default, if there is one, is shown."""
    shown = "default" in options
    return click.option(name, *names, type=OneOf(list(values)), show_default=shown, help=words, **options)


def names_game(name: str, metavar: str, **options: Any) -> Callable[[Any], Any]:
    """The arguments of a command that are a game and PARAM=VALUE pairs, the latter called `name`."""
    words = click.argument(name, nargs=-1, metavar=metavar, shell_complete=completion.parameters, **options)
    return lambda command: click.argument("game", shell_complete=completion.games)(words(command))


def names_side(name: str, words: str) -> Callable[[Any], Any]:
    """The option `--for` of a command that does something for one player."""
    return click.option("--for", name, metavar="PLAYER", shell_complete=completion.sides, help=words)


def number(
    *names: str, words: str, least: int = 1, most: int | None = None, **options: Any
) -> Callable[[Any], Any]:
    """An option that is a number from `least` to `most`, called N in help unless it has another `metavar`."""
    options = {"show_default": "default" in options, "metavar": "N", **options}
    return click.option(*names, type=WholeNumber(least, most), help=words, **options)


marks = click.option(
    "--certificate",
    "certificates",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Tell the SHA-256 of this certificate of the value, which is checked first, and how to check it.",
)
"""Adds `--certificate` to a command; it may be given more than once."""


seeds = click.option("--seed", type=int, default=0, show_default=True, help="Seed of random choices.")
"""Adds `--seed` to a command."""


prints_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, errors included.")
"""Adds `--json` to a command; its errors are then written as JSON by `solver.cli`."""


REST = "Other options"
"""The section of the options that no other one names."""


class Sectioned(click.Command):
    """A command whose help has its options in sections."""

    def __init__(self, *arguments: Any, sections: Mapping[str, Sequence[str]], **options: Any) -> None:
        """Put each option into the section, by its heading, that has its parameter's name."""
        super().__init__(*arguments, **options)
        self.sections = sections

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in their sections."""
        options = [option for option in self.get_params(ctx) if isinstance(option, click.Option)]
        rows = {option.name: row for option in options if (row := option.get_help_record(ctx)) is not None}
        for title, names in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([rows.pop(name) for name in names])
        with formatter.section(REST):
            formatter.write_dl(list(rows.values()))


def command(
    *examples: str, sections: Mapping[str, Sequence[str]] | None = None
) -> Callable[[Callable[..., Any]], click.Command]:
    """Decorate a command; `examples` end its help, one a line.

    The options of one that has many are in `sections` there, by their headings.
    """
    epilog = "\n".join(["\b", "Examples:", *(f"  {line}" for line in examples)])
    if sections is None:
        return click.command(epilog=epilog)
    return click.command(epilog=epilog, cls=Sectioned, sections=sections)
