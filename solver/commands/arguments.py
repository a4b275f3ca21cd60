"""PARAM=VALUE pairs, as several commands take them."""

import click

from solver.errors import BadParameter


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


def as_parameters(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The pairs by name; raises `BadParameter` when a name comes twice."""
    names = [name for name, _ in pairs]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadParameter(f"the parameter {twice!r} is given more than once")
    return dict(pairs)
