"""Proves a packed file, state by state, from the rules; shares no code with the engines that made it.

Why local checks prove it all. Say that of every state in the file

- play is over in it exactly where the rules say so, and then its utility follows from them;
- else each of its moves leads to a state in the file at the next ply, it has a move, and its label is the best
  for the player to move of the labels of those states;
- no other state in the file is the same, at its own ply or at another.

The last ply has no next one, so in all of its states play is over, and their labels are right. A label says
value and the ply at which best play ends, ordered as the players want them (solver/labels.py); so if all labels
of a ply are right, those of the ply before, the best of them, are right as well, up to the first. Play is never
endless, as each move leads to the next ply. Every state that play can reach is there: the starts, and with a
state all to which its moves lead. None is there that play cannot reach: the states of ply 0 are the starts of
the rules, or one start of the file's own, and a bit for each state of another ply says whether some move of the
ply before led to it. So its ply is right, and because no state has two, it is the only one.

In a folded file children are the canonical ones of their classes; `solver.packed_proof.classes` says why a
state then stands for its class.

Blocks are decoded when they are wanted: those of a ply in order, and for each stretch of them those of the next
ply where their children are. Of a whole ply nothing is held but the bits.
"""

from solver.packed_proof.walk import verify_packed

__all__ = ["verify_packed"]
