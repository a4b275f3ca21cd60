"""Positions of morris as text: the points row by row, then what they leave open.

Where three in a line win, that is the side to move, which is left out while it is the one that placing in
turn makes it. With mills it is the side to move; the number of stones that both have yet to place, unless it
is 0; and `takes` when that side has closed a mill: `xxx/.../..../oo./... x 7 takes`.
"""

from solver.games.grid import marks_of, state_of, written
from solver.games.morris_rules import LineRules, MillRules, MorrisRules
from solver.games.sides import cells_and_side, lead, side_with_fewer, unreadable, with_side

PLAYERS = ("x", "o")


def text_of(rules: MorrisRules, state: int) -> str:
    """The text of a state."""
    marks = marks_of(state, rules.points.size)
    board = written(rules.points.by_row(marks))
    if isinstance(rules, MillRules):
        left = 2 * rules.points.stones - rules.count(state)
        takes = ["takes"] if state >> rules.takes & 1 else []
        return " ".join([board, PLAYERS[state & 1], *([str(left)] if left else []), *takes])
    placing = len(marks) - marks.count("") < 2 * rules.points.stones
    return with_side(board, PLAYERS, state & 1, lead(marks) if placing else None)


def line_state(rules: LineRules, text: str) -> int:
    """The state of a text, three in a line winning; raises `UnreadablePosition` if it describes none."""
    points = rules.points
    wanted = (
        f"{points.size} points of x, o or . with at most {points.stones} of each, then x or o to "
        "say who is to move; that side has not won before"
    )
    marks, side = cells_and_side(text, PLAYERS, points.size, "xo", wanted)
    state = state_of(side_with_fewer(marks) if side is None else side, marks)
    if max(marks.count("x"), marks.count("o")) > points.stones or points.held(rules.stones(state)[0]):
        raise unreadable(text, wanted)
    return state


def mill_state(rules: MillRules, text: str) -> int:
    """The state of a text, three in a line being a mill; raises `UnreadablePosition` if it describes none."""
    points = rules.points
    wanted = (
        f"{points.size} points of x, o or ., then x or o to say who is to move, then how many of the "
        f"{2 * points.stones} stones are left to place, unless none is, then takes if that side takes one"
    )
    words = text.lower().split()
    takes = words[-1:] == ["takes"]
    if takes:
        words.pop()
    left = words.pop() if words[-1:] and words[-1].isdecimal() else "0"
    marks, side = cells_and_side(" ".join(words), PLAYERS, points.size, "xo", wanted)
    placed = 2 * points.stones - int(left) if len(left) < 3 else -1
    if side is None or not _can_arise(rules, marks, side, placed, takes):
        raise unreadable(text, wanted)
    return state_of(side, marks) | placed << rules.placed | takes << rules.takes


def _can_arise(rules: MillRules, marks: str, side: int, placed: int, takes: bool) -> bool:
    """Whether the stones, the side to move and the number of stones placed agree."""
    points = rules.points
    if not (marks.count("x") <= (placed + 1) // 2 and marks.count("o") <= placed // 2):
        return False
    if placed < 2 * points.stones and side != (placed - takes) & 1:
        return False
    own, other = rules.stones(state_of(side, marks))
    return not takes or bool(points.held(own) and other)
