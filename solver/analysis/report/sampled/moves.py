"""The choices in states that were drawn from a large packed file."""

import numpy as np

from solver.analysis.packed_moves import LabelledMoves, PackedMoves
from solver.analysis.report.choices import Choices
from solver.database.packed.arrays import states_at
from solver.rules.arrays import Flags, Keys


def choices_at(moves: PackedMoves, ranks: Keys, drawn: Flags) -> Choices:
    """The choices in the states of ascending ranks among those in which play goes on."""
    db = moves.db
    code, batches = db.label_code, list(states_at(db.prober, db.sizes, ranks))
    keys = np.concatenate([each.keys for each in batches])
    plies = [(each, code.ply_of(each.stage)) for each in batches]
    rows = [db.remoteness(each) if ply is None else np.full(len(each.keys), ply) for each, ply in plies]
    values = np.concatenate([code.values(each.labels) for each in batches])
    found = moves.moves(keys)
    ends = np.where(found.over, found.values, 0)
    replies = _replies(moves, found)
    movers = moves.rules.movers(keys).astype(np.int64)
    return Choices(
        keys, np.concatenate(rows), drawn, movers, values, found.parents, found.values, ends, replies
    )


def _replies(moves: PackedMoves, found: LabelledMoves) -> Keys:
    """The utility after each move that ends play; else the best for the other that one reply gets."""
    rules = moves.rules
    inner, places = np.unique(found.children[~found.over], return_inverse=True)
    signs = 1 - 2 * rules.movers(inner).astype(np.int64)
    best = np.full(len(inner), np.iinfo(np.int64).min)
    for action in range(rules.action_count):
        children, codes = rules.children(inner, action)
        over = rules.terminal(children)
        gained = np.zeros(len(children), np.int64)
        gained[over] = rules.utilities(children[over])
        parents = codes >> 1
        best[parents] = np.maximum(best[parents], gained * signs[parents])
    replies = found.values.copy()
    replies[~found.over] = (best * signs)[places]
    return replies
