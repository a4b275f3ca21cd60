"""Help with the options in sections, for commands that have many of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

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
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        found = {each.name: each.get_help_record(ctx) for each in options}
        rows = {name: row for name, row in found.items() if row is not None}
        for title, names in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([rows.pop(name) for name in names])
        with formatter.section(REST):
            formatter.write_dl(list(rows.values()))
