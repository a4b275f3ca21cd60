"""`perfectplay certify`."""

from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.analysis.certificates import SIDES
from solver.commands.arguments import DATABASE
from solver.commands.options import chooses, command, reads_files, writes
from solver.commands.output import deliver, print_json, target_of
from solver.database import open_database
from solver.errors import UsageError
from solver.system.files import target, write
from solver.system.progress import terminal_progress
from solver.system.words import number_of

if TYPE_CHECKING:
    from solver.analysis.certificates.rules_code import Language
    from solver.game import AnyGame

CHECKERS = {"c": "check.c", "python": "check.py", "js": "check.js"}
"""The programs in `exporters/checkers/` that check certificates, by language."""

STRONG_CHECKERS = {"c": "strong.c", "python": "strong.py"}
"""The programs that check strong solutions, by language."""


@command(
    "perfectplay certify tictactoe.db -o tictactoe",
    "perfectplay certify tictactoe.db --checker coq -o tictactoe.v",
    "perfectplay verify tictactoe.first",
)
@click.argument("file", type=DATABASE, required=False)
@click.argument("position", required=False)
@writes("NAME", "Write NAME.first, NAME.second and the rules, NAME.rules.h, .py and .js.")
@chooses(
    "--checker",
    [*CHECKERS, "coq"],
    "Print a program in this language that checks certificates, without a FILE. With coq: write rules, "
    "certificates and a proved checker as one file NAME for coqc.",
    metavar="LANGUAGE",
)
@click.option(
    "--strong",
    is_flag=True,
    help="Write NAME.strong instead: the value and the plies of all positions of FILE. With --checker c or "
    "python: print a program that checks it.",
)
@reads_files
def certify(
    file: str | None,
    position: str | None,
    output: str | None,
    checker: str | None,
    strong: bool,
    as_json: bool,
) -> None:
    """Write certificates of a game's value, which a one-page program can check.

    FILE is a database, POSITION a state as text (default: the start). NAME.first proves the least that the
    first player gets from there, NAME.second the least that the second gets; together they prove the value.
    For a packed game the rules are also printed, for the checkers.
    """
    programs = STRONG_CHECKERS if strong else CHECKERS
    if strong and position is not None:
        raise UsageError("--strong proves all positions of FILE: omit POSITION")
    if strong and checker not in (None, *programs):
        raise UsageError(f"--strong is checked by programs in {' or '.join(programs)}, not in {checker}")
    if checker == "coq":
        if file is None or output is None:
            raise UsageError("--checker coq writes a proof: give a database, and with -o the file NAME.v")
        _write_coq(file, position, output, as_json)
        return
    if checker is not None:
        if file is not None or output is not None:
            raise UsageError("--checker prints a program: omit FILE and -o")
        click.echo(files("exporters").joinpath("checkers", programs[checker]).read_text(), nl=False)
        return
    if file is None or output in (None, "-"):
        raise UsageError("give a database, and with -o the name that the certificates begin with")
    from solver.analysis.certificates.selection import certify as certificates_of, work_beside
    from solver.analysis.certificates.strong import write_strong

    noun = "strong solution" if strong else "certificates"
    name = target(Path(str(output)), noun)
    with ExitStack() as stack:
        progress = stack.enter_context(terminal_progress("states"))
        db = stack.enter_context(open_database(file))
        rules, symmetric, lacks = _printed(db.game)
        for suffix in (*([".strong"] if strong else [f".{side}" for side in SIDES]), *rules):
            target_of(f"{name}{suffix}", noun)
        facts, contents = dict[str, Any](file=file), dict[str, bytes]()
        if strong:
            path = Path(f"{name}.strong")
            states = write_strong(db, path, progress=progress)
            facts |= {"strong": str(path), "states": states, "bytes": path.stat().st_size}
            words = [f"{path}: {number_of(states, 'state')}, {facts['bytes']:,} bytes"]
            if db.folded and not symmetric:
                lacks = "the symmetries of these rules cannot be printed: give strong.py the rules themselves"
        else:
            work = stack.enter_context(work_beside(str(name), len(db)))
            made = certificates_of(db, position, symmetric=symmetric, work=work, progress=progress)
            contents = {f"{name}.{side}": proof.content for side, proof in zip(SIDES, made, strict=True)}
            proofs = [
                {"file": path, "goal": proof.goal, "states": len(proof.states), "bytes": len(contents[path])}
                for path, proof in zip(contents, made, strict=True)
            ]
            start = db.start if position is None else db[position].position
            facts |= {"position": start, "value": made[0].goal, "certificates": proofs}
            words = [
                f"{path}: the {side} player gets at least {proof.goal}; "
                f"{number_of(len(proof.states), 'state')}, {len(content):,} bytes"
                for (path, content), proof, side in zip(contents.items(), made, SIDES, strict=True)
            ]
        printed = {f"{name}{suffix}": text.encode() for suffix, text in rules.items()}
        for written, content in (contents | printed).items():
            write(Path(written), content)
    if lacks:
        click.echo(lacks, err=True)
    print_json(facts | {"rules": [*printed]}) if as_json else click.echo("\n".join(words), err=True)


def _write_coq(file: str, position: str | None, output: str, as_json: bool) -> None:
    from solver.analysis.certificates.coq_text import COQ, coq_proof
    from solver.analysis.certificates.selection import certify as certificates_of, work_beside
    from solver.packed import PackedGame

    path = target_of(output, "proof")
    with ExitStack() as stack:
        progress = stack.enter_context(terminal_progress("states"))
        db = stack.enter_context(open_database(file))
        _, symmetric, lacks = _printed(db.game, COQ)
        assert isinstance(db.game, PackedGame)
        work = stack.enter_context(work_beside(output, len(db)))
        made = certificates_of(db, position, symmetric=symmetric, work=work, progress=progress)
        content = coq_proof(db.game, made)
        if lacks:
            click.echo(lacks, err=True)
        states = [len(proof.states) for proof in made]
        proved = f"{states[0]:,} and {number_of(states[1], 'state')}"
        words = f"value {made[0].goal}, proved by {proved}; check it by coqc"
        deliver(content, path, words, as_json=as_json, value=made[0].goal, states=states, bytes=len(content))


def _printed(game: "AnyGame", needed: "Language | None" = None) -> tuple[dict[str, str], bool, str]:
    """The rules as returned by `printed_rules`, in the language `needed` or in all three, and a warning.

    Rules that cannot be printed are left out, with the reason in the warning, or refused if `needed`.
    """
    from solver.analysis.certificates.rules_code import LANGUAGES, printed_rules
    from solver.engines.array_rules.tracing import Untraceable

    try:
        printed, symmetric = printed_rules(game, [needed] if needed else LANGUAGES)
    except Untraceable as error:
        if needed:
            raise UsageError(f"--checker coq cannot print the rules: {error}") from error
        return {}, True, f"the rules are not printed: {error}"
    why = "" if symmetric else "the symmetries of these rules cannot be printed, and are not used"
    return printed, symmetric, why
