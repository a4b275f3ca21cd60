"""The content of a diagram: the positions of an excerpt, with highlighted cells and captions."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exporters.boards import cells_changed
from exporters.diagram.excerpt import Excerpt, excerpt
from exporters.palette import PLAYED, REPLIED
from solver.game import Cell, outcome_sign
from solver.plans.plan import Plan, PlanGraph, unfold
from solver.rules.asking import actions_of, board_of

FEW_POSITIONS = 40
"""Positions up to which there is room for names of moves and captions."""


@dataclass(frozen=True)
class Scene:
    """An excerpt of an unfolded plan, to be drawn."""

    plan: Plan
    graph: PlanGraph
    part: Excerpt

    @cached_property
    def few(self) -> bool:
        """Whether there is room for names of moves and captions."""
        return len(self.part.positions) <= FEW_POSITIONS

    def state(self, position: str) -> Any:
        """The state of a position."""
        return self.graph.nodes[position]["state"]

    def kind(self, position: str) -> str:
        """The kind of node: `or` (the owner to move), `and` (the other player) or `end`."""
        kind: str = self.graph.nodes[position]["kind"]
        return kind

    def sign(self, position: str) -> int:
        """Whether the owner wins (1), draws (0) or loses (-1) there at least."""
        gain: int = self.graph.nodes[position]["gain"]
        return outcome_sign(gain)

    def turned(self, position: str, child: str) -> bool:
        """Whether the board of `child` is a symmetric image of the one that the move leads to."""
        return any(state != self.state(child) for state in self._reached(position, child))

    @cached_property
    def turns(self) -> bool:
        """Whether any board is drawn turned or flipped after a move."""
        return any(self.turned(*move) for move in self.part.moves)

    def backgrounds(self, position: str) -> dict[Cell, str]:
        """The highlighted cells: those changed by the last move and by the owner's next one."""
        before = [each for each, child in self._into.get(position, ()) if not self.turned(each, child)]
        colours = {PLAYED if self.kind(each) == "or" else REPLIED for each in before}
        found: dict[Cell, str] = {}
        if len(colours) == 1 and len(before) == len(self._into[position]):
            found = self._coloured(map(self.state, before), self.state(position), colours.pop())
        if self.kind(position) == "or" and position not in self.part.cut:
            for child in self.graph.successors(position):
                for state in self._reached(position, child):
                    found |= self._coloured([self.state(position)], state, PLAYED)
        return found

    def difference(self, position: str) -> str:
        """A caption that tells positions with equal boards apart: position or player to move; else ""."""
        board, said = self._drawn(position)
        if self._alike[board, said] > 1:
            return position
        players = (self.plan.owner, 1 - self.plan.owner)
        alike = self._alike[board, "or"] + self._alike[board, "and"]
        mover = players[self.kind(position) == "and"]
        return f"{self.plan.game.players[mover]} to move" if alike > 1 and said in ("or", "and") else ""

    def _coloured(self, before: Iterable[Any], state: Any, colour: str) -> dict[Cell, str]:
        return dict.fromkeys(cells_changed(self.plan.game, before, state), colour)

    def _reached(self, position: str, child: str) -> list[Any]:
        """The states after the moves from `position` to `child`, before folding."""
        game, state = self.plan.game, self.state(position)
        names = self.graph.edges[position, child]["moves"]
        return [game.result(state, act) for act in actions_of(game, state) if game.action_name(act) in names]

    def _drawn(self, position: str) -> tuple[object, object]:
        """The board of a position, or else its text, and its kind, or its gain at an end."""
        board, kind = board_of(self.plan.game, self.state(position)), self.kind(position)
        said = self.graph.nodes[position]["gain"] if kind == "end" else kind
        return tuple(map(tuple, board)) if board else position, said

    @cached_property
    def _alike(self) -> Counter[tuple[object, object]]:
        return Counter(map(self._drawn, self.part.positions))

    @cached_property
    def _into(self) -> dict[str, list[tuple[str, str]]]:
        into: dict[str, list[tuple[str, str]]] = {}
        for move in self.part.moves:
            into.setdefault(move[1], []).append(move)
        return into


def make_scene(plan: Plan, depth: int | None = None, follow: str | None = None) -> Scene:
    """The scene of `plan`; options and errors as for `excerpt`."""
    graph = unfold(plan)
    return Scene(plan, graph, excerpt(graph, depth, follow))
