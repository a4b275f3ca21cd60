"""`perfectplay verify`."""

import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click

from solver.commands.arguments import DATABASE, is_json
from solver.commands.options import command, reads_files
from solver.commands.output import bound_memory, say
from solver.database import open_database
from solver.errors import BadPlan, DamagedFile, UsageError, in_one_line, message_of, summary_of
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.proof import MAX_PROBLEMS
from solver.rules.loading import game_parameters
from solver.rules.named import as_named, game_of_file
from solver.system.files import write
from solver.system.plugins import drawing
from solver.system.progress import terminal_progress
from solver.system.strict_json import json_of, read_json
from solver.system.words import no_file, number_of

SITE = "site.json"
"""The file that marks a folder as a site."""


class Verdict(NamedTuple):
    """The result of a verification."""

    problems: list[str]
    """The problems; empty if the file is proved."""
    facts: dict[str, Any]
    """Further keys of the JSON output."""
    words: str
    """The proved statement."""
    error: BadPlan | None = None
    """The error of a plan that is refused; its message is the problem."""


@command(
    "perfectplay verify tictactoe.db",
    "perfectplay plan tictactoe.db -o plan.json",
    "perfectplay verify plan.json",
)
@click.argument("file", type=DATABASE)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Prove a packed file on the workers of a dask scheduler, or in N processes by local:N.",
)
@click.option(
    "--adopt", is_flag=True, help="Prove FILE by the rules as they are now, and record these rules in it."
)
@reads_files
def verify(file: str, cluster: str | None, adopt: bool, as_json: bool) -> None:
    """Verify a database, a plan, a certificate or a site from the rules alone.

    FILE is a database, a plan in JSON, a certificate, a strong solution or the folder of a site. If it is
    wrong, a counterexample is printed and the exit status is 1. Rules that have changed since FILE was made
    are refused, unless --adopt is given.
    """
    path = Path(file)
    if (path / SITE).is_file():
        if adopt or cluster is not None:
            raise UsageError(f"{file} is a site: omit --adopt and --cluster")
        file, verdict = str(path), _of_site(path)
    elif not path.is_file():
        raise no_file(file, "give a database, a plan in JSON, a certificate or the folder of a site")
    elif _is_certificate(path):
        if adopt or cluster is not None:
            other = "--adopt, and make a new one with `perfectplay certify`" if adopt else "--cluster"
            raise UsageError(f"{file} is a certificate: omit {other}")
        verdict = _of_certificate(file)
    elif not is_json(path):
        verdict = _of_database(file, cluster, adopt)
    elif cluster is not None:
        raise UsageError(f"a cluster proves packed databases only, and {file} is a plan: omit --cluster")
    else:
        verdict = _of_plan(file, adopt)
        if verdict.error is not None and not as_json:
            raise verdict.error
    problems, facts, proved, error = verdict
    answer = {"file": file, "proved": not problems, **facts, "problems": problems}
    words = [f"{file}: {problem}" for problem in problems] or [f"{file}: proved. {proved}"]
    say(answer if as_json else "\n".join(map(in_one_line, words)))
    if problems:
        raise SystemExit(1) from error


def _of_database(file: str, cluster: str | None, adopt: bool) -> Verdict:
    from solver.database.wording import counted_positions
    from solver.proof.verify import adopt_rules, by_changed_rules, verify_database

    with open_database(file, errors="replace") as db:
        rows = by_changed_rules(db) if adopt else {}
        with terminal_progress() as progress:
            problems = verify_database(db, progress=progress, cluster=cluster)
            if problems:
                return Verdict(problems, {}, "")
            if adopt:
                adopt_rules(db.path, rows, progress=progress)
        facts = {"positions": len(db), "moves": int(db.about["moves"])}
        all_, their = ("All", "their") if len(db) > 1 else ("The", "its")
        stored = f"{all_} {counted_positions(db)} of {db.game_name} and {their}"
        return Verdict([], facts, f"{stored} {number_of(facts['moves'], 'move')} follow from the rules.")


def _of_plan(file: str, adopt: bool) -> Verdict:
    from solver.proof.plan import verify_document
    from solver.proof.plan.guarantee import promise, tally

    document = read_json(file)
    try:
        plan, proved, lacks = verify_document(document, file, changed=adopt)
    except BadPlan as error:
        return Verdict([message_of(error)], {}, "", error)
    if adopt:
        named = {**as_named(plan.game), "parameters": game_parameters(plan.game)}
        if document.get("play") != named["play"]:
            document.pop("certificates", None)  # these prove the value by the old rules
        write(Path(file), f"{json.dumps(document | named, ensure_ascii=False, indent=1)}\n".encode())
    facts = {
        "root": plan.root,
        "owner": plan.owner_name,
        "gain": proved.gain,
        "plies": proved.plies,
        "positions": proved.positions,
        "ends": {str(gain): count for gain, count in proved.ends.items()},
        "unused": proved.unused,
        "lacks": lacks,
    }
    positions = number_of(proved.positions, "position")
    unused = f" Choices that are never needed: {proved.unused:,}." if proved.unused else ""
    rules = f" It can be played only with the rules: it lacks {lacks!r}." if lacks else ""
    return Verdict(
        [],
        facts,
        f"From {plan.root!r} {promise(plan, proved)}. "
        f"{positions} can arise; {tally(proved.ends, scored=plan.scored)}.{unused}{rules}",
    )


