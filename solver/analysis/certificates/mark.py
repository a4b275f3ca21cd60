"""Marks: the lines of plans, pages and reports on certificates of the position that they begin with."""

import hashlib
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from solver.analysis.certificates.certificate import Certificate, read_certificate
from solver.analysis.certificates.check import flaw_of
from solver.analysis.certificates.strong import is_strong
from solver.database.wording import game_title
from solver.errors import DamagedFile, ForeignFile, WrongDatabase, cut
from solver.game import ENDLESS, AnyGame
from solver.packed import PackedGame
from solver.rules.loading import game_name, game_parameters
from solver.rules.named import as_named
from solver.rules.notation import read_position, write_position
from solver.rules.parameters import with_parameters
from solver.system.progress import Progress, no_progress


class Mark(NamedTuple):
    """The description of a checked certificate."""

    title: str
    """The game, with its parameters."""
    file: str
    """The name of the certificate, without its folder."""
    owner: str
    goal: int
    """The proved lower bound on the utility for the owner."""
    sha256: str
    """The SHA-256 of the file."""
    rules: str
    """The fingerprint, a SHA-256, of the part of the rules that decides play."""

    @property
    def command(self) -> str:
        """The command that checks the certificate."""
        return f"perfectplay verify {shlex.quote(self.file)}"

    def as_dict(self) -> dict[str, Any]:
        """The mark for JSON."""
        shown = {name: value for name, value in self._asdict().items() if name != "title"}
        return shown | {"verify": self.command}


def lines_of(marks: Iterable[Mark]) -> list[str]:
    """The distinct lines on marks: the proved claim, the command that checks it, and the two hashes."""
    lines = (
        line
        for mark in marks
        for line in (
            f"{mark.title}: {mark.owner} gets at least {mark.goal}. To check it: {mark.command}",
            f"SHA-256 of this certificate {mark.sha256}",
            f"SHA-256 of the rules {mark.rules}",
        )
    )
    return [*dict.fromkeys(lines)]


def mark_of(file: str, game: AnyGame, start: str, endless: str, *, progress: Progress = no_progress) -> Mark:
    """The mark of a certificate, after checking it, for play from the position `start` of a game.

    Raises `MissingFile`, `ForeignFile` for a file that is no certificate, `WrongDatabase` for a certificate
    of another game or position, and `DamagedFile` for one that proves nothing.
    """
    if Path(file).is_file() and is_strong(Path(file)):  # a named pipe waits for its writer
        raise ForeignFile(
            f"{file} is a strong solution, not a certificate, which `perfectplay certify FILE -o NAME` writes"
        )
    certificate, rules = read_certificate(Path(file)), as_named(game)["play"]
    if (other := _other(certificate, game, start, endless)) is not None:
        raise WrongDatabase(
            f"{file} is a certificate {other}: make the one that fits with `perfectplay certify`"
        )
    if (flaw := flaw_of(certificate, game, progress=progress)) is not None:
        raise DamagedFile(f"{file} proves nothing, as {flaw}: make a new one with `perfectplay certify`")
    digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    owner = game.players[certificate.owner]
    return Mark(game_title(game), Path(file).name, owner, certificate.goal, digest, rules)


def _other(certificate: Certificate, game: AnyGame, start: str, endless: str) -> str | None:
    """The difference in words, if a certificate is not of this game from this position; else None."""
    named, parameters = certificate.named, game_parameters(game)
    if (named["game"], certificate.parameters) != (game_name(game), parameters):
        other = with_parameters(named["game"], certificate.parameters)
        return f"of {cut(other)}, not of {with_parameters(game_name(game), parameters)}"
    if named["play"] != as_named(game)["play"]:
        return f"by other rules than those of {named['game']} here"
    if certificate.endless != ENDLESS[endless]:
        return f"where endless play is worth {certificate.endless}, not {ENDLESS[endless]}"
    state = read_position(game, start)
    if certificate.start != (state if isinstance(game, PackedGame) else write_position(game, state)):
        return f"from another position than {cut(start)}"
    return None
