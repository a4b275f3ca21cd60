"""Names rules in files, and finds the rules that a database, a plan or a saved match names.

A file names rules by the name of the game, which for a rules file is `nim.py:Nim`, without a folder, and by
their fingerprint. The rules file is given by `--rules`, or lies beside the file that names it, in the current
folder, or where the user has run the same code before.
"""

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path, PureWindowsPath
from typing import Any

from solver.errors import ChangedRules, UnknownGame, UnusableFile, UsageError
from solver.game import AnyGame
from solver.rules.loading import game_class, game_name, game_place, installed, load_game
from solver.rules.source import trust
from solver.rules.source.modules import (
    Fingerprint,
    fingerprint_of_class,
    fingerprint_of_file,
    is_there,
    rules_file,
)

_given = ContextVar[tuple[str, ...]]("_given", default=())


@contextmanager
def rules_given(paths: Iterable[str]) -> Iterator[None]:
    """Within the block, look for rules files in `paths` first, which may run; raises `UnknownGame`."""
    files = tuple(paths)
    for file in files:
        if not is_there(file):
            raise UnknownGame(f"there is no rules file {file!r}: --rules takes a file such as nim.py")
        trust.note(str(Path(file).resolve()))
    token = _given.set(files or _given.get())
    try:
        yield
    finally:
        _given.reset(token)


def fingerprint(name: str) -> Fingerprint:
    """The fingerprint of the game called `name`, or of `rules.py:MyGame`, which is not executed."""
    if installed(name):
        return fingerprint_of_class(game_class(name))
    path = rules_file(name.rpartition(":")[0])
    return fingerprint_of_file(str(path)) if path else Fingerprint({})


def as_named(game: AnyGame) -> dict[str, str]:
    """The name and the fingerprints of the rules of `game`, as files store them."""
    hashes = fingerprint(game_place(game))
    return {"game": game_name(game), "rules": hashes.code, "play": hashes.play}


def same_play(one: AnyGame, other: AnyGame) -> bool:
    """Whether the play of two games is decided by the same rules."""
    return as_named(one)["play"] == as_named(other)["play"]


def without_folder(name: str) -> str:
    """The name of a game without the folder of its rules file, which files of earlier versions include."""
    file, colon, kind = name.rpartition(":")
    return f"{PureWindowsPath(file).name}{colon}{kind}"  # splits at both kinds of slashes


def game_of_file(
    where: object,
    named: Mapping[str, Any],
    parameters: Mapping[str, Any],
    *,
    folder: Path,
    changed: bool = False,
    adopts: bool = True,
) -> AnyGame:
    """The game that the file `where` in `folder`, perhaps a stranger's, names by the keys of `as_named`.

    Raises `ChangedRules` if only rules with other play exist, unless they may have `changed`;
    `UntrustedRules` if they are code that this user has not run before, which is not executed; and
    `UnusableFile` if they cannot be loaded. `adopts` tells whether `verify --adopt` can update such a file.
    """
    try:
        name = _place(where, named, folder, changed=changed, adopts=adopts)
        return load_game(name, parameters, trusted=False)
    except UnusableFile:
        raise
    except (UsageError, OSError) as error:
        raise UnusableFile(f"{where} cannot be used without the rules of its game: {error}") from error


def _place(where: object, named: Mapping[str, Any], folder: Path, *, changed: bool, adopts: bool) -> str:
    """The name by which to load the rules, the best match of those that exist; raises as `game_of_file`."""
    name, code = str(named["game"]), named.get("rules")
    play = named.get("play", code)
    places = [name] if installed(name) else _places(name, code, folder)
    if not places and Path(name.rpartition(":")[0]).suffix == ".py":
        file = without_folder(name).rpartition(":")[0]
        raise UnknownGame(
            f"there is no rules file {file!r} beside it, in the current folder, or where you have run it: "
            "give it by --rules FILE.py"
        )
    if not places or play is None:
        return next(iter(places), name)  # loading explains a name that is none
    matching = [place for place in places if fingerprint(place).knows(str(play))]
    if not matching and not changed:
        raise _refusal(where, str(play), places[0], folder, adopts=adopts)
    same = [place for place in matching if fingerprint(place).code == code]
    return (same or matching or places)[0]


def _refusal(where: object, made: str, place: str, folder: Path, *, adopts: bool) -> ChangedRules:
    rules = place.rpartition(":")[0].removeprefix(f"{folder}{os.sep}") or f"the source of {place}"
    given = "".join(f" --rules {shlex.quote(file)}" for file in _given.get())
    adopt = f"`perfectplay verify {shlex.quote(str(where))} --adopt{given}` proves that and notes it"
    return ChangedRules(
        f"{where} was made by other rules: {rules} has changed since (its SHA-256 is "
        f"{fingerprint(place).play[:12]}..., it was {made[:12]}...); solve the game again, or restore the "
        f"rules{f'; if it still follows from them, {adopt}' if adopts else ''}"
    )


def _places(name: str, code: object, folder: Path) -> list[str]:
    """The names, `FILE.py:CLASS` or `MODULE:CLASS`, that a file in `folder` may mean by a name."""
    file, _, kind = name.rpartition(":")
    if not file.endswith(".py") and rules_file(file):
        return [name]
    own = without_folder(name).rpartition(":")[0] or "-"
    here = [*sorted(_given.get(), key=lambda path: Path(path).name != own), str(folder / own)]
    here += [file] * Path(file).is_absolute()
    # A file that exists and differs has changed: no copy elsewhere replaces it.
    last = [] if any(map(is_there, here)) else trust.places_of(str(code))
    files = {Path(file).resolve(): file for file in (*here, own, *last) if is_there(file)}
    return [f"{file}:{kind}" for file in files.values()]
