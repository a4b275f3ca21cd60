"""Proves a packed file of a game in which play can return, or in which paths of different lengths meet.

Why local checks prove the whole file. Let every state in the file be such that

- it is terminal exactly if the rules say so, and its utility is then theirs;
- otherwise it has a move, each of its moves leads to a state in the file, and its label is one step nearer to
  0 than the best label of these states for the player to move; it is 0 only if that best label is 0;
- its remoteness, if it has one, is at most the label base less 2.

A label is 0 or has a value and a remoteness (solver/database/packed/label_code.py). Call the labels of the
same value and sign a band; bands are ordered as the first player prefers them. By the third condition a step
never leaves a band: a label and the best label of the children are both 0, or in the same band, the child
with a remoteness smaller by 1. So only terminal states have a remoteness of 0.

Let a state have a label above 0, in band d and of remoteness r. For a label below 0 the same holds with the
players exchanged.

- By moving to best children the first player brings play to an end in band d within r plies, or in a better
  band. For every move of either player then leads to a better band, or to band d and a smaller remoteness:
  the first player's moves by choice, the second's as no child is worse for the first player than the one best
  for the second. There are finitely many bands, and in each the remoteness falls with each ply. So play ends.
- By moving to best children the second player prevents more: no move then leads to a better band, nor lowers
  the remoteness within band d by more than 1. So play that ends in band d takes r plies or more.

From a label of 0 either player can keep play at labels that are 0 or in that player's favour, by moving to
best children: each is sure of the value of endless play, and neither can force an end that is better. So
there is no remoteness: if endless play is worth 0, nobody hurries; if it is worth 1 or -1, no end has the
label 0, and the player for whom endless play is worse avoids all ends that are better for the other.

So the labels are those that `solver.rules.labels` defines. Loops need no induction of their own: remoteness
falls along play to every end, and in a loop of states with a remoteness it would have to fall for ever.

The file is complete: it has the starts, and with a state all of its children. It has no other state: play is
followed from the starts, frontier by frontier, and each state is expanded once, when it is first reached. Its
children are then looked up once, for their labels and to mark them as reached. A state without a mark at the
end is an error. No state is stored twice, as the rules determine its stage: its tier, or the only stage.

In a folded file a child is replaced by the canonical state of its class, and `solver.proof.packed.symmetry`
proves that each state stands for its class. If the rules have symmetries, a file that is not folded is also
proved class by class: one state of each class is expanded, and the others are looked up. If that fails, every
state is expanded.

Keys and labels are decoded once, into arrays that all processes share.
"""
