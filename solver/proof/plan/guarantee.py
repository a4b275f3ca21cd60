"""The guarantee of a proved plan: the owner's least gain, and what errors of the other player add."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from solver.plans.plan import Plan
from solver.proof.plan.order import backwards, forwards, least_gains
from solver.proof.plan.reachable import Key, Reachable


@dataclass(frozen=True)
class Guarantee:
    """The guarantee of a proved plan; gains are utilities for the owner."""

    gain: int
    """The owner's least utility."""
    plies: int | None
    """The length in plies of the longest line of play; None if play may be endless."""
    positions: int
    """The number of reachable positions."""
    unused: int
    """The number of choices for unreachable positions."""
    best: int
    """The owner's greatest utility, if the other player errs."""
    ends: Mapping[int, int]
    """The number of reachable ends by the owner's utility there, best first."""
    replies: int
    """The number of replies in all positions where the owner is not sure to win yet."""
    errors: int
    """The number of those replies after which the owner is sure to win."""
    soonest: int | None
    """The length in plies of the shortest line to a win; None if there is none."""
    latest: int | None
    """The length in plies of the longest line to a win; None if there is none or no bound."""
    after_error: int | None
    """The most plies from an error to a win; None if there is no error or no bound."""


def measured(plan: Plan, reachable: Reachable, unused: int) -> Guarantee:
    """The guarantee of the plan whose play is `reachable`."""
    finite = backwards(reachable)
    gains = least_gains(reachable, finite, plan.endless_gain)
    endless = len(finite) < len(reachable)
    root = next(iter(reachable))
    ends = {key[0]: node.gain for key, node in reachable.items() if node.gain is not None}
    wins = [key for key, node in reachable.items() if node.gain is not None and node.gain > 0]
    replies, errors = _replies(reachable, gains)
    return Guarantee(
        gain=gains[root],
        plies=None if endless else finite[root],
        positions=len({position for position, _ in reachable}),
        unused=unused,
        best=max([*ends.values(), *([plan.endless_gain] if endless else [])]),
        ends=dict(sorted(Counter(ends.values()).items(), reverse=True)),
        replies=replies,
        errors=len({(position, move) for (position, _), move, _ in errors}),
        soonest=min((reachable[key].depth for key in wins), default=None),
        latest=_longest(wins, forwards(reachable)),
        after_error=_longest([child for _, _, child in errors], finite),
    )


def _replies(reachable: Reachable, gains: Mapping[Key, int]) -> tuple[int, list[tuple[Key, str | int, Key]]]:
    """The number of replies where the owner is not sure to win, and those after which it is."""
    open_keys = [key for key, node in reachable.items() if not node.owned and gains[key] <= 0]
    replies = [(key, move, child) for key in open_keys for move, child in reachable[key].following]
    errors = [(key, move, child) for key, move, child in replies if gains[child] > 0]
    return len({(position, move) for (position, _), move, _ in replies}), errors


def _longest(keys: list[Key], order: Mapping[Key, int]) -> int | None:
    """The greatest length in `order` of any of the keys; None if it lacks a key, or there are none."""
    return max((order[key] for key in keys), default=None) if all(key in order for key in keys) else None
