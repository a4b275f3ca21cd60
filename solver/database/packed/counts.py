"""Whether the table of counts of a packed file makes sense, before anything is sought by it."""

from collections.abc import Sequence
from typing import Any

from solver.database.packed.writer import Count

MOST_PLIES = 2**31 - 1
"""More plies play does not have."""

MOST_STATES = 2**63 - 1
"""There are no more different keys."""


def wrong_counts(
    rows: Sequence[tuple[Any, ...]], values: tuple[int, int], states: int, terminal: int
) -> str | None:
    """What is wrong with the rows of the table, in words; None where nothing is.

    The file says that there are so many `states`, `terminal` ones among them, with values in this range.
    """
    counts = [Count(*row) for row in rows]
    for count in counts:
        if not _is_sound(count, *values):
            return (
                f"there cannot be {count.states} states of ply {count.ply}, value {count.value}, "
                f"remoteness {count.remoteness}"
            )
    plies = {count.ply for count in counts}
    if not plies or len(plies) <= max(plies):
        return "plies do not follow each other from 0 on"
    if sum(count.states for count in counts) != states:
        return f"there are not {states:,} states"
    if sum(count.states for count in counts if count.is_terminal) != terminal:
        return f"there are not {terminal:,} terminal states"
    return None


def _is_sound(count: Count, least: int, greatest: int) -> bool:
    """Whether there can be states of this kind."""
    ply, is_terminal, to_move, value, remoteness, states = count
    return (
        _is_within(ply, 0, MOST_PLIES)
        and _is_within(is_terminal, 0, 1)
        and _is_within(to_move, 0, 1)
        and _is_within(value, least, greatest)
        and (remoteness is None or _is_within(remoteness, 0, MOST_PLIES))
        and _is_within(states, 1, MOST_STATES)
    )


def _is_within(number: int | None, least: int, greatest: int) -> bool:
    return number is not None and least <= number <= greatest
