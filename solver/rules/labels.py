"""What labels mean: a state's minimax value, its remoteness and its best moves, from its children's labels.

This is the definition that every engine, layout and player follows. Let `level` be what endless play is worth
to the first player: 0 (`--endless draw`), 1 (`first`) or -1 (`second`).

value        the best utility, for the first player, that both sides can force; `level` where neither side can
             force an end that is better for it than endless play.
hurrier      who wants to end play where the value is v: the first player if v > level, the second if
             v < level, as endless play would get them less. Where v = level it is the one who gets endless
             play: that player has won either way, and ends play where it can. Where v = level = 0 nobody.
remoteness   plies to the end when the hurrier hurries and the other delays; 0 in a terminal state. None where
             play need not end: nobody hurries, or the hurrier has no end to force. So a draw has None if
             endless play is a draw, and a number if it is not: there, a draw is an end to be reached.
best         a move that keeps the value and the remoteness; where nobody hurries, one that keeps the value.

A drawn end and endless play are two things, then, whatever endless play is worth; and a game that cannot go
on for ever has the same values by each `level`. `solver.proof.readable.row` and `solver.proof.packed`
derive the same without this module, as they share no code with what they prove.
"""

from collections.abc import Iterable

from solver.game import FIRST, SECOND, winner_of

Label = tuple[int, int | None]
"""The value of a state, for the first player, and its remoteness in plies."""


def hurrier(value: int, level: int) -> int | None:
    """The player (0 or 1) who hurries to end play that is worth `value`; None where nobody does."""
    if value == level:
        return winner_of(level)
    return FIRST if value > level else SECOND


def before(child: Label, level: int) -> Label:
    """The label of a state from which best play leads to `child`."""
    value, remoteness = child
    if remoteness is None or hurrier(value, level) is None:
        return value, None
    return value, remoteness + 1


def label_of(mover: int, children: Iterable[Label], level: int) -> Label:
    """The label of a state in which `mover` is to move, from those of its children, one or more.

    Where play can return to the state this holds of its label, but does not alone determine it.
    """
    offers = [before(child, level) for child in children]
    value = (max if mover == FIRST else min)(value for value, _ in offers)
    plies = [remoteness for offered, remoteness in offers if offered == value]
    known = [remoteness for remoteness in plies if remoteness is not None]
    if hurrier(value, level) == mover:
        return value, min(known, default=None)
    return value, max(known) if len(known) == len(plies) else None
