"""Proves from the rules alone that a plan is total and keeps its promise, or finds a line that breaks it.

A plan promises a gain. It keeps the promise if no line of play that follows it ends with less, and if no line
is endless in case endless play is worth less than the promise or the goal: then the reachable positions must
have no cycle. So a plan with the goal `win` must reach an end unless endless play wins for its owner, and a
plan with the goal `draw` may be endless unless endless play wins for the other player.

A folded plan is followed through the positions themselves, not their classes: a symmetry only determines
which move the owner makes, and if it is false, some line shows it. A plan in JSON is proved twice: for an
owner who knows the rules, and for one who has only its tables. Entries for unreachable positions must be
true, too.
"""

from solver.proof.plan.guarantee import Guarantee
from solver.proof.plan.verify import verify_document, verify_plan

__all__ = ["Guarantee", "verify_document", "verify_plan"]
