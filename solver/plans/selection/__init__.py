"""Selects the moves of a plan: a small plan fast, or the smallest plan.

`and_or_graph` has the moves to choose from. A fast plan (`small`) starts from the smallest tree, which never
returns to a position, and merges positions by a local search. The smallest merged plan (`smallest`) is an
optimization problem for an exact solver. `choose` is the entry point.
"""

from solver.plans.selection.choose import Sized, choose_plan, make_plan

__all__ = ["Sized", "choose_plan", "make_plan"]
