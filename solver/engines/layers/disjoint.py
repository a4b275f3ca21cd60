"""Checks that layers are disjoint: that no state is reached at two plies, as happens if play can return.

All layers are read in the same key ranges, and each range is sorted:

    ply 3    |  12  15     |  31       |
    ply 4    |      14     |  30  33   |       15 twice: a state at two plies
    ply 5    |  13  15     |  37       |

If the rules confirm the ply of every state, no two layers can share one and nothing is checked. Otherwise the
check is made whenever the number of states has doubled, as play may return for ever, and at the end. Most
games in which play returns are recognized by their first states, before a solve by layers begins.
"""

from dataclasses import dataclass

import numpy as np

from solver.engines.layers.opened import Layers
from solver.engines.storage.merging import ranges
from solver.engines.storage.steps import Answer
from solver.errors import UnfitRules
from solver.rules.arrays import in_order
from solver.system.executors import OnProgress


@dataclass(frozen=True)
class FindRepeats:
    """Look for a state with a key in [low, high) that is in two of the first layers."""

    layers: int
    low: int
    high: int

    def run(self, layers: Layers, on_progress: OnProgress) -> Answer:
        """The first such state, or None."""
        files = layers.all_states(self.layers)
        keys = in_order(np.concatenate([file.between(self.low, self.high) for file in files]))
        again = np.flatnonzero(keys[1:] == keys[:-1])
        on_progress(len(keys))
        return {"states": len(keys), "state": int(keys[again[0]]) if len(again) else None}


def refuse_repeats(opened: Layers, layers: int) -> None:
    """Raise `UnfitRules` if a state is in two of the first `layers` layers."""
    files = opened.all_states(layers)
    states = sum(file.states for file in files)
    tasks = [FindRepeats(layers, *bounds) for bounds in ranges(files, opened.context.keys_per_sort)]
    on_progress = opened.context.counted("looking for repeats", states, layers - 1)
    for answer in opened.run("repeats", tasks, on_progress):
        if (state := answer["state"]) is not None:
            raise UnfitRules(
                f"the layers engine cannot solve this game, as its state {state} is reached in more than one "
                "number of plies: use --engine arrays"
            )
