"""A plan as boards inside boards: each cell that the opponent can fill has the board after the answer.

    x plays 0               the outermost board; in its cell 4:
        o plays 4, x answers 1    the board after that; in its cell 2:
            o plays 2, x answers 6 ...

This is the plan unrolled to a tree, for games in which every move fills one empty cell.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from exporters.boards import Board, cell_filled
from solver.errors import BadPlan, NotLegible
from solver.game import Cell
from solver.plans.plan import Plan, planned_move
from solver.rules import asking
from solver.rules.asking import actions_of, is_over, mover_of, utility_of
from solver.rules.notation import write_action


@dataclass(frozen=True)
class NestedBoard:
    """A position after the owner's answer, or a terminal one, and the boards inside its board."""

    state: Any
    """The state of the game."""
    board: Board
    """The cells of the board."""
    reply: tuple[Cell, ...]
    """The cells that the opponent filled since the outer board, including the last one if a forced move ends
    the game, as such an end has no board of its own."""
    answer: tuple[Cell, ...]
    """The cells that the owner filled after that."""
    last: Cell | None
    """The last cell filled."""
    story: str
    """The moves since the outer board, in words."""
    plies: int
    """The plies from the root of the plan."""
    gain: int | None
    """The owner's gain; None if the game is not over."""
    inside: dict[Cell, "NestedBoard"] = field(default_factory=dict)
    """The boards in the cells that the opponent can fill."""
    goes_on: list[Cell] = field(default_factory=list)
    """The cells whose boards are beyond the depth limit."""


@dataclass(frozen=True)
class NestedBoards:
    """The boards of a map, level by level."""

    levels: list[list[NestedBoard]]
    """The outermost board, the boards in its cells, the boards in their cells, and so on."""
    beyond: int | None
    """The least ply of a board beyond the limits; None if the map is complete."""


def nest(plan: Plan, depth: int | None, levels: int, limit: int) -> NestedBoards:
    """Nest the plan's positions down to `depth` plies, in at most `levels` levels and `limit` boards.

    Raises `NotLegible` if a move does not fill exactly one cell or two moves fill the same cell, and
    `BadPlan` if the plan lacks a move.
    """
    outermost = _answered(plan, plan.game.parse(plan.root), (), [], 0)
    grown = [[outermost]]
    while True:
        deeper = [inner for outer in grown[-1] for inner in _inside(plan, outer, depth)]
        if not deeper:
            return NestedBoards(grown, None)
        if len(grown) == levels or sum(map(len, grown)) + len(deeper) > limit:
            return NestedBoards(grown, min(inner.plies for inner in deeper))
        grown.append(deeper)


def _inside(plan: Plan, outer: NestedBoard, depth: int | None) -> Iterator[NestedBoard]:
    game = plan.game
    for action in actions_of(game, outer.state):
        cell, state = _played(plan, outer.state, action)
        if cell in outer.inside or cell in outer.goes_on:
            raise _unfit(f"two moves fill the same cell in {game.position(outer.state)!r}")
        verb = f"{game.players[1 - plan.owner]} plays {write_action(game, action)}"
        inner = _answered(plan, state, (cell,), [verb], outer.plies + 1)
        if depth is not None and inner.plies > depth:
            outer.goes_on.append(cell)
        else:
            outer.inside[cell] = inner
            yield inner


def _answered(plan: Plan, state: Any, reply: tuple[Cell, ...], story: list[str], plies: int) -> NestedBoard:
    game, answer = plan.game, []
    last = reply[0] if reply else None
    while (actions := actions_of(game, state)) and mover_of(game, state) == plan.owner:
        name = planned_move(plan, state)
        if plan.cut and name is None:
            plies += 1  # at least: it is below the cut
            break
        action = next((action for action in actions if write_action(game, action) == name), None)
        if action is None:
            raise BadPlan(f"the plan has no legal move for the position {game.position(state)!r}")
        last, state = _played(plan, state, action)
        answer.append(last)
        verb = "answers" if reply and len(answer) == 1 else "plays"
        story = [*story, f"{plan.owner_name} {verb} {write_action(game, action)}"]
    plies += len(answer)
    is_forced = len(actions) == 1 and mover_of(game, state) != plan.owner
    if is_forced and is_over(game, game.result(state, actions[0])):
        last, state = _played(plan, state, actions[0])
        reply, plies = (*reply, last), plies + 1
        other, move = game.players[1 - plan.owner], write_action(game, actions[0])
        story, actions = [*story, f"{other} plays {move}"], ()
    gain = None if actions else plan.gain(utility_of(game, state))
    board = drawable_board(plan, state)
    return NestedBoard(state, board, reply, tuple(answer), last, ", ".join(story), plies, gain)


def drawable_board(plan: Plan, state: Any) -> Board:
    """The board of a state; raises `NotLegible` if the game has none."""
    board = asking.board_of(plan.game, state)
    if not board or not all(board):
        raise _unfit(f"{plan.game.position(state)!r} has none")
    return board


def _played(plan: Plan, state: Any, action: Any) -> tuple[Cell, Any]:
    after = plan.game.result(state, action)
    cell = cell_filled(drawable_board(plan, state), drawable_board(plan, after))
    if cell is None:
        raise _unfit(f"the move {write_action(plan.game, action)} does not")
    return cell, after


def _unfit(but: str) -> NotLegible:
    return NotLegible(
        f"a map is for games in which each move fills an empty cell of a board, and {but}: "
        "use --format svg or --format json"
    )
