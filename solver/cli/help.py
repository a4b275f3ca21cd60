"""The commands in the help of the program: in sections, each with a sentence."""

from collections.abc import Iterable, Iterator, Sequence

import click

SECTIONS = {
    "Rules": ("games", "check", "trust"),
    "Solve and prove": ("solve", "batch", "convert", "verify"),
    "Ask": ("query", "stats", "report", "puzzles", "export", "diff"),
    "Plans and pages": ("plan", "explore", "serve"),
    "Search": ("search", "compare"),
    "Play": ("play", "match", "replay", "grade"),
}
"""The commands that come along, by section."""

OTHERS = "From other packages"
"""The section of all other commands."""

LONGEST_SENTENCE = 1000
"""Characters to which the sentence on a command is cut."""


def in_sections(names: Iterable[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each section that has any of the commands `names`, and which ones."""
    there = list(names)
    ours = {name for section in SECTIONS.values() for name in section}
    others = [name for name in there if name not in ours]
    for title, section in (*SECTIONS.items(), (OTHERS, others)):
        if found := [name for name in section if name in there]:
            yield title, found


def write_commands(formatter: click.HelpFormatter, commands: dict[str, click.Command]) -> None:
    """Write the commands in their sections, each with the first sentence of its help."""
    width = max(map(len, commands), default=0)
    for title, names in in_sections(commands):
        with formatter.section(title):
            formatter.write_dl(
                [(f"{name:<{width}}", commands[name].get_short_help_str(LONGEST_SENTENCE)) for name in names]
            )
