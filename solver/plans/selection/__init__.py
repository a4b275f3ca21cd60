"""Which move a plan has where its owner may choose: a small plan, fast, or the smallest.

What may be chosen is an AND-OR graph (`choices`). Where play in it can go round, a plan that must come to an
end has to make progress (`cycles`). A fast plan (`greedy`) begins with the smallest tree (`trees`) and then
merges. The smallest merged plan (`merged`) is a question to an exact solver (`exact`), which need not look at
choices that are symmetric (`symmetric`). `making` is what others call.
"""

from solver.plans.selection.choose import SizedPlan, choose_plan, make_plan

Sized = SizedPlan
"""The public name of the class."""

__all__ = ["Sized", "SizedPlan", "choose_plan", "make_plan"]
