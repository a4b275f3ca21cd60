"""The report on a solved game: its fairness, its length and its traps.

Each part computes its figures, and returns them as JSON, in words, or as rows of tables and plots:

counted.py     outcomes and lengths from counts         whole.py           figures from all positions
measures.py    choices, chances of errors, traps        sampled.py         figures from a sample
ends.py        the ends of random play                  figures.py         shares and means with intervals
draws.py       drawn ends and endless play              report.py          the report as data
symmetry.py    symmetries and their classes             chapters.py        the report as paragraphs and plots
contents.py    paragraphs, grids and plots
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from solver.analysis.difference import difference
from solver.analysis.report.counted import Counted, counted
from solver.analysis.report.draws import Draws
from solver.analysis.report.ends import Ends, joined
from solver.analysis.report.measures import Trap
from solver.analysis.report.report import LikelyError, LongestWin, Opening, Report, Reports, first_moves
from solver.analysis.report.sampled import SampledAnswers
from solver.analysis.report.symmetry import symmetry_of
from solver.analysis.report.whole import WholeAnswers
from solver.analysis.statistics import longest_wins
from solver.database import Database
from solver.database.lines import best_line
from solver.database.wording import game_title
from solver.errors import NothingInCommon
from solver.game import ENDLESS
from solver.rules.asking import representative
from solver.rules.notation import read_position
from solver.rules.parameters import with_parameters
from solver.system.progress import Progress, no_progress

__all__ = ["Report", "Reports", "compared", "report_on"]

Answers: TypeAlias = WholeAnswers | SampledAnswers

SAMPLE = 100_000
"""The number of positions sampled from a large packed file, and of random games played."""

PERFECT_GAMES = 500
"""The most games by best moves, whose labels must be looked up."""

SYMMETRIC = 20_000
"""The most positions whose classes are counted; with more, the figures are estimates from a sample."""

TRAPS_LISTED = 5

CHANGED = 5
"""The most positions listed for each kind of change."""

WINS = 3
"""The most longest wins listed."""


def report_on(
    db: Database, *, sample: int = SAMPLE, seed: int = 0, progress: Progress = no_progress
) -> Report:
    """The report on a file.

    A readable file, or one with at most `sample` positions, is evaluated as a whole. From any other, `sample`
    positions are drawn, and where probabilities cannot be computed, `sample` games are played. `seed`
    determines all random choices. Raises what reading the file and its rules raise.
    """
    answers: Answers
    if (packed := db.packed) is not None and (db.folding.is_signed or len(db) > sample):
        answers = SampledAnswers(packed, sample, seed, progress)
    else:
        answers = WholeAnswers(db, seed, progress)
    counts, start, sums = counted(db), db[db.start], answers.tally()
    progress("playing games", 0, None)
    ended = db.folding.values(ENDLESS[side] for side, number in counts.ends.items() if number)
    impossible = [side for side in counts.ends if ENDLESS[side] not in ended]
    openings = list(_openings(db, answers, sample, impossible))
    moves = max(1, sum(len(opening.moves) for opening in openings))
    random = joined([(len(opening.moves) / moves, opening.random) for opening in openings])
    states = answers.states(SYMMETRIC)
    perfect = (
        answers.perfect(min(sample, PERFECT_GAMES))
        if start.remoteness is None
        else _certain(start.value, start.remoteness)
    )
    return Report(
        db=db,
        title=game_title(db.game),
        start=start,
        counts=counts,
        moves=db.moves,
        seed=seed,
        tally=sums,
        random=(random.after(1) if openings else _certain(start.value, 0)).without(impossible),
        perfect=perfect.without(impossible),
        openings=openings,
        draws=_draws(db, answers, counts),
        traps=list(_traps(db, sums.traps)),
        longest=[
            LongestWin(position, plies, tuple(move.move for move in best_line(db, position).moves))
            for position, plies in longest_wins(db, WINS)
        ],
        symmetry=symmetry_of(db, states),
    )


def compared(reports: Sequence[Report], *, progress: Progress = no_progress) -> Reports:
    """The report on one game, or those on two and their difference; titles show differing parameters."""
    if len(reports) == 1:
        return Reports(reports, None)
    reports = a, b = [replace(report, title=_title(report, reports)) for report in reports]
    try:
        return Reports(reports, difference(a.db, b.db, CHANGED, progress=progress))
    except NothingInCommon:
        return Reports(reports, None)


def _title(report: Report, reports: Sequence[Report]) -> str:
    """The title, with the parameters that differ between the reports if these are on the same game."""
    if len({other.db.game_name for other in reports}) > 1:
        return report.title
    parameters = [other.db.parameters.items() for other in reports]
    differing = dict(
        pair for pair in report.db.parameters.items() if any(pair not in pairs for pairs in parameters)
    )
    return f"{report.title} ({with_parameters('', differing).strip()})" if differing else report.title


def _openings(db: Database, answers: Answers, games: int, impossible: Collection[str]) -> Iterator[Opening]:
    """The first moves and the ends of random play after them, with equally many games for each move."""
    first = first_moves(db)
    games = -(-games // max(1, sum(map(len, first))))
    for moves in first:
        entry = db[moves[0].position]
        state = read_position(db.game, entry.position)
        random = _certain(entry.value, 0) if entry.is_terminal else answers.random(state, games * len(moves))
        yield Opening(moves, random.without(impossible))


def _draws(db: Database, answers: Answers, counts: Counted) -> Draws | None:
    """Whether best play ends from positions without a remoteness; None in games without loops."""
    if counts.by == "ply":
        return None
    open_ = sum(row.going_on for row in counts.rows if row.at is None)
    if not open_ or (db.endless == "draw" and not counts.ends["draw"]):
        return Draws(0, 0, open_)
    return answers.draws()


def _certain(utility: int, plies: int) -> Ends:
    return Ends(True, {(utility, plies): 1.0})


def _traps(db: Database, traps: Sequence[Trap]) -> Iterator[LikelyError]:
    """The first traps, one of each symmetry class."""
    by_class = dict[Any, Trap]()
    for trap in traps:
        by_class.setdefault(representative(db.game, db.state_of(trap.position)), trap)
    for trap in list(by_class.values())[:TRAPS_LISTED]:
        entry = db[trap.position]
        keeps = tuple(move.move for move in entry.moves if move.value == entry.value)
        yield LikelyError(entry.position, None if trap.row < 0 else trap.row, trap.error, keeps)
