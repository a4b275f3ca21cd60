"""What plans, pages and reports say of a certificate of the position that they begin with."""

import hashlib
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from solver.analysis.certificates.certificate import Certificate, read_certificate
from solver.analysis.certificates.check import flaw_of
from solver.database.wording import game_title
from solver.errors import DamagedFile, WrongDatabase, cut
from solver.game import ENDLESS, AnyGame
from solver.packed import PackedGame
from solver.rules.loading import game_name, game_parameters
from solver.rules.named import as_named
from solver.rules.notation import read_position, write_position
from solver.rules.parameters import with_parameters
from solver.system.progress import Progress, no_progress


class Mark(NamedTuple):
    """A certificate that was checked."""

    title: str
    """The game, with its parameters."""
    file: str
    """The name of the certificate, without its folder."""
    owner: str
    goal: int
    """The least utility, for the owner."""
    sha256: str
    """Of the file."""
    rules: str
    """The fingerprint of what in the rules decides play, a SHA-256."""

    @property
    def command(self) -> str:
        """What checks it."""
        return f"perfectplay verify {shlex.quote(self.file)}"

    def as_dict(self) -> dict[str, Any]:
        """The mark as JSON has it."""
        return {name: value for name, value in self._asdict().items() if name != "title"} | {
            "verify": self.command
        }


def lines_of(marks: Iterable[Mark]) -> list[str]:
    """What is told of each: what it proves and how that is checked, and the two hashes."""
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
    """The mark of a certificate of what a player gets from a position of a game, after a check of it.

    Raises `MissingFile` and `ForeignFile` for a file that is no certificate, `WrongDatabase` for one of
    another game or position, and `DamagedFile` for one that proves nothing.
    """
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
    """What a certificate is of instead; None if it is of this game from this position."""
    named, parameters = certificate.named, game_parameters(game)
    if (named["game"], certificate.parameters) != (game_name(game), parameters):
        other, own = (
            with_parameters(named["game"], certificate.parameters),
            with_parameters(game_name(game), parameters),
        )
        return f"of {cut(other)}, not of {own}"
    if named["play"] != as_named(game)["play"]:
        return f"by other rules than those of {named['game']} here"
    if certificate.endless != ENDLESS[endless]:
        return f"where endless play is worth {certificate.endless}, not {ENDLESS[endless]}"
    state = read_position(game, start)
    if certificate.start != (state if isinstance(game, PackedGame) else write_position(game, state)):
        return f"from another position than {cut(start)}"
    return None
