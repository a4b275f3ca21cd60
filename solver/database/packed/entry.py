"""What is known of one packed state, given its ply and its label: its moves are worth what they lead to."""

from solver.database.entry import Entry, Move, Probe, outcome_of
from solver.database.packed.probe import Shelf
from solver.rules.asking import actions_of, is_over, mover_of
from solver.rules.notation import write_action, write_position


def entry_of(shelf: Shelf, state: int, ply: int, label: int) -> Entry:
    """The entry of a state that has, or whose representative has, this label."""
    rules, form = shelf.rules, shelf.form
    mover, value = mover_of(rules, state), form.value(label)
    moves = tuple(_move(shelf, state, action, ply, label) for action in actions_of(rules, state))
    return Entry(
        position=write_position(rules, state),
        to_move=rules.players[mover],
        ply=ply,
        value=value,
        outcome=outcome_of(value, mover),
        remoteness=_plies(shelf, label, ply, over=not moves),
        best_move=next((move.move for move in moves if move.best), None),
        is_terminal=not moves,
        moves=moves,
        game=rules,
    )


def probe_of(shelf: Shelf, state: int, ply: int, label: int) -> Probe:
    """The labels and the best moves of a state that has, or whose representative has, this label."""
    rules = shelf.rules
    actions = actions_of(rules, state)
    best = [action for action in actions if _is_best(shelf, rules.result(state, action), ply, label)]
    names = tuple(write_action(rules, action) for action in best)
    return Probe(shelf.form.value(label), _plies(shelf, label, ply, over=not actions), names)


def _move(shelf: Shelf, state: int, action: int, ply: int, label: int) -> Move:
    """What an action gets in a state of this ply and label."""
    child = shelf.rules.result(state, action)
    below = shelf.label_of_child(child, ply + 1)
    value = shelf.form.value(below)
    return Move(
        move=write_action(shelf.rules, action),
        position=write_position(shelf.rules, child),
        outcome=outcome_of(value, mover_of(shelf.rules, state)),
        remoteness=_plies(shelf, below, ply, over=False),
        best=below == label,
        value=value,
    )


def _is_best(shelf: Shelf, child: int, ply: int, label: int) -> bool:
    """Whether a move to `child` is a best one in a state of this ply and label."""
    if shelf.form.end(label) == ply + 1 and not is_over(shelf.rules, child):
        return False  # play can end at once, which this does not do: that need not be looked up
    return shelf.label_of_child(child, ply + 1) == label


def _plies(shelf: Shelf, label: int, ply: int, *, over: bool) -> int | None:
    """Plies from `ply` to the end of play; None where play need not end."""
    end = shelf.form.end(label)
    return 0 if over else None if end is None else end - ply
