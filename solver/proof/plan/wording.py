"""The guarantee of a proved plan in words for people."""

from collections.abc import Mapping

from solver.database.wording import plies
from solver.plans.plan import Plan
from solver.plans.wording import guarantee
from solver.proof.plan.guarantee import Guarantee


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
    losing = f"{proved.errors:,} of {proved.replies:,} replies {'lose' if proved.errors > 1 else 'loses'}"
    return f"{at_least}; wins{most}{_when(proved)} if {other} errs ({losing})"


def _when(proved: Guarantee) -> str:
    """In how many plies an error leads to a win, as far as there is a bound."""
    if proved.latest is not None:
        first = "" if proved.soonest == proved.latest else f", {proved.soonest} at the soonest,"
        return f" in at most {plies(proved.latest)}{first}"
    return "" if proved.after_error is None else f" at most {plies(proved.after_error)} later"


def tally(ends: Mapping[int, int], *, scored: bool) -> str:
    """The number of ends by the owner's gain, in words: "3 ends: 2 won, 1 drawn"."""
    kinds = dict[str, int]()
    for gain, count in ends.items():
        kind = "won" if gain > 0 else "lost" if gain else "drawn"
        kind += f" by {abs(gain)}" if scored and gain else ""
        kinds[kind] = kinds.get(kind, 0) + count
    total = sum(ends.values())
    each = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
    return f"{total:,} {'end' if total == 1 else 'ends'}: {each}" if ends else "no ends"
