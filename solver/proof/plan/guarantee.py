"""The guarantee of a proved plan, as numbers and in words: its least gain, and what errors add to it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from solver.database.wording import plies
from solver.plans.plan import Plan
from solver.plans.wording import guarantee
from solver.proof.plan.reachable import Key, Reachable, backwards, forwards, least_gains
from solver.system.words import number_of


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
    """The number of replies in all positions in which the owner is not yet sure to win."""
    errors: int
    """The number of those replies after which the owner is sure to win."""
    soonest: int | None
    """The length in plies of the shortest line to a win; None if there is none."""
    latest: int | None
    """The length in plies of the longest line to a win; None if there is none or no bound."""
    after_error: int | None
    """The most plies from an error to a win; None if there is no error or no bound."""


def measured(plan: Plan, reachable: Reachable, unused: int) -> Guarantee:
    """The guarantee of a plan by which play is `reachable`."""
    finite = backwards(reachable)
    gains = least_gains(reachable, finite, plan.endless_gain)
    endless = len(finite) < len(reachable)
    root = next(iter(reachable))
    ends = {key[0]: node.gain for key, node in reachable.items() if node.gain is not None}
    wins = [key for key, node in reachable.items() if node.gain is not None and node.gain > 0]
    replies, errors = _replies(reachable, gains)
    wins_at_an_end = not (endless and plan.endless_gain > 0)
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
        latest=_longest(wins, forwards(reachable)) if wins_at_an_end else None,
        after_error=_longest([child for _, _, child in errors], finite) if wins_at_an_end else None,
    )


def _replies(reachable: Reachable, gains: Mapping[Key, int]) -> tuple[int, list[tuple[Key, str | int, Key]]]:
    """The number of replies in positions where the owner is not sure to win yet, and the errors of these."""
    open_keys = [key for key, node in reachable.items() if not node.owned and gains[key] <= 0]
    replies = [(key, move, child) for key in open_keys for move, child in reachable[key].following]
    errors = [(key, move, child) for key, move, child in replies if gains[child] > 0]
    return len({(position, move) for (position, _), move, _ in replies}), errors


def _longest(keys: list[Key], order: Mapping[Key, int]) -> int | None:
    """The greatest length in `order` of the keys; None if `order` lacks one, or there are no keys."""
    return max((order[key] for key in keys), default=None) if all(key in order for key in keys) else None


def promise(plan: Plan, proved: Guarantee) -> str:
    """The guarantee in words: the owner's least gain, and what it gains if the other player errs."""
    owner, other, scored = plan.owner_name, plan.game.players[1 - plan.owner], plan.scored
    at_least = guarantee(owner, proved.gain, proved.plies, scored=scored)
    if proved.best == proved.gain:
        return at_least + (f" and never wins, whatever {other} does" if proved.gain == 0 else "")
    most = f" by up to {proved.best}" if scored else ""
    if proved.gain > 0:
        return f"{at_least}, and{most} if {other} errs"
    if proved.best <= 0:
        errs = f"; if {other} errs, by {-proved.best} at best" if proved.best else f"; draws if {other} errs"
        return at_least + errs
    if not proved.errors:
        return f"{at_least}; wins if {other} goes on for ever"
    losing = f"{proved.errors:,} of {proved.replies:,} replies {'lose' if proved.errors > 1 else 'loses'}"
    return f"{at_least}; wins{most}{_when(proved)} if {other} errs ({losing})"


def _when(proved: Guarantee) -> str:
    if proved.latest is not None:
        first = "" if proved.soonest == proved.latest else f", {proved.soonest} at the soonest,"
        return f" in at most {plies(proved.latest)}{first}"
    if not proved.after_error:
        return "" if proved.after_error is None else " at once"
    return f" at most {plies(proved.after_error)} later"


def tally(ends: Mapping[int, int], *, scored: bool) -> str:
    """The number of ends by the owner's gain, in words: "3 ends: 2 won, 1 drawn"."""
    counts = dict[str, int]()
    for gain, count in ends.items():
        words = "won" if gain > 0 else "lost" if gain else "drawn"
        words += f" by {abs(gain)}" if scored and gain else ""
        counts[words] = counts.get(words, 0) + count
    total = sum(ends.values())
    parts = ", ".join(f"{count:,} {words}" for words, count in counts.items())
    return f"{number_of(total, 'end')}: {parts}" if ends else "no ends"
