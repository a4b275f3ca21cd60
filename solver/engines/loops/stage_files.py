"""The files of stages in the work folder, and the tiers of states."""

import numpy as np

from solver.engines.storage.context import SolveContext
from solver.engines.storage.records import ReachedStage, StageLabels, UnfoldedStage
from solver.engines.storage.stage_files import StageFiles
from solver.rules.arrays import Keys

ONLY_TIER = 0
"""The tier of all states if the rules define none."""

SOLVED = StageFiles("open", "terminal", "labels", ReachedStage, StageLabels)
"""The files of the solved states: in a folded or an unfolding solve, one of each class."""

UNFOLDED = StageFiles("open-all", "terminal-all", "labels-all", UnfoldedStage, UnfoldedStage)
"""The files of all states, if one of each class was solved."""


def tiers_of(context: SolveContext, keys: Keys) -> Keys:
    """The tier of each state."""
    tiers = context.rules.optional("tier", keys)
    return np.full(len(keys), ONLY_TIER) if tiers is None else tiers
