"""What a proved plan is good for: what its owner gets at least, and what more by errors of the other."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from solver.plans.plan import Plan
from solver.proof.plan.order import backwards, forwards, least_gains
from solver.proof.plan.reachable import Key, Reachable


@dataclass(frozen=True)
class Guarantee:
    """What a proved plan is good for. All gains are utilities from the owner's side."""

    gain: int
    """The least utility that the owner gets."""
    plies: int | None
    """The plies of the longest line of play; None when play may go on for ever."""
    positions: int
    """How many positions can arise."""
    unused: int
    """How many choices the plan has for positions that cannot arise."""
    best: int
    """The most that the owner can get, by errors of the other player."""
    ends: Mapping[int, int]
    """How many of the positions are ends, by what the owner gets there, the best first."""
    replies: int
    """How many replies the other player has, in all positions where the owner has not won for sure."""
    errors: int
    """After how many of those the owner wins for sure."""
    soonest: int | None
    """The plies of the shortest line that ends with a win; None when there is none."""
    latest: int | None
    """The plies of the longest line that ends with a win; None when there is none or no bound."""
    after_error: int | None
    """The plies within which an error is turned into a win; None when there is none or no bound."""


def measured(plan: Plan, reachable: Reachable, unused: int) -> Guarantee:
    """What the plan guarantees whose lines of play are `reachable`."""
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
    """How many replies there are where the owner has not won yet, and those after which it has."""
    open_keys = [key for key, node in reachable.items() if not node.owned and gains[key] <= 0]
    replies = [(key, move, child) for key in open_keys for move, child in reachable[key].following]
    errors = [(key, move, child) for key, move, child in replies if gains[child] > 0]
    return len({(position, move) for (position, _), move, _ in replies}), errors


def _longest(keys: list[Key], order: Mapping[Key, int]) -> int | None:
    """The greatest number that `order` has for one of the keys; None when it lacks one, or there is none."""
    return max((order[key] for key in keys), default=None) if all(key in order for key in keys) else None
