"""Arguments and options of several commands, and help with options in sections for those that have many."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from solver.commands import completion
from solver.errors import BadParameter, UnreadablePosition
from solver.rules.named import rules_given
from solver.rules.source.trust import trusting
from solver.system.plugins import names_instead

DATABASE = click.Path(readable=False)
"""The type of the argument that is a database; `batch` runs the commands of which it is the first one."""

ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
"""A PARAM=VALUE; no player matches, and a position only if it begins with a name and =."""


class Assignment(click.ParamType[tuple[str, str]]):
    """One PARAM=VALUE, as a pair of texts."""

    name = "PARAM=VALUE"

    def convert(
        self, value: str | tuple[str, str], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """The two sides of the first `=`."""
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        if not (name and equals):
            self.fail(f"{value!r} should be PARAM=VALUE, such as rows=4", param, ctx)
        return name, text


class ByteSize(click.ParamType[int]):
    """A number of bytes, such as 4G, 500M or 2.5G."""

    name = "SIZE"

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of bytes; K, M, G and T are powers of 1000."""
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)B?", value.strip().upper())
        if not match:
            self.fail(f"{value!r} should be a size, such as 4G or 500M", param, ctx)
        return int(float(match[1]) * 1000 ** " KMGT".index(match[2] or " "))


class OneOf(click.Choice[str]):
    """One of some names; the error for any other one says which may have been meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """The message for a name that is not among them."""
        return f"{value!r} is not one of them; {names_instead(str(value), self.choices)}"


def trusts_rules(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--rules` and `--trust-rules` to a command whose files may name rules files."""

    @click.option(
        "--rules",
        multiple=True,
        metavar="FILE.py",
        help="The rules file named in FILE, if it is not beside it or in this folder.",
        shell_complete=completion.files,
    )
    @click.option(
        "--trust-rules", is_flag=True, help="Run the rules file named in FILE even if it is not trusted yet."
    )
    @wraps(command)
    def asked(*arguments: Any, rules: tuple[str, ...], trust_rules: bool, **options: Any) -> None:
        with trusting(trust_rules), rules_given(rules):
            command(*arguments, **options)

    return asked


def checks(
    check: Callable[[str], object],
) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """The callback of an option whose value is refused where `check` raises."""

    def checked(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is not None and not Path(value).is_dir():  # which the command refuses, or writes into
            check(value)
        return value

    return checked


def writes(
    metavar: str,
    words: str,
    *names: str,
    check: Callable[[str], object] = Path,
    completes: Callable[..., Any] = completion.files,
    **options: Any,
) -> Callable[[Any], Any]:
    """The option `-o`, or one of other `names`, for what is written; `check` raises for bad files."""
    names, checked = names or ("-o", "--output"), checks(check)
    options |= {"metavar": metavar, "shell_complete": completes, "callback": checked, "help": words}
    return click.option(*names, **options)


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
    *names: str, words: str, least: int = 1, most: int | None = None, metavar: str = "N", **options: Any
) -> Callable[[Any], Any]:
    """An option that is a number from `least` to `most`."""
    options = {"show_default": "default" in options, **options}
    return click.option(*names, type=click.IntRange(least, most), metavar=metavar, help=words, **options)


seeds = click.option("--seed", type=int, default=0, show_default=True, help="Seed of random choices.")
"""Adds `--seed` to a command."""

prints_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, errors included.")
"""Adds `--json` to a command; its errors are then written as JSON by `solver.cli`."""


def as_parameters(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The pairs as a dictionary; raises `BadParameter` for a name given twice."""
    names = [name for name, _ in pairs]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadParameter(f"the parameter {twice!r} is given more than once")
    return dict(pairs)


def split_parameters(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The PARAM=VALUE among the words, and the others; raises `BadParameter` for one given twice."""
    matches = [(word, ASSIGNMENT.fullmatch(word)) for word in words]
    pairs = tuple((match[1], match[2]) for _, match in matches if match)
    return as_parameters(pairs), [word for word, match in matches if not match]


def split_position(words: Sequence[str]) -> tuple[dict[str, str], str | None]:
    """The PARAM=VALUE among the words, and the one other word, the position, or None.

    Raises `BadParameter` for a parameter given twice and `UnreadablePosition` for a second position.
    """
    parameters, positions = split_parameters(words)
    if len(positions) > 1:
        raise UnreadablePosition(
            f"there should be one position, not {' and '.join(map(repr, positions))}; "
            "quote a position that contains a space"
        )
    return parameters, positions[0] if positions else None


def plies_asked(option: str, text: str | None) -> range | None:
    """The plies of `N`, `A-B` or `A..B`, both ends included; raises `BadParameter` for other texts."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,9})(?:(?:-|\.\.)(\d{1,9}))?", text)
    plies = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
    if not plies:
        raise BadParameter(f"{option} takes a number of plies, or the least and most as A-B, not {text!r}")
    return plies


def is_json(path: Path) -> bool:
    """Whether the file at `path` begins like JSON: then it is a plan, not a database."""
    with path.open("rb") as content:
        return content.read(64).lstrip()[:1] in (b"{", b"[")


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
    """The decorator of a command, with the end of its help: what can be typed, a line each.

    The options of one that has many are in `sections` there, by their headings.
    """
    epilog = "\n".join(["\b", "Examples:", *(f"  {line}" for line in examples)])
    if sections is None:
        return click.command(epilog=epilog)
    return click.command(epilog=epilog, cls=Sectioned, sections=sections)
