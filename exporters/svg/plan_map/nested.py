"""A plan as boards inside boards: in each cell that the other can fill, the whole board after the answer.

    x plays 0               the outermost board; in its cell 4:
        o plays 4, x answers 1    the board after that; in its cell 2:
            o plays 2, x answers 6 ...

That is the plan written out for each way of play, for games in which every move fills one empty cell.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from exporters.boards import Board, cell_filled
from solver.errors import BadPlan, NotLegible
from solver.game import Cell
from solver.plans.plan import Plan, planned_move
from solver.rules import asking
from solver.rules.asking import actions_of, is_over, mover_of, utility_of


@dataclass(frozen=True)
class Nested:
    """A position after the owner's answer, or an end, and the boards inside its board."""

    state: Any
    """The position, as the game has it."""
    board: Board
    """Its cells."""
    reply: tuple[Cell, ...]
    """The cells that the other filled: since the board around it, and with the only move left, if that ends
    the game; such an end has no board of its own."""
    answer: tuple[Cell, ...]
    """The cells that the owner filled after the reply."""
    last: Cell | None
    """The cell that was filled last."""
    story: str
    """What was played since the board around it, in words."""
    plies: int
    """How far it is from the root of the plan."""
    gain: int | None
    """What the owner has got, where the game is over."""
    inside: dict[Cell, "Nested"] = field(default_factory=dict)
    """The boards in the cells that the other can fill."""
    goes_on: list[Cell] = field(default_factory=list)
    """The cells in which boards are left out, as they lie too deep."""


@dataclass(frozen=True)
class Nest:
    """Boards inside boards."""

    levels: list[list[Nested]]
    """The outermost board, those in its cells, those in their cells, ..."""
    beyond: int | None
    """The plies of the least deep board that there was no room for; None if all are there."""

    @property
    def boards(self) -> int:
        """How many there are."""
        return sum(map(len, self.levels))


def nest(plan: Plan, depth: int | None, levels: int, most: int) -> Nest:
    """The plan's positions down to `depth` plies, as up to `most` boards at `levels` levels.

    Raises `NotLegible` where a move does not fill just one cell, or two fill the same, and `BadPlan`.
    """
    outermost = _answered(plan, plan.game.parse(plan.root), (), [], 0)
    grown = [[outermost]]
    while True:
        deeper = [inner for outer in grown[-1] for inner in _inside(plan, outer, depth)]
        if not deeper:
            return Nest(grown, None)
        if len(grown) == levels or sum(map(len, grown)) + len(deeper) > most:
            return Nest(grown, min(inner.plies for inner in deeper))
        grown.append(deeper)


def _inside(plan: Plan, outer: Nested, depth: int | None) -> Iterator[Nested]:
    """The boards inside the board `outer`, into which they are put unless they are too deep."""
    game = plan.game
    for action in actions_of(game, outer.state):
        cell, state = _played(plan, outer.state, action)
        if cell in outer.inside or cell in outer.goes_on:
            raise _unfit(plan, f"two moves fill the same cell in {game.position(outer.state)!r}")
        verb = f"{game.players[1 - plan.owner]} plays {game.action_name(action)}"
        inner = _answered(plan, state, (cell,), [verb], outer.plies + 1)
        if depth is not None and inner.plies > depth:
            outer.goes_on.append(cell)
        else:
            outer.inside[cell] = inner
            yield inner


def _answered(plan: Plan, state: Any, reply: tuple[Cell, ...], story: list[str], plies: int) -> Nested:
    """The board after what the owner does in `state`, be it nothing."""
    game, answer = plan.game, []
    last = reply[0] if reply else None
    while (actions := actions_of(game, state)) and mover_of(game, state) == plan.owner:
        action = _chosen(plan, state, actions)
        last, state = _played(plan, state, action)
        answer.append(last)
        verb = "answers" if reply and len(answer) == 1 else "plays"
        story = [*story, f"{plan.owner_name} {verb} {game.action_name(action)}"]
    plies += len(answer)
    if len(actions) == 1 and is_over(game, game.result(state, actions[0])):
        last, state = _played(plan, state, actions[0])
        reply, plies = (*reply, last), plies + 1
        other, move = game.players[1 - plan.owner], game.action_name(actions[0])
        story, actions = [*story, f"{other} plays {move}"], ()
    gain = None if actions else plan.gain(utility_of(game, state))
    board = board_of(plan, state)
    return Nested(state, board, reply, tuple(answer), last, ", ".join(story), plies, gain)


def _chosen(plan: Plan, state: Any, actions: Sequence[Any]) -> Any:
    """The owner's action in `state`, that of its class where the plan is folded."""
    name = planned_move(plan, state)
    for action in actions:
        if plan.game.action_name(action) == name:
            return action
    raise BadPlan(f"the plan has no legal move for the position {plan.game.position(state)!r}")


def board_of(plan: Plan, state: Any) -> Board:
    """The cells of a position; raises `NotLegible` where the game has no board."""
    board = asking.board_of(plan.game, state)
    if not board or not all(board):
        raise _unfit(plan, f"{plan.game.position(state)!r} has none")
    return board


def _played(plan: Plan, state: Any, action: Any) -> tuple[Cell, Any]:
    """The one cell that `action` fills, and the state after it; raises `NotLegible` if it does more."""
    after = plan.game.result(state, action)
    cell = cell_filled(board_of(plan, state), board_of(plan, after))
    if cell is None:
        raise _unfit(plan, f"the move {plan.game.action_name(action)} does not")
    return cell, after


def _unfit(plan: Plan, but: str) -> NotLegible:
    return NotLegible(
        f"a map is for games in which each move fills an empty cell of a board, and {but}: "
        "use --format svg or --format json"
    )
