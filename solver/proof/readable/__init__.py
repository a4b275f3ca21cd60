"""Proves a readable file, row by row, from the rules; shares no code with the engines that made it.

Why local checks prove it all. Say every row agrees with the rules and with the rows of its children as
`solver.proof.readable.row` asks, and let e be what endless play is worth: 0, or 1 or -1 where a player gets
it.

- In every row nobody has a move to a better value and the player to move has one that keeps it. So a player
  who keeps the value gets no less at any end of the game, and no less than e where play never ends.
- That proves a value of e for both players, and a value above e for the second player: endless play would be
  better still. The first player must bring the game to an end, which its remoteness proves by induction: the
  first player has a move, and every move of the second leads, to a row of the same value with less
  remoteness, or to one of a better value, of which there are only so many. Likewise below e, with the players
  exchanged.
- In a row with value e that is not 0, who gets endless play hurries. A remoteness that is there is right by
  the same induction. Where it is null, every move of that player that keeps the value, and some move of the
  other, leads to a row whose remoteness is null as well: the other can play on for ever.

And each row is reachable: the first are the initial states of the rules, or one start of the file's own, and
all rows are numbered in the order in which play discovers them. In a folded file each row stands for a class
of symmetric states; `solver.proof.readable.symmetry` says why that is proved as well.
"""

from solver.proof.readable.walk import verify_readable

__all__ = ["verify_readable"]
