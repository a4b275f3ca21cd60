"""Selects the move of a plan where its owner has a choice: a small plan fast, or the smallest one.

`and_or_graph` holds the moves to choose from. `cycles` finds where play in it can return, which a plan that
must come to an end has to avoid. A fast plan starts from the smallest tree (`smallest_tree`) and merges
positions by `local_search`. The smallest merged plan (`smallest`) is an optimization problem for an exact
solver (`cp_sat`), from which `symmetry_breaking` removes symmetric choices. `choose` is the way in.
"""

from solver.plans.selection.choose import Sized, choose_plan, make_plan

__all__ = ["Sized", "choose_plan", "make_plan"]
