"""Drawn ends versus endless play: a sample gives the figures of all positions, or none."""

import numpy as np
from hypothesis import strategies as st

from solver.analysis.packed_moves import PackedMoves
from solver.analysis.report.draws import Draws, draws_from, draws_in
from solver.analysis.report.sampled import SampledAnswers
from solver.analysis.report.whole import best_play
from solver.database.packed.reader import PackedDatabase
from solver.game import ENDLESS
from solver.system.progress import no_progress
from tests.support.drawn import drawn
from tests.support.games.packed import Table, loops, mirrored_loops
from tests.support.solved import solving


def kind(actual: Draws) -> str:
    """The kind of the one position that was asked about."""
    return next(name for name in ("ends", "either", "endless", "unknown") if getattr(actual, name))


TABLES, RULES = st.one_of(loops(2), mirrored_loops()), st.sampled_from(sorted(ENDLESS))


@drawn(few=12, many=1000, table=TABLES, endless=RULES, fold=st.booleans())
def test_draws_from_a_sample_equal_those_of_all_positions(table: Table, endless: str, fold: bool) -> None:
    with solving(table, layout="packed", endless=endless, fold=fold) as db:
        assert isinstance(db, PackedDatabase)
        best = best_play(db.whole(), endless)
        moves = PackedMoves(db)
        roots = np.sort(best.keys[(best.remoteness < 0) & ~best.over])
        whole = draws_in(best)
        if not len(roots):
            assert whole.asked == 0
            return
        assert draws_from(moves, roots)[:4] == whole[:4]
        drawn_of_all = SampledAnswers(db, len(db), 0, no_progress).draws()
        assert drawn_of_all is not None
        assert (drawn_of_all[:4], drawn_of_all.exact) == (whole[:4], False)
        for root in roots:
            true = kind(draws_from(moves, np.array([root])))
            for most in range(1, 9):
                assert kind(draws_from(moves, np.array([root]), most)) in (true, "unknown")
