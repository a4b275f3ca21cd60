"""The content of the picture of a search, and whether it is legible."""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from typing import Any

from exporters.boards import Board, cell_played, cells_changed
from exporters.diagram import board_label
from exporters.diagram.page_layout import WIDEST
from exporters.palette import PLAYED, plain
from exporters.search_tree import captions
from exporters.search_tree.captions import Notation
from exporters.search_tree.strips import rows_at
from exporters.svg.rendering import MAX_SIDE
from solver.database.wording import game_title
from solver.errors import NotLegible
from solver.game import FIRST, SECOND, Cell
from solver.rules.asking import board_of, is_over, mover_of, picture_of
from solver.rules.notation import write_action, write_position
from solver.search.and_or.game_problem import Endless
from solver.search.trace import Finding, Interval, Sample, SearchTrace, TracedNode, Visit
from solver.system.words import number_of

MAX_NODES = 600
"""The most nodes of a legible picture."""

FEW_NODES = 60
"""The most nodes of a picture with room for the names of all moves."""

BESIDE, BELOW = 8, 50
"""The distances between two nodes of a ply, and between two plies, in points."""

ROOM = WIDEST - 80
"""The width of a strip without the names of the plies, in points."""


@dataclass(frozen=True)
class SearchScene:
    """A search trace to draw."""

    trace: SearchTrace
    title: str = ""
    """The heading; if "", the search and its result."""
    changing: bool = False
    """Whether the picture lacks the result, and has room for values that change."""

    @cached_property
    def notation(self) -> Notation:
        """The notation of values."""
        return captions.notation_of(self.trace)

    def notation_in(self, node: TracedNode) -> Notation:
        """The notation of the finding in a node, which is no guess unless a state below was evaluated."""
        return self.notation._replace(guessed=self.notation.guessed and self._guesses(node))

    def sign(self, node: TracedNode) -> int | None:
        """The outcome in a node: see `captions.sign_of`."""
        return captions.sign_of(node, self.notation_in(node))

    def _guesses(self, node: TracedNode) -> bool:
        below = (self.trace.nodes[child] for child in node.children)
        return node.visit is Visit.EVALUATED or bool(node.hidden) or any(map(self._guesses, below))

    @property
    def few(self) -> bool:
        """Whether there is room for the names of all moves."""
        return len(self.trace.nodes) <= FEW_NODES

    @cached_property
    def planning(self) -> bool:
        """Whether it is an AND-OR search."""
        return any(self.trace.goals)

    @cached_property
    def lettered(self) -> bool:
        """Whether all positions are short enough to be written in triangles."""
        return not any(
            isinstance(node.state, Endless) or self.board(node) or len(self.name(node)) > 2
            for node in self.trace.nodes
        )

    def upside_down(self, node: TracedNode) -> bool:
        """Whether the value is above the name, as in a triangle that points down."""
        return self.lettered and self.mover(node) == SECOND

    def board(self, node: TracedNode) -> Board | None:
        """The board of the state; None without one."""
        return None if isinstance(node.state, Endless) else board_of(self.trace.game, node.state)

    def name(self, node: TracedNode) -> str:
        """The state as text, for nodes without a board."""
        state = node.state
        return str(state.value) if isinstance(state, Endless) else picture_of(self.trace.game, state)

    def position(self, node: TracedNode) -> str:
        """The position of a node in one line, or the name of endless play."""
        if isinstance(node.state, Endless):
            return str(node.state.value)
        return plain(write_position(self.trace.game, node.state))

    def mover(self, node: TracedNode) -> int | None:
        """The player to move; None where the game is over."""
        if isinstance(node.state, Endless) or is_over(self.trace.game, node.state):
            return None
        return mover_of(self.trace.game, node.state)

    def move(self, node: TracedNode) -> str:
        """The name of the move that leads to a node; "" at a root, or if no single move lies between."""
        if node.parent is None:
            return ""
        game, above = self.trace.game, self.trace.nodes[node.parent]
        if node.action is not None:
            return str(write_action(game, node.action))
        if node.state == above.state:
            return "" if above.visit is Visit.REPLIES else "wait"
        moves = (act for act in game.actions(above.state) if game.result(above.state, act) == node.state)
        return next((str(write_action(game, act)) for act in moves), "")

    def shown_by_board(self, node: TracedNode) -> bool:
        """Whether the boards show the move that leads to a node, if one does."""
        return all(cell_played(self.trace.game, above, node.state) for above in self._before(node))

    def changed(self, node: TracedNode) -> dict[Cell, str]:
        """The highlights of the cells changed by the move that leads to a node."""
        return dict.fromkeys(cells_changed(self.trace.game, self._before(node), node.state), PLAYED)

    def _before(self, node: TracedNode) -> list[Any]:
        """The state before that of a node; none at a root and before endless play."""
        if node.parent is None or isinstance(node.state, Endless):
            return []
        return [self.trace.nodes[node.parent].state]

    @property
    def owner(self) -> int:
        """The player whose plan is sought or drawn; the first player in a search for values."""
        return FIRST if self.trace.owner is None else self.trace.owner

    @cached_property
    def most_visits(self) -> int:
        """The number of visits to the most visited node that is not a root."""
        below = [node.finding for node in self.trace.nodes if node.parent is not None]
        return max(finding.visits for finding in below if isinstance(finding, Sample))

    @cached_property
    def most_utility(self) -> int:
        """The greatest absolute utility of a playout, at least 1."""
        return max([1, *(abs(utility) for _, utility in self.trace.playouts)])

    def caption(self, node: TracedNode, finding: Finding) -> list[str]:
        """The lines for a `finding` in a node; at a root of AND-OR search, also the goal."""
        lines = captions.caption(self.trace.game, node, finding, self.notation_in(node))
        if self.planning and node.parent is None and lines:
            nth = [self.trace.nodes[root] is node for root in self.trace.roots].index(True)
            lines.append(f"for {self.trace.goals[nth]}")
        return lines

    @cached_property
    def triangle_width(self) -> int:
        """The width of triangles, in points, with room for the longest value, or for an interval of two."""
        lines = chain.from_iterable(self.caption(node, node.finding) for node in self.trace.nodes)
        letters = max([3, *map(len, lines)])
        letters = letters if letters <= 12 else letters * 7 // 4  # as triangles become narrow
        return 54 + 7 * (letters * 2 + 4 if self.changing else letters)  # the corners, and each letter

    def width(self, node: TracedNode) -> float:
        """The approximate width of a node with the move above it, in points."""
        if self.lettered:
            return self.triangle_width + BESIDE
        named = self.few or not self.shown_by_board(node)
        names = [*self.caption(node, node.finding)[1:], self.move(node) if named else ""]
        names += [] if self.board(node) else board_label.lines_of(self.name(node))
        lines: list[float] = [len(line) * 8 for line in self.caption(node, node.finding)[:1]]
        lines += [len(line) * 6 for line in names]  # in smaller letters
        lines += [board_label.size(self.trace.game, [node.state])[0] - BESIDE] if self.board(node) else []
        return max(lines) + BESIDE

    def reason(self, node: TracedNode) -> str:
        """The bound that pruned a node; "" if there is none."""
        above = self.trace.nodes[node.parent or 0]
        if above.window is None or self.planning:
            return ""
        first = mover_of(self.trace.game, above.state) == FIRST
        letter = captions.BETA if first else captions.ALPHA
        return captions.window_text(letter, above.window[first], self.notation)

    @property
    def subject(self) -> str:
        """The title, or the search, the game and the position."""
        game, position = game_title(self.trace.game), self.position(self.trace.root)
        return plain(self.title or f"{self.trace.algorithm} in {game} from {position}")

    @property
    def heading(self) -> str:
        """The subject and the result in one line."""
        trace, root = self.trace, self.trace.root
        if self.title:
            return self.subject
        if trace.action is None:
            return ": ".join(filter(None, [self.subject, *self.caption(root, root.finding)[:1]]))
        result = f"{self.subject}: move {write_action(trace.game, trace.action)}"
        if isinstance(root.finding, Interval):
            result += f", value {captions.interval_text(root.finding, self.notation_in(root))}"
        if isinstance(root.finding, Sample):
            playouts = number_of(root.finding.visits, "playout")
            return plain(f"{result} after {playouts}")
        return plain(f"{result}; {number_of(trace.visits, 'node')} visited")


def make_scene(trace: SearchTrace, title: str = "") -> SearchScene:
    """The scene of a trace; raises `NotLegible`, with advice, if there is too much to draw."""
    scene = SearchScene(trace, title)
    sizes = trace.sizes if trace.depth is None else trace.sizes[: trace.depth + 1]
    states = [node.state for node in trace.nodes if not isinstance(node.state, Endless)]
    rows = MAX_SIDE // (board_label.size(trace.game, states)[1] + BELOW)
    legible = [depth for depth, total in enumerate(accumulate(sizes)) if total <= MAX_NODES]
    widths = [scene.width(node) if node.depth < len(legible) else 0 for node in trace.nodes]
    while legible and rows_at(legible[-1], trace.nodes, widths, ROOM) > rows:
        legible.pop()
    if len(legible) == len(sizes):
        return scene
    advice = [f"--depth {legible[-1]}"] if len(legible) > 1 else []
    advice += ["fewer --playouts"] if trace.playouts else []
    instead = " or ".join([*advice, "a later position"])
    more = " or more" if trace.algorithm == "plan" else ""  # the tree of a plan is not complete then
    raise NotLegible(f"a picture of {sum(sizes):,} nodes{more} cannot be read: use {instead}")
