"""Proves a readable file from the rules, row by row; shares no code with the engines that made it.

Why local checks prove the whole file. Let every row agree with the rules and with the rows of its children as
`solver.proof.readable.row` demands, and let e be the value of endless play: 0, or 1 or -1 if it is a win for
a player.

- In every row, no move leads to a value better for the player to move, and some move keeps the value. So a
  player who keeps the value gets no less than it at every end of the game, and e in endless play.
- That proves a value of e for both players, and a value above e for the second player, for whom endless play
  would be even better. The first player must bring the game to an end. This follows from the remoteness by
  induction: the first player has a move, and every move of the second leads, to a row of the same value with
  a smaller remoteness, or to a row of a better value, of which there are finitely many. A value below e is
  proved likewise, with the players exchanged.
- In a row with the value e, if e is not 0, the player who wins endless play hurries to end the game. A
  remoteness that is not null is right by the same induction. If it is null, every move of that player that
  keeps the value, and some move of the other, leads to a row whose remoteness is null, too: the other can
  play on for ever.

Every row is reachable: the first rows are the initial states of the rules, or one start of the file's own,
and all rows are numbered in the order in which breadth-first search discovers them. In a folded file a row
stands for a class of symmetric states, which `solver.proof.readable.symmetry` proves.
"""

from solver.proof.readable.walk import verify_readable

__all__ = ["verify_readable"]
