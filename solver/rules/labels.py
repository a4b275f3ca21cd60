"""The definition of labels: minimax value, remoteness and best moves of a state, from its children's labels.

Every engine, layout and player follows it. Let e, in the code `endless_value`, be the value of endless play
for the first player: 0 (`--endless draw`), 1 (`first`) or -1 (`second`).

value        the utility, for the first player, of best play by both; e if neither player can force an end
             that this player prefers to endless play.
hurrier      the player who wants play of value v to end: the first if v > e, the second if v < e, as endless
             play would give that player less. If v = e, it is the player who wins endless play, and so wins
             either way, but ends play if possible; if v = e = 0, it is nobody.
remoteness   plies to the end if the hurrier hurries and the other player delays; 0 in a terminal state. None
             if no end is forced: nobody hurries, or the hurrier cannot force an end. So the remoteness of a
             draw is None if endless play is a draw; if it is not, the draw is an end, a number of plies away.
best         a move that keeps the value and the remoteness; if nobody hurries, one that keeps the value.

So a drawn end and endless play have different labels for every e, and a game without loops has the same
values for every e. `solver.proof.readable_row` and `solver.proof.packed` derive labels without this module,
as they share no code with what they prove.
"""

from collections.abc import Iterable

from solver.errors import UsageError
from solver.game import ENDLESS, FIRST, SECOND, winner_of

Label = tuple[int, int | None]
"""The value of a state, for the first player, and its remoteness in plies."""


def endless_utility(endless: str) -> int:
    """The utility of endless play for the first player; raises `UsageError` for no key of `ENDLESS`."""
    if endless not in ENDLESS:
        raise UsageError(f"endless play cannot go to {endless!r}; it can go to {', '.join(ENDLESS)}")
    return ENDLESS[endless]


def hurrier(value: int, endless_value: int) -> int | None:
    """The player (0 or 1) who hurries to end play of this value; None if nobody does."""
    if value == endless_value:
        return winner_of(endless_value)
    return FIRST if value > endless_value else SECOND


def before(child: Label, endless_value: int) -> Label:
    """The label of a state from which best play leads to `child`."""
    value, remoteness = child
    if remoteness is None or hurrier(value, endless_value) is None:
        return value, None
    return value, remoteness + 1


def label_of(mover: int, children: Iterable[Label], endless_value: int) -> Label:
    """The label of a state in which `mover` is to move, from the labels of its children, at least one.

    If play can return to the state, its label satisfies this equation, too, but may not be its only solution.
    """
    offers = [before(child, endless_value) for child in children]
    value = (max if mover == FIRST else min)(value for value, _ in offers)
    plies = [remoteness for offered, remoteness in offers if offered == value]
    finite = [remoteness for remoteness in plies if remoteness is not None]
    if hurrier(value, endless_value) == mover:
        return value, min(finite, default=None)
    return value, max(finite) if len(finite) == len(plies) else None
