"""`perfectplay verify`."""

from pathlib import Path

import click

from solver.commands.arguments import is_json, trusts_rules
from solver.errors import MissingFile, UsageError


@click.command()
@click.argument("file")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Prove a packed file by the workers of a dask scheduler, or by local:N processes.",
)
@trusts_rules
def verify(file: str, cluster: str | None) -> None:
    """Verify a database or a plan from the rules alone.

    FILE is a database or a plan in JSON. Prints a counter-example, with exit status 1, if it is wrong.
    """
    if not Path(file).is_file():
        raise MissingFile(f"{file} does not exist: give a database or a plan in JSON")
    if not is_json(Path(file)):
        _verify_database(file, cluster)
    elif cluster is not None:
        raise UsageError(f"a cluster proves packed databases only, and {file} is a plan: leave --cluster out")
    else:
        _verify_plan(file)


def _verify_database(file: str, cluster: str | None) -> None:
    from solver.database import open_database
    from solver.proof.verify import verify_database
    from solver.system.progress import terminal_progress

    with open_database(file, errors="replace") as db:
        with terminal_progress() as progress:
            problems = verify_database(db, progress=progress, cluster=cluster)
        for problem in problems:
            click.echo(f"{file}: {problem}")
        if problems:
            raise SystemExit(1)
        of = "classes of symmetric " if db.folded else ""
        click.echo(
            f"{file}: proved. All {len(db):,} {of}positions of {db.game_name} and their "
            f"{int(db.about['moves']):,} moves follow from the rules."
        )


def _verify_plan(file: str) -> None:
    from solver.proof.plan import verify_document
    from solver.proof.plan.wording import promise, tally
    from solver.system.strict_json import read_json

    plan, proved, lacks = verify_document(read_json(file), file)
    other, scored = plan.game.players[1 - plan.owner], isinstance(plan.goal, int)
    positions = f"{proved.positions:,} {'position' if proved.positions == 1 else 'positions'}"
    unused = f" {proved.unused:,} choices are never needed." if proved.unused else ""
    rules = f" It takes the rules to play by it: it lacks {lacks!r}." if lacks else ""
    click.echo(
        f"{file}: proved. From {plan.root!r} {promise(plan.owner_name, other, proved, scored=scored)}. "
        f"{positions} can arise; {tally(proved.ends)}.{unused}{rules}"
    )
