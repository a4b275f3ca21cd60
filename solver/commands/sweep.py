"""`perfectplay sweep`."""

import json
import shlex
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from solver.commands import completion
from solver.commands.arguments import assignment
from solver.commands.options import command, names_game, number, prints_json, writes
from solver.commands.output import print_json, say_written, target_of
from solver.commands.report import report_format
from solver.database import open_database
from solver.errors import BadParameter, NotLegible, SolverError, TooLarge, message_of
from solver.game import AnyGame
from solver.rules.loading import game_parameters, load_game
from solver.system.files import write, writing
from solver.system.plugins import imaging, picture
from solver.system.progress import terminal_progress
from solver.system.words import in_digits, number_of

if TYPE_CHECKING:
    from sqlite_utils import Database as Catalogue

    from solver.analysis.sweep import SweptGame
    from solver.commands.batch.jobs import BatchJob


@command(
    "perfectplay sweep subtraction heap=5..7 take=1,2 --plot sweep.svg",
    "perfectplay sweep nim heaps=1,2,3 misere=false misere=true -o sweep.html",
)
@names_game("parameters", "[PARAM=VALUE]...", type=assignment)
@number("--states", default=1_000_000, words="Skip games that may have more states.")
@writes(
    "FOLDER",
    "Keep the databases there, with a catalogue as by `batch`; existing ones are not solved again.",
    "--folder",
    shell_complete=completion.folders,
)
@writes("OUT", "Write the table as .html (with curves), .md or .json.", check=report_format)
@writes(
    "OUT",
    "Plot the figures over each integer parameter, or else over one other (.svg, .png, .pdf).",
    "--plot",
    check=imaging,
)
@prints_json
def sweep(
    game: str,
    parameters: tuple[tuple[str, str], ...],
    states: int,
    folder: str | None,
    output: str | None,
    plot: str | None,
    as_json: bool,
) -> None:
    """Compare variants of a game, with many values of its parameters, in one table.

    A VALUE A..B stands for the integers from A to B, and a parameter may be given more than once; all
    combinations are solved. For each, the table has the number of states, the winner and how soon the win
    comes, how many first moves win, how many positions are decisive, and how often a player who looks two
    plies ahead errs. A game that may be too large is skipped. The exit status is 1 if a solve fails.
    """
    from solver.analysis import sweep as analysis
    from solver.commands.batch.catalogue import catalogue

    path, results = target_of(output, "table"), list["SweptGame"]()
    combined = analysis.combinations(parameters)
    picture_path = target_of(plot, "plot")
    if picture_path is not None and not analysis.axes_of(combined):
        limit = f"and the others at most {analysis.MAX_CURVES} combinations"
        raise NotLegible(f"nothing to plot: give one parameter several values, {limit}")
    jobs = [_job(game, values) for values in combined]
    games = _games_of(jobs, folder)
    with ExitStack() as stack:
        home = Path(folder or stack.enter_context(TemporaryDirectory())).resolve()
        with writing(home):
            home.mkdir(parents=True, exist_ok=True)
        catalogue_db = stack.enter_context(catalogue(home))
        for number, (values, job) in enumerate(zip(combined, jobs, strict=True), start=1):
            heading = f"{number}/{len(jobs)} {' '.join(values.values())}"
            results.append(_solved(values, job, home, catalogue_db, states, heading))
            if as_json:
                print_json(results[-1].as_dict())
    if path is not None:
        form = report_format(str(path))
        if form == "json":
            text = json.dumps([row.as_dict() for row in results], ensure_ascii=False, indent=1) + "\n"
        else:
            text = picture("report", analysis.contents_of(game, results, games), form)
        write(path, text.encode())
        say_written(path, number_of(len(results), "game"))
    elif not as_json:
        click.echo(analysis.in_words(results))
    if picture_path is not None:
        plots = list(analysis.plots_of(game, results))
        svg = picture("plots", f"{game} by its parameters", analysis.MEANING, plots)
        write(picture_path, imaging(str(picture_path))(svg))
    if any(row.failed for row in results):
        raise SystemExit(1)


def _job(game: str, values: Mapping[str, str]) -> "BatchJob | BadParameter":
    from solver.commands.batch.jobs import BatchJob, default_name
    from solver.engines.options import SolveOptions

    try:
        rules = load_game(game, values)
    except BadParameter as error:
        return error
    words = [game, *(f"{name}={value}" for name, value in values.items())]
    return BatchJob(default_name(rules), shlex.join(words), words, rules, SolveOptions())


def _games_of(jobs: "Sequence[BatchJob | BadParameter]", folder: str | None) -> list[AnyGame]:
    """The valid games; raises if there is none, if two are equal or would have the same name in `folder`."""
    refused = [job for job in jobs if isinstance(job, BadParameter)]
    if len(refused) == len(jobs):
        raise refused[0]
    possible = [job for job in jobs if not isinstance(job, BadParameter)]
    named, texts = dict[str, AnyGame](), dict[str, str]()
    for job in possible:
        if (text := texts.setdefault(repr(game_parameters(job.game)), job.text)) != job.text:
            raise BadParameter(f"{text} and {job.text} are the same game: omit one of them")
        if folder and named.setdefault(job.name, job.game) != job.game:
            raise BadParameter(f"two of the games would be {job.name}.db in {folder}: sweep them one by one")
    return [job.game for job in possible]


def _solved(
    values: Mapping[str, str],
    job: "BatchJob | BadParameter",
    folder: Path,
    catalogue_db: "Catalogue",
    states: int,
    heading: str,
) -> "SweptGame":
    """Solve a game into `folder` unless it may have more than `states` states, and report on it."""
    from solver.analysis.report import report_on
    from solver.analysis.sweep import SweptGame, swept_game
    from solver.commands.batch.run import JobRun
    from solver.engines.solve import is_current

    if isinstance(job, BadParameter):
        return SweptGame(values, message_of(job))
    path = folder / f"{job.name}.db"
    with terminal_progress() as progress:
        if not is_current(job.game, path, job.options) and (reason := _too_large(job, path, states)):
            return SweptGame(values, reason)
        outcome = JobRun(job, Path.cwd(), folder, catalogue_db, False, progress, heading).run()
        if outcome.failure is not None:
            failure = outcome.failure.replace("use --force", "use `solve --force`")
            return SweptGame(values, failure, failed=True)
        with open_database(path) as db:
            db.game = job.game
            return swept_game(values, report_on(db, progress=progress))


def _too_large(job: "BatchJob", path: Path, states: int) -> str | None:
    from solver.engines.solve import decide

    try:
        needs = decide(job.game, path, job.options).needs
    except TooLarge as error:
        return f"not tried: {message_of(error)}"
    except SolverError:  # the solve will raise it, too
        return None
    if needs is None:
        return f"not tried: more states than can be counted here; `perfectplay solve {job.text}` does"
    if needs.states > states:
        at_most = "at most " if needs.source is None else ""
        return f"not tried: {at_most}{in_digits(needs.states)} states, over {states:,}"
    return None
