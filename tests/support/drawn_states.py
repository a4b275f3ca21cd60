"""States drawn from packed files."""

import numpy as np

from solver import Database
from solver.database.packed.arrays import states_at
from solver.database.packed.reader import PackedDatabase
from solver.rules.arrays import Keys


def drawn_states(db: Database, number: int, seed: int = 1) -> Keys:
    """`number` states of a packed file in random order, each drawn from all of them."""
    assert isinstance(db, PackedDatabase)
    rng, parts = np.random.default_rng(seed), list[Keys]()
    sizes = np.array([sum(size for (_, kind), size in db.sizes.items() if kind == over) for over in (0, 1)])
    for over, count in enumerate(rng.multinomial(number, sizes / sizes.sum())):
        ranks = np.sort(rng.integers(max(1, sizes[over]), size=count))
        parts += [states.keys for states in states_at(db, ranks, over)]
    return rng.permutation(np.concatenate(parts))
