"""Folded plans for tests: for each class of symmetric positions, the first best move of the canonical one."""

from dataclasses import replace

from solver import Database, Plan, make_plan
from solver.rules.asking import representative
from solver.rules.notation import read_position


def folded_plan(db: Database, position: str | None = None, *, owner: str | None = None) -> Plan:
    """The plan that `make_plan` makes, over classes of symmetric positions."""
    plan = make_plan(db, position, owner=owner)
    game, moves = plan.game, dict[str, str | int]()
    queue = [representative(game, read_position(game, plan.root))]
    met = set(queue)
    for state in queue:  # the loop appends to it
        actions = game.actions(state)
        if actions and game.to_move(state) == plan.owner:
            best = db[game.position(state)].best_move
            assert best is not None
            moves[game.position(state)] = best
            actions = [action for action in actions if game.action_name(action) == best]
        children = [representative(game, game.result(state, action)) for action in actions]
        queue += [child for child in dict.fromkeys(children) if child not in met]
        met.update(children)
    return replace(plan, moves=moves, folded=True)
