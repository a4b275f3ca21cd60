"""`perfectplay certify`."""

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.analysis.certificates import SIDES
from solver.commands.arguments import DATABASE
from solver.commands.options import chooses, command, reads_files, writes
from solver.commands.output import deliver, print_json, target_of
from solver.database import Database, open_database
from solver.errors import UsageError, in_one_line
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.system.files import target, write
from solver.system.progress import Progress, terminal_progress
from solver.system.words import number_of

if TYPE_CHECKING:
    from solver.analysis.certificates.rules_code import Language

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
    if file is None or output is None:
        raise UsageError("give a database, and with -o the name that the certificates begin with")
    if output == "-":
        raise UsageError("several files are not printed: give with -o the name that they begin with")
    name, noun = Path(output), "strong solution" if strong else "certificates"
    target(name, noun)
    with terminal_progress("states") as progress, open_database(file) as db:
        rules, symmetric, lacks = _printed(db.game)
        printed = {f"{name}{suffix}": text for suffix, text in rules.items()}
        for path in (*([f"{name}.strong"] if strong else [f"{name}.{side}" for side in SIDES]), *printed):
            target_of(path, noun)
        if strong:
            facts, words = _write_strong(db, Path(f"{name}.strong"), progress)
            if db.folded and not symmetric:
                lacks = "the symmetries of these rules cannot be printed: give strong.py the rules themselves"
        else:
            facts, words = _write_both(db, position, str(name), symmetric, progress)
        for path, text in printed.items():
            write(Path(path), text.encode())
    if lacks:
        click.echo(lacks, err=True)
    print_json({"file": file, **facts, "rules": [*printed]}) if as_json else click.echo(words, err=True)


def _write_strong(db: Database, path: Path, progress: Progress) -> tuple[dict[str, Any], str]:
    """Write the strong solution; return the facts about it, and the same in words."""
    from solver.analysis.certificates.strong import write_strong

    states = write_strong(db, path, progress=progress)
    size = path.stat().st_size
    facts = {"strong": str(path), "states": states, "bytes": size}
    return facts, in_one_line(f"{path}: {number_of(states, 'state')}, {size:,} bytes")


def _write_both(
    db: Database, position: str | None, name: str, symmetric: bool, progress: Progress
) -> tuple[dict[str, Any], str]:
    """Write the certificates of both sides; return the facts about them, and the same in words."""
    from solver.analysis.certificates.selection import certify as certificates_of, work_beside

    proofs, lines = [], []
    with work_beside(name, len(db)) as work:
        made = certificates_of(db, position, symmetric=symmetric, work=work, progress=progress)
        for side, proof in zip(SIDES, made, strict=True):
            path, states, size = f"{name}.{side}", len(proof.states), len(proof.content)
            write(Path(path), proof.content)
            proofs.append({"file": path, "goal": proof.goal, "states": states, "bytes": size})
            least = f"the {side} player gets at least {proof.goal}"
            lines.append(in_one_line(f"{path}: {least}; {number_of(states, 'state')}, {size:,} bytes"))
    start = db.start if position is None else db[position].position
    return {"position": start, "value": made[0].goal, "certificates": proofs}, "\n".join(lines)


def _write_coq(file: str, position: str | None, output: str, as_json: bool) -> None:
    from solver.analysis.certificates.coq_text import COQ, coq_proof
    from solver.analysis.certificates.selection import certify as certificates_of, work_beside

    path = target_of(output, "proof")
    with terminal_progress("states") as progress, open_database(file) as db:
        _, symmetric, lacks = _printed(db.game, COQ)
        assert isinstance(db.game, PackedGame)
        with work_beside(output, len(db)) as work:
            made = certificates_of(db, position, symmetric=symmetric, work=work, progress=progress)
            content = coq_proof(db.game, made)
            if lacks:
                click.echo(lacks, err=True)
            value, states = made[0].goal, [len(proof.states) for proof in made]
            words = f"value {value}, proved by {states[0]:,} and {number_of(states[1], 'state')}"
            facts = {"value": value, "states": states, "bytes": len(content)}
            deliver(content, path, f"{words}; check it by coqc", as_json=as_json, **facts)


def _printed(game: AnyGame, needed: "Language | None" = None) -> tuple[dict[str, str], bool, str]:
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
