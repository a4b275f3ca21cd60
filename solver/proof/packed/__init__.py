"""Proves a packed file from the rules, state by state; shares no code with the engines that made it.

`layers` proves files in which each state has a single ply. Beside it is what any packed file
takes: its blocks, its rules, symmetry, metadata and counts.
"""

from solver.proof.packed.verify import verify_packed

__all__ = ["verify_packed"]
