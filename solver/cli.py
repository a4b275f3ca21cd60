"""The `perfectplay` group: its commands load when they are called, its errors are one line and a status."""

from typing import Any

import click

from solver.errors import TooLarge, UnusableFile, UsageError, cut, told
from solver.rules.failures import interruption, refusal
from solver.system.plugins import entries
from solver.system.terminal import printing

INTERRUPTED = 130
"""The exit status of a program that Ctrl-C has ended, as shells have it."""


LONGEST_MESSAGE = 4000
"""What is refused is said in so many characters at most."""


class Refusal(click.ClickException):
    """A `SolverError` for click: the message in one line on stderr, and the exit status."""

    def __init__(self, error: Exception | str, status: int) -> None:
        """Take over the message of `error`."""
        super().__init__(cut(" ".join(str(error).split()), LONGEST_MESSAGE))
        self.exit_code = status  # type: ignore[misc]


class Commands(click.Group):
    """The commands that joined through the entry points `perfectplay.commands`.

    Whatever they say, nothing reaches the terminal that cannot be printed.
    """

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program."""
        with printing():
            return super().main(*args, **kwargs)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(entries("commands"))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command, loaded now."""
        entry = entries("commands").get(name)
        try:
            return entry.load() if entry else None
        except (Exception, SystemExit) as error:
            message = f"the command {name} cannot be loaded: {told(error)}"
            raise Refusal(UsageError(message), UsageError.exit_status) from error

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; turn what it refuses into a message and an exit status."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Refusal(interruption(error), INTERRUPTED) from error
        except (Exception, SystemExit) as error:
            if (refused := refusal(error)) is not None:
                raise Refusal(refused, refused.exit_status) from error
            if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
                raise Refusal(error, UnusableFile.exit_status) from error
            if isinstance(error, MemoryError):
                raise Refusal("memory ran out", TooLarge.exit_status) from error
            raise


SETTINGS = {"help_option_names": ["-h", "--help"], "color": True}
"""With colour click leaves escape sequences to `printing`, which shows them; there are none of our own."""


@click.group(cls=Commands, context_settings=SETTINGS)
@click.version_option(package_name="perfectplay")
def main() -> None:
    """Solve two-player games and ask, verify and draw what was found."""
