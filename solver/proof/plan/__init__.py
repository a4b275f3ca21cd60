"""Proves from the rules alone that a plan is total and keeps its promise, or finds what breaks it.

A plan promises a gain. It keeps the promise when no line of play that follows it ends with less, and none
goes on for ever where endless play is worth less. Nor may a line go on for ever where endless play is not
worth the goal: then the positions that the plan can meet must not form a circle. So the goal `win` must be
reached, unless endless play is the owner's; and `draw` may go round, unless endless play is the other's.

Lines are followed in the positions themselves, also where one position of the plan stands for all that are
symmetric to it: a symmetry says no more than what the owner then does, and if it is false, some line shows
it. A plan in JSON is proved twice, for an owner who knows the rules, and for one who has nothing but its
tables; and what they say of positions that cannot arise has to be true as well.
"""

from solver.proof.plan.guarantee import Guarantee
from solver.proof.plan.verify import verify_document, verify_plan

__all__ = ["Guarantee", "verify_document", "verify_plan"]
