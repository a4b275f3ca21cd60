"""The command group `perfectplay`: lists, loads and runs commands, and reports errors with an exit status."""

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import ENOSPC
from os import environ
from threading import current_thread, main_thread
from traceback import format_exception
from typing import Any, NoReturn

import click
from click.exceptions import NoArgsIsHelpError

from solver.errors import (
    BrokenRules,
    DiskFull,
    Interrupted,
    SolverError,
    TooLarge,
    UnusableFile,
    UsageError,
    error_as_dict,
    in_one_line,
    message_of,
)
from solver.rules.failures import interruption, refusal
from solver.system.plugins import entries, loaded, names_instead
from solver.system.progress import remarks_by, say
from solver.system.terminal import discard_unwritten, printing

SECTIONS = {
    "The job": {
        "solve": "Solve a game strongly: write a database of all reachable states.",
        "query": "Look up a position: outcome, best move, value of each move.",
        "plan": "Extract a strategy (AND-OR plan) and write or draw it.",
        "verify": "Verify a database, a plan, a certificate or a site from the rules alone.",
        "batch": "Solve many games, and make the outputs that FILE.toml lists for each.",
    },
    "Rules": {
        "games": "List the games, or the parameters of one game.",
        "check": "Test the rules of a game for consistency.",
        "trust": "Trust rules files named by databases, plans and saved games.",
    },
    "Databases": {
        "stats": "Count states by outcome, value, remoteness and ply.",
        "report": "Report on a solved game: its fairness, its length and its traps.",
        "sweep": "Compare variants of a game, with many values of its parameters, in one table.",
        "puzzles": "Find positions in which exactly one move keeps the value, the hardest first.",
        "certify": "Write certificates of a game's value, which a one-page program can check.",
        "export": "Export a database as a table: Parquet, CSV or NumPy's .npz; or as a graph: GraphML.",
        "convert": "Convert a database to the other layout.",
        "diff": "Compare two databases, A and B, of games with different rules.",
    },
    "Pages": {
        "explore": "Write a solved game as one HTML page to play against and explore.",
        "serve": "Serve solved games over HTTP: best moves as JSON, and pages to play against.",
        "site": "Write a solved game as static files for any web host.",
    },
    "Search": {
        "search": "Choose a move by a search of the game tree.",
        "compare": "Compare all searches on a position: move, value, nodes, time.",
    },
    "Play": {
        "play": "Play a game against the computer.",
        "match": "Play games between two players and count the wins.",
        "replay": "Check saved games against the rules.",
        "annotate": "Annotate the moves of a played game: which keep the value and which lose it.",
        "grade": "Grade the moves of players against a solved game.",
    },
}
"""The built-in commands by section, with the first sentences of their help.

With these, the help of the program need not import the commands.
"""

OTHERS = "From other packages"

MAX_SENTENCE = 1000
"""The most characters of the sentence on a command."""


