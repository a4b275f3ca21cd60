"""The content of a diagram: the boards of an excerpt, with highlighted cells and captions."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exporters.boards import cell_played, cells_changed
from exporters.diagram import board_label
from exporters.diagram.excerpt import Excerpt, PlyPosition, excerpt
from exporters.diagram.page_layout import columns
from exporters.palette import PLAYED, REPLIED
from solver.game import Cell, outcome_sign
from solver.plans.plan import Plan, PlanGraph, unfold
from solver.rules.asking import actions_of, board_of
from solver.rules.notation import write_action

FEW_POSITIONS = 40
"""The most boards of a picture with room for names of moves and captions."""


@dataclass(frozen=True)
class Scene:
    """An excerpt of an unfolded plan, to be drawn."""

    plan: Plan
    graph: PlanGraph
    part: Excerpt

    @cached_property
    def few(self) -> bool:
        """Whether there is room for names of moves and captions."""
        return len(self.part.places) <= FEW_POSITIONS

    @cached_property
    def columns(self) -> list[int]:
        """The first plies of columns: ply 0, and others in a long and narrow diagram."""
        if not self.few:
            return [0]
        states = (self.state(position) for position in self.part.positions)
        return columns(self.part.plies, board_label.size(self.plan.game, states))

    @cached_property
    def numbers(self) -> dict[PlyPosition, int]:
        """The numbers, from 1 on, of the boards to which references lead."""
        referred = {after for before, after in self.part.moves if self.refers(before, after)}
        return {place: nth for nth, place in enumerate(filter(referred.__contains__, self.part.places), 1)}

    def refers(self, before: PlyPosition, after: PlyPosition) -> bool:
        """Whether a move is drawn to a reference, as it leads back or to the next column."""
        return after.ply <= before.ply or after.ply in self.columns

    def state(self, position: str) -> Any:
        """The state of a position."""
        return self.graph.nodes[position]["state"]

    def kind(self, position: str) -> str:
        """The kind of node: `or` (the owner to move), `and` (the other player) or `end`."""
        return str(self.graph.nodes[position]["kind"])

    def sign(self, position: str) -> int:
        """The owner's least outcome from there on: win (1), draw (0) or loss (-1)."""
        return outcome_sign(self.graph.nodes[position]["gain"])

    def turned(self, position: str, child: str) -> bool:
        """Whether the board of `child` is a symmetric image of the board after the move."""
        return any(state != self.state(child) for state in self._reached(position, child))

    def names(self, position: str, child: str) -> str:
        """The names of the moves between two positions."""
        return ", ".join(map(str, self.graph.edges[position, child]["moves"]))

    def words(self, position: str, child: str) -> str:
        """The names to write: all in a picture of few boards, else of moves that the boards do not show."""
        before, after = self.state(position), self.state(child)
        shown = self.turned(position, child) or cell_played(self.plan.game, before, after) is not None
        return self.names(position, child) if self.few or not shown else ""

    def move_above(self, place: PlyPosition) -> str:
        """The words for the only move to a board, written above it among many boards; "" if arrows have them.

        Graphviz takes minutes to place the labels of a hundred arrows that leave one board.
        """
        into = self._into.get(place, [])
        alone = len(into) == 1 and not self.few and place not in self.numbers
        return self.words(into[0], place.position) if alone else ""

    @cached_property
    def turns(self) -> bool:
        """Whether any board is turned or mirrored after a move."""
        return any(self.turned(before.position, after.position) for before, after in self.part.moves)

    def backgrounds(self, place: PlyPosition) -> dict[Cell, str]:
        """The colours of highlighted cells: those changed by the last move and by the owner's next move."""
        position, into = place.position, self._into.get(place, [])
        before = [above for above in into if not self.turned(above, position)]
        colours = {PLAYED if self.kind(above) == "or" else REPLIED for above in before}
        cells: dict[Cell, str] = {}
        if place.ply and len(colours) == 1 and len(before) == len(into):  # no move leads to the root at first
            cells = self._coloured(map(self.state, before), self.state(position), colours.pop())
        if self.kind(position) == "or" and place not in self.part.cut:
            for child in self.graph.successors(position):
                for state in self._reached(position, child):
                    cells |= self._coloured([self.state(position)], state, PLAYED)
        return cells

    def difference(self, position: str) -> str:
        """The caption that distinguishes positions with equal boards: position or player to move; or ""."""
        board, look = self._drawn(position)
        if self._alike[board, look] > 1:
            return position
        players = (self.plan.owner, 1 - self.plan.owner)
        alike = self._alike[board, "or"] + self._alike[board, "and"]
        mover = players[self.kind(position) == "and"]
        return f"{self.plan.game.players[mover]} to move" if alike > 1 and look in ("or", "and") else ""

    def _coloured(self, before: Iterable[Any], state: Any, colour: str) -> dict[Cell, str]:
        return dict.fromkeys(cells_changed(self.plan.game, before, state), colour)

    def _reached(self, position: str, child: str) -> list[Any]:
        """The states after the moves from `position` to `child`, before folding."""
        game, state = self.plan.game, self.state(position)
        names = self.graph.edges[position, child]["moves"]
        return [
            game.result(state, act) for act in actions_of(game, state) if write_action(game, act) in names
        ]

    def _drawn(self, position: str) -> tuple[object, object]:
        """The board of a position, or its text, and its kind, or its gain at an end."""
        board, kind = board_of(self.plan.game, self.state(position)), self.kind(position)
        look = self.graph.nodes[position]["gain"] if kind == "end" else kind
        return tuple(map(tuple, board)) if board else position, look

    @cached_property
    def _alike(self) -> Counter[tuple[object, object]]:
        return Counter(map(self._drawn, self.part.positions))

    @cached_property
    def _into(self) -> dict[PlyPosition, list[str]]:
        into: dict[PlyPosition, list[str]] = {}
        for before, after in self.part.moves:
            into.setdefault(after, []).append(before.position)
        return into


def make_scene(plan: Plan, depth: int | None = None, follow: str | None = None) -> Scene:
    """The scene of `plan`; the options and errors are as in `excerpt`."""
    graph = unfold(plan)
    return Scene(plan, graph, excerpt(graph, depth, follow))
