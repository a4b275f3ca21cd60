"""The plan that has the first of the best moves everywhere, independent of how plans are chosen."""

from solver import Database, Plan
from solver.game import FIRST


def first_best(db: Database, position: str | None = None, *, owner: str | None = None) -> Plan:
    """The plan from a position (default: the start) for a player (default: the one to move)."""
    root = db[db.start if position is None else position]
    player = db.game.player(root.to_move if owner is None else owner)
    gain = root.value if player == FIRST else -root.value
    moves, met = dict[str, str | int](), [root.position]
    for text in met:  # which grows meanwhile
        entry = db[text]
        children = entry.moves_by_action
        if entry.moves and db.game.player(entry.to_move) == player:
            children = tuple(move for move in entry.moves if move.best)[:1]
            moves[text] = children[0].move
        met += [child for child in dict.fromkeys(move.position for move in children) if child not in met]
    goal = "win" if gain > 0 else "draw"
    return Plan(db.game, player, goal, root.position, root.value, moves, db.start, db.endless)
