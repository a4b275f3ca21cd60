"""Reads a batch file: the games to solve, the figures to expect, and the commands to run on each database."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from solver.analysis.certificates import SIDES
from solver.commands.arguments import DATABASE, as_parameters
from solver.commands.batch.catalogue import DATABASE as CATALOGUE, INDEX, PAGE, SITES
from solver.commands.solve import file_name
from solver.engines.options import SolveOptions
from solver.errors import ForeignFile, MissingFile, SolverError, UsageError, message_of
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.failures import rules_asked
from solver.rules.loading import game_name, game_parameters, load_game
from solver.rules.notation import read_position
from solver.rules.parameters import with_parameters
from solver.rules.source.modules import is_there
from solver.system.plugins import entries, loadable, loaded, names_instead
from solver.system.words import no_file

KEYS = {"name": str, "game": str, "source": str, "takes": str, "expect": dict, "then": list}
"""The keys of a table [[solve]], and the types of their values."""

TAKES = ("seconds", "minutes", "hours")
"""The marks for how long a game takes, in ascending order."""

WRITES = {"--output", "--save", "--plot"}
"""The options that name a file to write."""

RULES = tuple(f"rules.{ending}" for ending in ("h", "py", "js"))
"""The suffixes of the rules that `certify` prints of packed games, the same for all certificates."""

TYPES = {int: "integer", str: "string", list: "array", dict: "object"}
"""The names in JSON schemas of the types of TOML values."""


@dataclass(frozen=True)
class BatchLine:
    """A command to run on a database."""

    text: str
    words: Sequence[str]
    """The command and its arguments; the first argument is the database."""
    outputs: Sequence[str]
    """The files that it may write, relative to the output folder; empty if it only prints."""


@dataclass(frozen=True)
class BatchJob:
    """A game to solve."""

    name: str
    """The name; the database is NAME.db."""
    text: str
    words: Sequence[str]
    """The arguments of `solve`."""
    game: AnyGame
    options: SolveOptions
    rules: str | None = None
    """The path of the rules file; None for an installed game."""
    expect: Mapping[str, Any] = field(default_factory=dict)
    """The expected figures, by their keys in `stats --json`."""
    source: str = ""
    takes: str = TAKES[0]
    lines: Sequence[BatchLine] = ()


def read_jobs(path: Path, folder: Path, *, sites: bool = False) -> list[BatchJob]:
    """The games of the file at `path`, checked as far as possible before they are solved.

    Outputs go to `folder`; with `sites` they include a site of each game. Raises `MissingFile`,
    `ForeignFile`, `UsageError`, and what loading a game raises.
    """
    if not path.is_file():
        raise no_file(path, "give a TOML file with tables [[solve]]")
    try:
        tables = tomllib.loads(path.read_text("utf-8-sig")).get("solve")
    except UnicodeDecodeError as error:
        raise ForeignFile(f"{path} is not TOML: it should be text in UTF-8") from error
    except ValueError as error:
        raise ForeignFile(f"{path} is not TOML: {error}") from error
    except RecursionError:
        raise ForeignFile(f"{path} cannot be read: its lists or tables go too deep") from None
    if not (isinstance(tables, list) and tables and all(isinstance(table, dict) for table in tables)):
        raise UsageError(f'{path} should have tables [[solve]], such as one with game = "tictactoe"')
    with chdir(path.parent):  # paths of rules files are relative to it
        jobs = [
            _job(f"{path}, table {number}", table, sites=sites)
            for number, table in enumerate(tables, start=1)
        ]
    _refuse_same_files(path, jobs, folder)
    return jobs


def _job(where: str, table: Mapping[str, Any], *, sites: bool) -> BatchJob:
    """The game of a table, checked; error messages begin with `where`."""
    for key, value in table.items():
        if not isinstance(value, KEYS.get(key, ())):
            raise UsageError(
                f"{where} should have texts as name, game, source and takes, a table as expect and a list as "
                f"then, not {key} = {value!r}"
            )
    expect, source, takes = table.get("expect", {}), table.get("source", ""), table.get("takes", TAKES[0])
    schema = json.loads(files("solver.commands").joinpath("output.schema.json").read_text("utf-8"))
    figures = schema["$defs"]["stats"]["properties"]
    for given, choices in ((takes, TAKES), *((key, figures) for key in expect)):
        if given not in choices:
            raise UsageError(f"{where} takes or expects {given!r}; {names_instead(given, choices)}")
    for key, value in expect.items():
        kind = TYPES.get(type(value), "number")
        if kind not in (kinds := figures[key].get("type", kind)):
            raise UsageError(f"{where} expects {key} = {value!r}; in `stats --json` its type is {kinds}")
    with _located(f"{where}, game"):
        words = _words(table.get("game", ""))
        arguments = _parsed("solve", words)
        if arguments["output"] is not None or arguments["dry_run"]:
            raise UsageError("omit --output and --dry-run: a game is solved into the file of its name")
        game = load_game(arguments["game"], as_parameters(arguments["parameters"]))
        options = SolveOptions(**{key: arguments[key] for key in ("start", "endless", "layout", "fold")})
        name = table.get("name", default_name(game))
        if not re.fullmatch(r"\w[\w.,=+-]*", name):
            raise UsageError(f"{name!r} cannot name a file: use letters, digits and . , = + - _")
    file = arguments["game"].rpartition(":")[0] or arguments["game"]
    rules = str(Path(file).resolve()) if file.endswith(".py") and is_there(file) else None
    texts = [*map(str, table.get("then", ())), *[f"site -o {SITES}/{name} --force"] * sites]
    lines = [_line(where, text, f"{name}.db", rules, game) for text in texts]
    return BatchJob(name, table["game"], words, game, options, rules, expect, source, takes, lines)


def default_name(game: AnyGame) -> str:
    """The name of a game and of its non-default parameters, as a word for a file name."""
    rules, given = type(game), game_parameters(game)
    changed = {key: given[key] for key in given if getattr(game, key) != getattr(rules, key, None)}
    words = with_parameters(game_name(game).rpartition(":")[2], changed)
    return Path(file_name(words.replace(":", "-"))).stem  # a colon would end the name of a rules file


def _line(where: str, text: str, database: str, rules: str | None, game: AnyGame) -> BatchLine:
    with _located(f"{where}, {text!r}"):
        name, *words = _words(text) or [""]
        if name not in entries("commands") or not _takes_database(name):
            names = filter(_takes_database, loadable("commands"))
            raise UsageError(f"{name!r} is not a command for a batch; {names_instead(name, names)}")
        given, options = _parsed(name, [database, *words]), _command(name).params
        if (position := given.get("position")) is not None and position != "-":
            with rules_asked(game):
                read_position(game, position)
    takes_rules = any("--rules" in option.opts for option in options)
    rules_option = [f"--rules={rules}"] if rules and takes_rules else []
    written = [given[option.name] for option in options if option.name and WRITES & {*option.opts}]
    outputs = [file for file in written if file not in (None, "-")]
    if name == "certify" and given["checker"] is None:  # its output is the stem of several files
        suffixes = [*(["strong"] if given["strong"] else SIDES)]
        suffixes += RULES if isinstance(game, PackedGame) else []
        outputs = [f"{file}.{suffix}" for file in outputs for suffix in suffixes]
    return BatchLine(text, [name, database, *rules_option, *words], outputs)


def _words(text: str) -> list[str]:
    if "\0" in text:
        raise UsageError("a command cannot have the character \\0")
    return shlex.split(text)


def _command(name: str) -> click.Command:
    command: click.Command = loaded(entries("commands")[name])
    return command


def _takes_database(name: str) -> bool:
    """Whether a command has a database as its first argument."""
    types = [argument.type for argument in _command(name).params if isinstance(argument, click.Argument)]
    return types[:1] == [DATABASE]


def _parsed(name: str, words: Sequence[str]) -> dict[str, Any]:
    with _command(name).make_context(name, list(words)) as context:
        return context.params


@contextmanager
def _located(where: str) -> Iterator[None]:
    """Prefix errors in the block with their place in the file."""
    try:
        yield
    except click.UsageError as error:
        raise UsageError(f"{where}: {error.format_message()}") from error
    except click.exceptions.Exit as error:
        raise UsageError(f"{where}: this only prints help") from error
    except SolverError as error:
        raise type(error)(f"{where}: {message_of(error)}") from error
    except ValueError as error:  # from shlex
        raise UsageError(f"{where}: {error}") from error


def _refuse_same_files(path: Path, jobs: Sequence[BatchJob], folder: Path) -> None:
    owners = {folder / name: "the catalogue" for name in (CATALOGUE, PAGE, f"{SITES}/{INDEX}")}
    owners[path.resolve()] = "this file"
    for job in jobs:
        written = [(f"{job.name}.db", f"the database of {job.name!r}")]
        outputs = [(str(Path(file)), line) for line in job.lines for file in line.outputs]
        rules = {file for file, line in outputs if line.words[0] == "certify" and file.endswith(RULES)}
        written += [(file, f"{line.text!r} of {job.name!r}") for file, line in outputs if file not in rules]
        written += [(file, f"the rules of {job.name!r}") for file in sorted(rules)]
        for file, owner in written:
            place = (folder / file).resolve()
            if other := owners.get(place):
                raise UsageError(f"{path}: {file} would be {other} and {owner}: give one another name")
            if place.parent not in (folder, folder / SITES) and not place.parent.is_dir():
                raise MissingFile(f"{path}: there is no folder {str(place.parent)!r} for {owner}")
            owners[place] = owner
