"""`perfectplay verify`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.commands.arguments import DATABASE, is_json
from solver.commands.options import command, prints_json, trusts_rules
from solver.commands.output import bound_memory, print_json, say
from solver.commands.site_files import SITE, verify_site
from solver.errors import BadPlan, MissingFile, UsageError, message_of
from solver.rules.named import as_named, game_of_file
from solver.system.files import write
from solver.system.progress import terminal_progress

if TYPE_CHECKING:
    from solver.game import AnyGame
    from solver.plans.plan import Plan
    from solver.proof.plan.guarantee import Guarantee


@command(
    "perfectplay verify tictactoe.db",
    "perfectplay plan tictactoe.db -o plan.json",
    "perfectplay verify plan.json",
)
@click.argument("file", type=DATABASE)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Prove a packed file by the workers of a dask scheduler, or by local:N processes.",
)
@click.option(
    "--adopt", is_flag=True, help="Prove it by the rules as they are now, and note in FILE that they made it."
)
@prints_json
@trusts_rules
def verify(file: str, cluster: str | None, adopt: bool, as_json: bool) -> None:
    """Verify a database, a plan, a certificate or a site from the rules alone.

    FILE is a database, a plan in JSON, a certificate, a strong solution or the folder of a site. Prints a
    counter-example, with exit status 1, if it is wrong. Rules that have changed since it was made are
    refused; with --adopt it is proved by them, and is then theirs.
    """
    if Path(file, SITE).is_file():
        if adopt or cluster is not None:
            raise UsageError(f"{file} is a site: leave --adopt and --cluster out")
        verify_site(Path(file), as_json=as_json)
        return
    if not Path(file).is_file():
        others = "a plan in JSON, a certificate or the folder of a site"
        raise MissingFile(f"{file} does not exist: give a database, {others}")
    if _is_certificate(Path(file)):
        _verify_certificate(file, adopt, as_json)
    elif not is_json(Path(file)):
        _verify_database(file, cluster, adopt, as_json)
    elif cluster is not None:
        raise UsageError(f"a cluster proves packed databases only, and {file} is a plan: leave --cluster out")
    else:
        _verify_plan(file, adopt, as_json)


def _verify_database(file: str, cluster: str | None, adopt: bool, as_json: bool) -> None:
    from solver.database import open_database
    from solver.proof.verify import adopt_rules, verify_database

    with open_database(file, errors="replace") as db:
        if adopt:
            db.game = db.loaded_game(changed=True)
        with terminal_progress() as progress:
            problems = verify_database(db, progress=progress, cluster=cluster)
            if adopt and not problems:
                adopt_rules(db.path, as_named(db.game), progress=progress)
        counts = {} if problems else {"positions": len(db), "moves": int(db.about["moves"])}
        facts = {"file": file, "proved": not problems, **counts, "problems": problems}
        words = [f"{file}: {problem}" for problem in problems]
        if not problems:
            of = "classes of symmetric " if db.folded else ""
            stored = f"All {len(db):,} {of}positions of {db.game_name} and their {counts['moves']:,} moves"
            words = [f"{file}: proved. {stored} follow from the rules."]
        say(facts if as_json else "\n".join(words))
    if problems:
        raise SystemExit(1)


def _verify_plan(file: str, adopt: bool, as_json: bool) -> None:
    from solver.proof.plan import verify_document
    from solver.system.strict_json import read_json

    document = read_json(file)
    try:
        plan, proved, lacks = verify_document(document, file, changed=adopt)
    except BadPlan as error:
        if not as_json:
            raise
        print_json({"file": file, "proved": False, "problems": [message_of(error)]})
        raise SystemExit(error.exit_status) from error
    if adopt:
        text = json.dumps(document | as_named(plan.game), ensure_ascii=False, indent=1)
        write(Path(file), f"{text}\n".encode())
    facts = {"file": file, "proved": True, **_guarantee(plan, proved, lacks), "problems": []}
    say(facts if as_json else f"{file}: proved. {_in_words(plan, proved, lacks)}")


def _is_certificate(path: Path) -> bool:
    """Whether a file begins like a gzip stream."""
    with path.open("rb") as content:
        return content.read(2) == b"\x1f\x8b"


def _verify_certificate(file: str, adopt: bool, as_json: bool) -> None:
    from solver.analysis.certificates.certificate import read_certificate
    from solver.analysis.certificates.check import flaw_of
    from solver.analysis.certificates.strong import is_strong

    if adopt:
        raise UsageError(
            f"{file} is a certificate: leave --adopt out, and make it anew by `perfectplay certify`"
        )
    if is_strong(Path(file)):
        _verify_strong(file, as_json)
        return
    certificate = read_certificate(Path(file))
    game = _named_rules(file, certificate.named, certificate.parameters)
    with terminal_progress("states") as progress:
        flaw = flaw_of(certificate, game, progress=progress)
    owner = game.players[certificate.owner]
    words = (
        f"From {certificate.start!r} {owner} gets at least {certificate.goal}"
        f"{_worth(game, certificate.endless)}, by {len(certificate.states):,} states."
    )
    facts = {
        "start": certificate.start,
        "owner": owner,
        "goal": certificate.goal,
        "endless": certificate.endless,
        "states": len(certificate.states),
    }
    _say_proved(file, flaw, facts, words, as_json)


def _worth(game: "AnyGame", endless: int) -> str:
    """What endless play is worth, if it is no draw."""
    return f" (endless play is worth {endless:+} to {game.players[0]})" if endless else ""


def _verify_strong(file: str, as_json: bool) -> None:
    from solver.analysis.certificates.check import flaw_of_strong
    from solver.analysis.certificates.strong import read_strong

    bound_memory()
    head, records = read_strong(Path(file))
    game = _named_rules(file, head.named, head.parameters)
    with terminal_progress("states") as progress:
        flaw = flaw_of_strong(head, records, game, progress=progress)
    endless = head.numbers["endless"]
    words = (
        f"The values of all {len(records.states):,} states and their plies follow from the rules"
        f"{_worth(game, endless)}."
    )
    facts = {"start": head.starts[0], "endless": endless, "states": len(records.states)}
    _say_proved(file, flaw, facts, words, as_json)


def _named_rules(file: str, named: Mapping[str, Any], parameters: Mapping[str, Any]) -> "AnyGame":
    return game_of_file(file, named, parameters, folder=Path(file).resolve().parent)


def _say_proved(file: str, flaw: str | None, facts: dict[str, Any], words: str, as_json: bool) -> None:
    """Say what is proved, or the flaw, with exit status 1."""
    answer = {"file": file, "proved": flaw is None, **facts, "problems": [] if flaw is None else [flaw]}
    say(answer if as_json else f"{file}: {f'proved. {words}' if flaw is None else flaw}")
    if flaw is not None:
        raise SystemExit(1)


def _guarantee(plan: "Plan", proved: "Guarantee", lacks: str | None) -> dict[str, Any]:
    return {
        "root": plan.root,
        "owner": plan.owner_name,
        "gain": proved.gain,
        "plies": proved.plies,
        "positions": proved.positions,
        "ends": {str(gain): count for gain, count in proved.ends.items()},
        "unused": proved.unused,
        "lacks": lacks,
    }


def _in_words(plan: "Plan", proved: "Guarantee", lacks: str | None) -> str:
    from solver.proof.plan.guarantee import promise, tally

    positions = f"{proved.positions:,} {'position' if proved.positions == 1 else 'positions'}"
    unused = f" {proved.unused:,} choices are never needed." if proved.unused else ""
    rules = f" It takes the rules to play by it: it lacks {lacks!r}." if lacks else ""
    return (
        f"From {plan.root!r} {promise(plan, proved)}. "
        f"{positions} can arise; {tally(proved.ends, scored=plan.scored)}.{unused}{rules}"
    )
