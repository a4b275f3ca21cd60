"""The outcome of a move as a coloured label: W3 is a win in 3 plies, D a draw, L4 a loss in 4."""

from exporters.palette import OUTCOME_COLOURS, OutcomeColours
from exporters.svg.text import number, text_element
from solver.database.entry import Move
from solver.game import SIGNS

OUTCOME_LETTERS = {"win": "W", "draw": "D", "loss": "L"}

BEST_BORDER, OTHER_BORDER = 5, 2
"""The border widths of best moves and of others."""

LOW_BORDER, LOW = 3.5, 40
"""The border width of a best move in a label lower than this, in which a letter needs the room."""


def outcome_code(move: Move) -> str:
    """The outcome of a move as a letter, and its remoteness, which a draw may lack."""
    if move.outcome == "draw" and move.remoteness is None:
        return OUTCOME_LETTERS["draw"]
    return f"{OUTCOME_LETTERS[move.outcome]}{'∞' if move.remoteness is None else move.remoteness}"


def outcome_label(move: Move | None, width: float, height: float, *, best: bool | None = None) -> str:
    """A rectangle that shows the outcome of a move by its colours, its border and its code.

    `best` overrides whether it is a best move; None is drawn as an empty label with a best move's border.
    """
    thick = (move is None or move.best) if best is None else best
    border = (LOW_BORDER if height < LOW else BEST_BORDER) if thick else OTHER_BORDER
    colours = OUTCOME_COLOURS[SIGNS[move.outcome]] if move else OutcomeColours("#222222", "none")
    parts = [_border(colours, width, height, border, move.outcome if move else "win")]
    if move:
        size = min(24, height * 0.62)
        middle = height / 2 + size * 0.36
        look = f'class="bold" style="fill:{colours.border}"'
        room = width - 2 * (border + (7 if move.outcome == "loss" else 4))
        code = outcome_code(move)
        parts.append(text_element(code, width / 2, middle, size, room, anchor="middle", look=look))
    return "".join(parts)


def _border(colours: OutcomeColours, width: float, height: float, thick: float, outcome: str) -> str:
    """The background and the border: solid for a win, dotted for a draw, double for a loss."""
    dashes = f' stroke-dasharray=".1 {number(2 * thick)}" stroke-linecap="round"' if outcome == "draw" else ""
    look = f'fill="{colours.ground}" stroke-width="{thick}"{dashes}'
    outer = _rect(width, height, thick / 2, look, colours.border)
    if outcome != "loss":
        return outer
    return outer + _rect(width, height, thick + 2, 'fill="none" stroke-width="1"', colours.border)


def _rect(width: float, height: float, inset: float, attributes: str, stroke: str) -> str:
    return (
        f'<rect x="{number(inset)}" y="{number(inset)}" width="{number(width - 2 * inset)}" '
        f'height="{number(height - 2 * inset)}" stroke="{stroke}" {attributes}/>'
    )
