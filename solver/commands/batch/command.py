"""`perfectplay batch`."""

from dataclasses import asdict
from pathlib import Path

import click

from solver.commands import completion
from solver.commands.arguments import FILE
from solver.commands.options import chooses, command, prints_json, writes
from solver.commands.output import print_json
from solver.errors import UsageError
from solver.rules.named import rules_given
from solver.system.files import writing
from solver.system.plugins import names_instead
from solver.system.progress import terminal_progress
from solver.system.words import if_interrupted


@command(
    r"""printf '[[solve]]\ngame = "nim heaps=1,2,3"\n' > games.toml""",
    "perfectplay batch games.toml -o solved",
)
@click.argument("file", type=FILE, metavar="FILE.toml")
@writes(
    "FOLDER",
    "The folder for databases and outputs; default: that of FILE.toml.",
    shell_complete=completion.folders,
    prints=False,
)
@click.option("--only", multiple=True, metavar="NAME", help="Only this game; may be given more than once.")
@chooses(
    "--takes",
    ["seconds", "minutes", "hours"],
    "Only games marked as taking at most this long.",
    default="hours",
)
@click.option("--sites", is_flag=True, help="Also make a site of each game, and an index of the sites.")
@click.option("--force", is_flag=True, help="Solve and make everything anew, even if it is up to date.")
@prints_json
def batch(
    file: str, output: str | None, only: tuple[str, ...], takes: str, sites: bool, force: bool, as_json: bool
) -> None:
    """Solve many games, and make the outputs that FILE.toml lists for each.

    Each table [[solve]] has a game with the arguments of `solve`. It may also have a name, the figures to
    expect, and, in `then`, commands to run on the database. After a failure the batch continues, and the exit
    code is 1. Files that are up to date are not made again. FILE.toml is trusted like a program: it names
    rules to run and files to write.

    The folder gets catalogue.db, with a row for each game and each output, and catalogue.html, which shows
    them; with --sites also the folder sites, which can be uploaded as it is.
    """
    from solver.commands.batch.catalogue import SITES, catalogue
    from solver.commands.batch.jobs import TAKES, read_jobs
    from solver.commands.batch.run import BatchOutcome, JobRun

    path = Path(file)
    folder = Path(output or path.parent).resolve()
    listed = read_jobs(path, folder, sites=sites)
    names, fast = [job.name for job in listed], TAKES[: TAKES.index(takes) + 1]
    if unknown := next((name for name in only if name not in names), None):
        raise UsageError(f"{file} has no game {unknown!r}; {names_instead(unknown, names)}")
    jobs = [job for job in listed if job.takes in fast and job.name in (only or names)]
    with writing(folder):
        (folder / SITES if sites else folder).mkdir(parents=True, exist_ok=True)
    outcomes = list[BatchOutcome]()
    note = if_interrupted(lambda: f"{len(outcomes)} of {len(jobs)} games are done, the same command goes on")
    with rules_given([job.rules for job in jobs if job.rules]), catalogue(folder) as catalogue_db, note:
        for number, job in enumerate(jobs, start=1):
            heading = f"{number}/{len(jobs)} {job.name}"
            with terminal_progress() as progress:
                outcome = JobRun(job, path.parent, folder, catalogue_db, force, progress, heading).run()
            outcomes.append(outcome)
            print_json(asdict(outcome)) if as_json else click.echo(outcome.in_words(max(map(len, names))))
    if any(outcome.failure for outcome in outcomes):
        raise SystemExit(1)