def _is_certificate(path: Path) -> bool:
    """Whether a file begins like a gzip stream."""
    with path.open("rb") as content:
        return content.read(2) == b"\x1f\x8b"


def _of_certificate(file: str) -> Verdict:
    from solver.analysis.certificates.certificate import read_certificate
    from solver.analysis.certificates.check import flaw_of, flaw_of_strong
    from solver.analysis.certificates.strong import is_strong, read_strong

    path = Path(file)
    bound_memory()
    if is_strong(path):
        head, records = read_strong(path)
        game = _named_rules(file, head.named, head.parameters)
        with terminal_progress("states") as progress:
            flaw = flaw_of_strong(head, records, game, progress=progress)
        endless, states = head.numbers["endless"], len(records.states)
        facts = {"start": head.starts[0], "endless": endless, "states": states}
        words = f"The values of all {number_of(states, 'state')} and their plies follow from the rules"
        return Verdict([flaw] if flaw else [], facts, f"{words}{_worth(game, endless)}.")
    certificate = read_certificate(path)
    game = _named_rules(file, certificate.named, certificate.parameters)
    with terminal_progress("states") as progress:
        flaw = flaw_of(certificate, game, progress=progress)
    owner, goal, endless = game.players[certificate.owner], certificate.goal, certificate.endless
    start, states = certificate.start, len(certificate.states)
    facts = {"start": start, "owner": owner, "goal": goal, "endless": endless, "states": states}
    words = f"From {start!r} {owner} gets at least {goal}{_worth(game, endless)}"
    return Verdict([flaw] if flaw else [], facts, f"{words}, by {number_of(states, 'state')}.")


def _named_rules(file: str, named: Mapping[str, Any], parameters: Mapping[str, Any]) -> AnyGame:
    return game_of_file(file, named, parameters, folder=Path(file).resolve().parent, adopts=False)


def _worth(game: AnyGame, endless: int) -> str:
    """What endless play is worth, if it is no draw."""
    return f" (endless play is worth {endless:+} to {game.players[0]})" if endless else ""


def _of_site(folder: Path) -> Verdict:
    """Compare the files of a site with its checksums, and with a site of the game, solved anew and proved."""
    from solver.engines.choose import MAX_STATES_FOR_READABLE
    from solver.engines.options import missing_numba
    from solver.engines.solve import solve
    from solver.proof.verify import verify_database

    try:
        about = json_of(json.dumps(read_json(folder / SITE)), dict)
        named = {key: str(about[key]) for key in ("game", "rules", "play", "endless")}
        game = _named_rules(str(folder), named, about["parameters"])
        large = about["layout"] == "packed" and about["states"] > MAX_STATES_FOR_READABLE
        by_ply = large and isinstance(game, PackedGame) and not missing_numba()
        how: dict[str, Any] = {
            "engine": "arrays" if about["loops"] else "layers" if by_ply else "auto",
            "layout": str(about["layout"]),
            "start": str(about["start"]) if about["own_start"] else None,
        }
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedFile(f"{folder / SITE} is not the description of a site: {summary_of(error)}") from error
    problems, files = _wrong_sums(folder), 0
    with TemporaryDirectory() as work, terminal_progress() as progress:
        path = Path(work, "anew.db")
        fold = about["folded"] is True
        solve(game, path, endless=named["endless"], fold=fold, progress=progress, **how)
        with open_database(path, errors="replace") as db:
            problems += verify_database(db, progress=progress)
            for name, content in drawing("site")(db, offline=about.get("offline") is True, progress=progress):
                files += 1
                file = folder / name
                if len(problems) < MAX_PROBLEMS and not (file.is_file() and file.read_bytes() == content):
                    problems.append(f"{name} is not the file that follows from the rules")
            facts = {"files": files, "positions": len(db)}
    return Verdict(problems, facts, f"Its {files:,} files follow from the rules of {about['game']}.")


def _wrong_sums(folder: Path) -> list[str]:
    """Problems for files of a site whose SHA-256 differs from `SHA256SUMS`, at most `MAX_PROBLEMS`."""
    try:
        lines = [line.split("  ", 1) for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines()]
        sums = {name: digest for digest, name in lines}
    except (OSError, ValueError) as error:
        raise DamagedFile(f"{folder} has no SHA256SUMS that can be read") from error
    place = folder.resolve()
    flaws = (_flaw_of(place, name, digest) for name, digest in sums.items())
    return [*islice(filter(None, flaws), MAX_PROBLEMS)]


def _flaw_of(folder: Path, name: str, digest: str) -> str:
    """What is wrong with a listed file, if anything; a device that an attacker lists is no file."""
    with suppress(OSError, ValueError):
        file = (folder / name).resolve()
        if file.is_relative_to(folder) and file.is_file():
            actual = sha256(file.read_bytes()).hexdigest()
            return "" if actual == digest else f"{name} has another SHA-256 than SHA256SUMS lists"
    return f"{name} is no file of this folder, but SHA256SUMS lists it"
