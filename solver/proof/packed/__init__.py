"""Proves a packed file from the rules, state by state; shares no code with the engines that made it.

`layers` proves files in which each state has a single ply, `loops` all others. The modules beside them are
shared: blocks, rules, symmetry, backup of labels, metadata and counts. In games with loops, where a state has
no single ply, `ply` is the number of its stage.
"""

from solver.proof.packed.verify import verify_packed

__all__ = ["verify_packed"]