class Commands(click.Group):
    """The commands installed as entry points in the group `perfectplay.commands`.

    All their output passes through `printing`, so that no unprintable character reaches the terminal.
    """

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program, or answer a shell's request for completions."""
        if any(name.endswith("_COMPLETE") for name in environ):
            from solver.cli.shells import install

            install()
        with printing(), remarks_by(say), _ended_by_sigterm():
            try:
                return super().main(*args, **kwargs)
            except OSError as error:  # of --help or --version, which print before a command is invoked
                if (refused := _refused(error)) is not None:
                    _refuse(refused, error, as_json=False)
                raise

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(entries("commands"))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command called `name`, or a stand-in if it cannot be loaded; None if there is none."""
        entry = entries("commands").get(name)
        try:
            return loaded(entry) if entry else None
        except BrokenRules as error:
            return _stand_in(name, error)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options of the program; `--traceback` may stand anywhere."""
        flags = ["--traceback"] if "--traceback" in args else []
        return super().parse_args(ctx, [*flags, *(arg for arg in args if arg != "--traceback")])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command named by the first argument; if there is none, the error names similar commands."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            names = names_instead(error.command_name, self.list_commands(ctx))
            raise click.UsageError(f"there is no command {error.command_name!r}; {names}", ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in sections, each with the first sentence of its help."""
        names = self.list_commands(ctx)
        built_in = {name for section in SECTIONS.values() for name in section}
        external = {name: "" for name in names if name not in built_in}
        width = max(map(len, names), default=0)
        for title, section in (*SECTIONS.items(), (OTHERS, external)):
            listed = [name for name in section if name in names]
            rows = [(f"{name:<{width}}", self._sentence(ctx, name, section[name])) for name in listed]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def _sentence(self, ctx: click.Context, name: str, built_in_help: str) -> str:
        """The first sentence of the help of a command: `built_in_help`, if the command is built in."""
        built_in = entries("commands")[name].value.startswith(("solver.", "exporters."))
        command = None if built_in else self.get_command(ctx, name)
        return command.get_short_help_str(MAX_SENTENCE) if command else built_in_help

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; turn the errors that it raises into a message and an exit status.

        With `--json` among the arguments, the message is JSON, even if the arguments cannot be parsed.
        """
        as_json = "--json" in ctx.args  # super().invoke empties them
        try:
            return super().invoke(ctx)
        except NoArgsIsHelpError:  # of a group of another package: its message is help, in many lines
            raise
        except click.UsageError as error:
            message = in_one_line(error.format_message())
            if isinstance(error, click.NoSuchOption) and not re.match("--[a-z]", error.option_name):
                message += " Write -- before a text that begins with -."
            if not as_json:
                raise click.UsageError(message, error.ctx) from error
            _refuse(UsageError(message), error, as_json=True)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                _handle_by(signal.SIG_IGN, signal.SIG_IGN)  # a second one would replace the message
            at_fault = error.__cause__ if isinstance(error, SystemExit) else error
            if ctx.params["traceback"] and at_fault is not None:
                click.echo("".join(format_exception(at_fault)), err=True)
            if (refused := _refused(error)) is not None:
                _refuse(refused, error, as_json=as_json)
            raise


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Make SIGTERM end the block as Ctrl-C does, so that temporary files are removed."""
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    _handle_by(before[0], signal.default_int_handler)
    try:
        yield
    finally:
        _handle_by(*before)


def _handle_by(sigint: Any, sigterm: Any) -> None:
    """Set the handlers of both signals, if this is the main thread, which alone can."""
    if current_thread() is main_thread():
        signal.signal(signal.SIGINT, sigint)
        signal.signal(signal.SIGTERM, sigterm)


def _refuse(refused: SolverError, error: BaseException, *, as_json: bool) -> NoReturn:
    """Print an error on stderr as one line, or as a JSON object, and exit with its status."""
    text = json.dumps(error_as_dict(refused), ensure_ascii=False) if as_json else message_of(refused)
    with suppress(OSError):  # the status is all there is if stderr is full, or a pipe that nobody reads
        click.echo(text if as_json else f"Error: {text}", err=True)
    discard_unwritten()
    raise SystemExit(refused.exit_status) from error


def _refused(error: BaseException) -> SolverError | None:
    """The error to report for an exception of a command; None if it is no error, or a bug in the program."""
    if (refused := refusal(error)) is not None:
        return refused
    if isinstance(error, KeyboardInterrupt):
        return Interrupted(interruption(error))
    if isinstance(error, MemoryError):
        return TooLarge("memory ran out")
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        if error.errno == ENOSPC:
            return DiskFull(f"cannot write {error.filename or 'the output'}: {error.strerror}")
        what = f"cannot use {error.filename or 'a file or folder'}: {error.strerror}"
        return UnusableFile(what if error.strerror else str(error))
    return None


def _stand_in(name: str, error: BrokenRules) -> click.Command:
    """A command in place of one that cannot be loaded: it is listed with the reason, and raises the error."""

    def refuse() -> None:
        raise error

    reason = str(error).removeprefix(f"the command {name} ")
    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    return click.Command(
        name, callback=refuse, short_help=reason, context_settings=anything, add_help_option=False
    )


SETTINGS = {"help_option_names": ["-h", "--help"], "color": True}
"""With colour, click leaves escape sequences to `printing`, which escapes them; the program writes none."""


@click.group(cls=Commands, context_settings=SETTINGS)
@click.version_option(package_name="perfectplay")
@click.option("--traceback", is_flag=True, help="Show the traceback of an error; may stand anywhere.")
def main(traceback: bool) -> None:
    """Solve two-player perfect-information games; query, verify, export and draw the results."""
