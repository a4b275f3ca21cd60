"""Finds a state that lies in two layers: then play can come back, or lead there by ways of two lengths.

All layers are read in the same ranges of keys, and each range is sorted:

    ply 3    |  12  15     |  31       |
    ply 4    |      14     |  30  33   |       15 twice: a state of two plies
    ply 5    |  13  15     |  37       |

Where the rules tell of every state the ply at which it was found, no two layers can share one. Else this is
done whenever there are twice as many states as the last time, as play may go round for ever, and at the end.
"""

import numpy as np

from solver.engines.layers.context import SolveContext
from solver.engines.layers.external_sort import ranges
from solver.errors import UnfitRules


def refuse_repeats(engine: SolveContext, layers: int) -> None:
    """Raise `UnfitRules` where a state lies in two of the layers found so far."""
    files = [file(ply) for ply in range(layers) for file in (engine.work.going, engine.work.ended)]

    def repeated(bounds: tuple[int, int]) -> int | None:
        keys = np.sort(np.concatenate([file.between(*bounds) for file in files]))
        again = np.flatnonzero(keys[1:] == keys[:-1])
        return int(keys[again[0]]) if len(again) else None

    bounds = list(ranges(files, engine.room))
    states = sum(file.states for file in files)
    for nth, state in enumerate(engine.each(repeated, bounds), start=1):
        engine.progress("looking for repeats", nth * states // len(bounds), states)
        if state is not None:
            raise UnfitRules(
                f"the layers engine cannot solve this game, as its state {state} is reached in more than one "
                "number of plies: use --engine graph"
            )
