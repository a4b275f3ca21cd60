"""Proves a packed file of a game in layers, where each state has a single ply.

Why local checks prove the whole file. Let every state in the file be such that

- it is terminal exactly if the rules say so, and its utility is then theirs;
- otherwise it has a move, each of its moves leads to a state in the file at the next ply, and its label is
  the best of the labels of those states for the player to move;
- the file does not store it again, at the same ply or at another.

The last ply has no next one, so all of its states are terminal, and their labels are right. A label encodes
the value and the ply at which best play ends, ordered by what the players prefer, which depends on the value
of endless play (solver/database/packed/label_code.py). If all labels of a ply are right, those of the ply
before are right, too, being the best of them; by backward induction all labels are right. Play is never
endless, as each move leads to the next ply.

The file is complete: it has the starts, and with a state all of its children. It has no other state: the
states of ply 0 are the initial states of the rules, or one start of the file's own, and for each state of the
other plies a bit records whether a move of the ply before leads to it. So each state's ply is right, too.

In a folded file a child is replaced by the canonical state of its class, and `solver.proof.packed.symmetry`
proves that each state stands for its class.

A ply is divided into tasks for worker processes. Blocks are decoded on demand: the blocks of a task in order,
and, for a few of them at a time, the blocks of the next ply that may hold their children. Only the bits are
in memory for a whole ply.
"""
