"""What the boards of a picture have to show: the moves just made and about to be made, and what is alike."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exporters.boards import cells_changed
from exporters.diagram.excerpt import Excerpt, excerpt
from exporters.palette import PLAYED, REPLIED
from solver.game import Cell
from solver.plans.plan import Plan, PlanGraph, unfold
from solver.rules.asking import actions_of, board_of

FEW_POSITIONS = 40
"""Up to this many positions there is room for the name of every move and a word below every board."""


@dataclass(frozen=True)
class Scene:
    """A part of an unfolded plan, to be drawn."""

    plan: Plan
    graph: PlanGraph
    part: Excerpt

    @cached_property
    def few(self) -> bool:
        """Whether there is room for words."""
        return len(self.part.positions) <= FEW_POSITIONS

    @cached_property
    def scored(self) -> bool:
        """Whether there is more to win than the game."""
        return any(abs(gain) > 1 for _, gain in self.graph.nodes.data("gain"))

    def state(self, position: str) -> Any:
        """The state of a position."""
        return self.graph.nodes[position]["state"]

    def kind(self, position: str) -> str:
        """Who is to move there: `or` the owner, `and` the other, `end` nobody."""
        kind: str = self.graph.nodes[position]["kind"]
        return kind

    def sign(self, position: str) -> int:
        """Whether the owner wins (1), draws (0) or loses (-1) there at least."""
        gain: int = self.graph.nodes[position]["gain"]
        return (gain > 0) - (gain < 0)

    def turned(self, position: str, child: str) -> bool:
        """Whether the board of `child` is another than a move from `position` to it leads to."""
        return any(state != self.state(child) for state in self._reached(position, child))

    @cached_property
    def turns(self) -> bool:
        """Whether any move leads to a board that is drawn turned."""
        return any(self.turned(*move) for move in self.part.moves)

    def backgrounds(self, position: str) -> dict[Cell, str]:
        """The cells that stand out: those that the last move changed, and that the owner's next one will."""
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
        """In words what the board does not show, where others are drawn with the same board; else ""."""
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
        """The states after the moves that lead from `position` to `child`, as they are before any turning."""
        game, state = self.plan.game, self.state(position)
        names = self.graph.edges[position, child]["moves"]
        return [game.result(state, act) for act in actions_of(game, state) if game.action_name(act) in names]

    def _drawn(self, position: str) -> tuple[object, object]:
        """The board of a position, or the position where there is none; who is to move, or how it ended."""
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


def made_scene(plan: Plan, depth: int | None = None, follow: str | None = None) -> Scene:
    """What is to be drawn of `plan`; options and errors as for `excerpt`."""
    graph = unfold(plan)
    return Scene(plan, graph, excerpt(graph, depth, follow))
