"""The report on a solved game: whether it is fair, how long it is, where its traps are.

Each part computes its figures, and has them as JSON and in words or as rows of a table and plots:

counted.py     what the counts of a file tell           whole.py           figures from every position
measures.py    how much there is to choose, who errs    sampled.py         figures from a sample
ends.py        how play by chance ends                  figures.py         a share or a mean with its interval
draws.py       drawn ends and endless play              report.py          all of it as data
symmetry.py    what symmetries come to                  chapters.py        all of it as paragraphs and plots
contents.py    paragraphs, grids and plots              traps.py           positions in which players err
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from solver.analysis.difference import difference
from solver.analysis.report.counted import Counted, counted
from solver.analysis.report.draws import Draws
from solver.analysis.report.ends import Ends, joined
from solver.analysis.report.report import LikelyError, LongestWin, Opening, Report, Reports, first_moves
from solver.analysis.report.sampled import SampledAnswers
from solver.analysis.report.symmetry import symmetry_of
from solver.analysis.report.traps import Trap
from solver.analysis.report.whole import WholeAnswers
from solver.analysis.statistics import longest_wins
from solver.database import Database
from solver.database.entry import Entry
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
"""Positions that are drawn of a large packed file, and random games that are played."""

PERFECT_GAMES = 500
"""Games by best moves that are played at most, for which labels are looked up."""

SYMMETRIC = 20_000
"""Positions whose orbits are counted at most; of more there is an estimate by so many."""

TRAPS_LISTED = 5
"""Positions that are told in which a player who looks ahead is likely to err."""

CHANGED = 5
"""Positions that are told of each kind of change."""

WINS = 3
"""Longest wins that are told with their lines."""


def report_on(
    db: Database, *, sample: int = SAMPLE, seed: int = 0, progress: Progress = no_progress
) -> Report:
    """The report on a file.

    A readable file, or one with at most `sample` positions, is asked as a whole. Of another one so many
    positions are drawn, and where chances cannot be computed so many games are played; all that is random
    follows from `seed`. Raises what reading the file and its rules raise.
    """
    asked: Answers
    if (packed := db.packed) is not None and (db.folding.is_signed or len(db) > sample):
        asked = SampledAnswers(packed, sample, seed, progress)
    else:
        asked = WholeAnswers(db, sample, seed, progress)
    counts, start, sums = counted(db), db[db.start], asked.tally()
    progress("playing games", 0, None)
    ended = db.folding.values(ENDLESS[side] for side, number in counts.ends.items() if number)
    impossible = [side for side in counts.ends if ENDLESS[side] not in ended]
    openings = list(_openings(db, asked, sample, impossible))
    moves = max(1, sum(len(opening.moves) for opening in openings))
    random = joined([(len(opening.moves) / moves, opening.random) for opening in openings])
    states = asked.states(SYMMETRIC)
    return Report(
        db=db,
        title=game_title(db.game),
        start=start,
        counts=counts,
        moves=db.moves,
        seed=seed,
        sample=sums.positions(),
        tally=sums,
        random=(random.after(1) if openings else _known(start.value, 0)).without(impossible),
        perfect=_perfect(start, asked, min(sample, PERFECT_GAMES)).without(impossible),
        openings=openings,
        draws=_draws(db, asked, counts),
        traps=list(_traps(db, sums.traps)),
        longest=[
            LongestWin(position, plies, tuple(move.move for move in best_line(db, position).moves))
            for position, plies in longest_wins(db, WINS)
        ],
        symmetry=symmetry_of(db, states),
    )


def compared(reports: Sequence[Report], *, progress: Progress = no_progress) -> Reports:
    """The reports on one game, or on two with their difference; of one game titles say how they differ."""
    if len(reports) == 1:
        return Reports(reports, None)
    reports = a, b = [replace(report, title=_title(report, reports)) for report in reports]
    try:
        return Reports(reports, difference(a.db, b.db, CHANGED, progress=progress))
    except NothingInCommon:
        return Reports(reports, None)


def _title(report: Report, reports: Sequence[Report]) -> str:
    """The title with the parameters that are not the same in all reports, if these are on one game."""
    if len({other.db.game_name for other in reports}) > 1:
        return report.title
    given = [other.db.parameters.items() for other in reports]
    differing = dict(
        pair for pair in report.db.parameters.items() if any(pair not in pairs for pairs in given)
    )
    return f"{report.title} ({with_parameters('', differing).strip()})" if differing else report.title


def _openings(db: Database, asked: Answers, games: int, impossible: Collection[str]) -> Iterator[Opening]:
    """The first moves with random play after them; each of them gets as many of the games."""
    first = first_moves(db)
    games = -(-games // max(1, sum(map(len, first))))
    for moves in first:
        entry = db[moves[0].position]
        state = read_position(db.game, entry.position)
        random = _known(entry.value, 0) if entry.is_terminal else asked.random(state, games * len(moves))
        yield Opening(moves, random.without(impossible))


def _perfect(start: Entry, asked: Answers, games: int) -> Ends:
    """The ends of play by best moves: all of it is as long where somebody hurries."""
    if start.remoteness is not None:
        return _known(start.value, start.remoteness)
    return asked.perfect(games)


def _draws(db: Database, asked: Answers, counts: Counted) -> Draws | None:
    """The positions of undecided play by whether best play from them ends; None in games in layers."""
    if counts.by == "ply":
        return None
    open_ = sum(row.going_on for row in counts.rows if row.at is None)
    if not open_ or (db.endless == "draw" and not counts.ends["draw"]):
        return Draws(0, 0, open_)
    return asked.draws()


def _known(utility: int, plies: int) -> Ends:
    return Ends(True, {(utility, plies): 1.0})


def _traps(db: Database, traps: Sequence[Trap]) -> Iterator[LikelyError]:
    """The first traps, one of each class of symmetric positions."""
    seen = dict[Any, tuple[Trap, Any]]()
    for trap in traps:
        state = db.state_of(trap.position)
        seen.setdefault(representative(db.game, state), (trap, state))
    for trap, state in list(seen.values())[:TRAPS_LISTED]:
        entry = db.entry_of(state)
        keeps = tuple(move.move for move in entry.moves if move.value == entry.value)
        yield LikelyError(entry.position, None if trap.row < 0 else trap.row, trap.error, keeps)
