"""The games of data/catalogue.toml have their published results."""

from pathlib import Path

import pytest

from solver import open_database, solve
from solver.analysis.statistics import statistics
from solver.commands.batch.jobs import BatchJob, read_jobs
from solver.system.plugins import entries
from tests.support.published import DATA

JOBS = read_jobs(DATA / "catalogue.toml", DATA / "solved")
SECONDS = {
    *("mnk-rows-4", "dots-and-boxes-columns-3", "connect", "connect-rows-5", "connect-columns-5", "othello"),
    *("tictactoe-wild-true", "tictactoe-misere-true-wild-true", "quixo-rows-3-columns-3-k-3"),
    *("chess-ending-pieces-KQK", "tictactoe"),
}
"""Of the games that take seconds those that take more than one or two, or have a test of their own."""
MINUTES = {"mnk-rows-4-columns-4", "quixo-rows-4-columns-4-k-4"}
"""Of the games that take minutes those that have no test of their own."""
ASKED = ("start", "endless", "layout", "fold")
"""The options of `solve` that decide what is written."""


@pytest.mark.parametrize(
    "job",
    [
        pytest.param(job, id=job.name, marks=[pytest.mark.slow] if job.name in SECONDS | MINUTES else [])
        for job in JOBS
        if job.takes == "seconds" or job.name in MINUTES
    ],
)
def test_solved_game_matches_published_results(tmp_path: Path, job: BatchJob) -> None:
    solve(job.game, tmp_path / "solved.db", **{name: getattr(job.options, name) for name in ASKED})
    with open_database(tmp_path / "solved.db") as db:
        actual = statistics(db)
    assert job.source
    assert job.expect
    assert actual == {**actual, **job.expect}


def test_catalogue_has_every_built_in_game() -> None:
    families = {job.words[0] for job in JOBS} | {"openspiel"}  # which has games of others
    assert families == set(entries("games"))
