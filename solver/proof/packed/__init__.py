"""Proves a packed file, state by state, from the rules; shares no code with the engines that made it.

Why local checks prove it all. Say that of every state in the file

- play is over in it exactly where the rules say so, and its utility is then theirs;
- else it has a move, each of its moves leads to a state in the file at the next ply, and of the labels of
  those states its own is the best for the player to move;
- the file does not have it again, at the same ply or at another.

The last ply has no next one, so in all of its states play is over, and their labels are right. A label says
value and the ply at which best play ends, in the order in which the players want them, which depends on what
endless play would be worth (solver/database/packed/label_code.py). So if all labels of a ply are right, those
of the ply before are, being the best of them; and so on up to the first. Play is never endless, as each move
leads to the next ply.

Every state that play can reach is there: the starts, and with a state all to which its moves lead. No other
is there: the states of ply 0 are the starts of the rules, or one start of the file's own, and a bit for each
state of the other plies says whether some move of the ply before led to it. So its ply is right, and it has
no other.

In a folded file children are the canonical ones of their classes, and `solver.proof.packed.symmetry` says why
each state stands for its class.

A ply is divided into parts, which all processors work on, each in a process of its own. Blocks are decoded
when they are wanted: those of a part in order, and for each stretch of them those of the next ply where their
children are. Of a whole ply nothing is held but the bits.
"""

from solver.proof.packed.walk import verify_packed

__all__ = ["verify_packed"]
