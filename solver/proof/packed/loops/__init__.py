"""Proves a packed file of a game in which play can return, or in which ways of different length meet.

Why local checks prove the whole file. Let every state in the file be such that

- it is terminal exactly if the rules say so, and its utility is then theirs;
- otherwise it has a move, each of its moves leads to a state in the file, and its label is one step nearer to
  0 than the best of the labels of those states for the player to move; it is 0 only if that best one is 0;
- its remoteness, if it has one, is at most the label base less 2.

A label is 0 or has a value and a remoteness (solver/database/packed/label_code.py). Call those that have the
same value and sign a band; bands are ordered as the first player prefers them. By the third condition a step
never leaves a band: a label and the best one of its children are both 0, or in the same band, the child with
a remoteness smaller by 1. So only terminal states have a remoteness of 0.

Let a state have a label above 0, in band d and of remoteness r. A label below 0 is the same with the players
exchanged.

- The first player, who moves to a best child, brings play to an end in band d within r plies, or in a better
  band. For every move of either player then leads to a better band, or to band d and a smaller remoteness:
  the first player's by choice, the second's as all of its children are at least as good as the best for the
  second. There are finitely many bands, and in each the remoteness falls with each ply. So play ends.
- The second player, who moves to a best child, prevents more: no move then leads to a better band, nor lowers
  the remoteness within band d by more than 1. So play that ends in band d takes r plies or more.

From a label of 0 either player keeps play at labels that are 0 or on that player's side of it, by moving to a
best child: the value of endless play is assured to each of them, and nobody can force an end that is better.
The remoteness is therefore none: where endless play is worth 0 since nobody hurries, and where it is worth 1
or -1 since no end has the label 0, and whoever endless play is worse for keeps play from all ends that the
other would rather have.

So the labels are those that `solver.rules.labels` defines; loops need no induction of their own, as
remoteness falls along play to every end, and a loop of states that have one would need it to fall for ever.

The file is complete: it has the starts, and with a state all of its children. It has no other state: play is
followed from the starts, frontier by frontier, and each state is expanded once, when it is first reached. Its
children are then looked up once, for their labels and to mark them as reached. A state that has no mark at
the end is an error. No state is stored twice, as the rules tell its stage: its tier, or the only one there
is.

In a folded file a child is replaced by the canonical state of its class, and `solver.proof.packed.symmetry`
proves that each state stands for its class. If the rules tell symmetries, a file that is not folded is
proved class by class, too: one state of each is expanded, and the others are looked up. Should that not
succeed, each state is expanded.

Keys and labels are decoded once, into arrays that all processes share.
"""
