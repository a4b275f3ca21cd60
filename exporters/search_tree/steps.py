"""A search step by step: its visits, its backed-up values and its cuts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt

from exporters.search_tree.captions import ALPHA, BETA, MINUS, value_text, window_text
from exporters.search_tree.scene import SearchScene
from exporters.search_tree.strips import path_to
from solver.game import FIRST, sign_for
from solver.rules.asking import mover_of
from solver.search.playouts import width
from solver.search.trace import UNKNOWN, Finding, Interval, Sample, TracedNode, Visit, backed_up


@dataclass(frozen=True)
class SearchStep:
    """A step of a search."""

    at: int
    """The number of the current node."""
    said: str
    """The sentence about the step."""
    window: str = ""
    """Alpha and beta there, or the comparison by UCB1."""
    captions: dict[int, list[str]] = field(default_factory=dict)
    """The captions that change, by node; an empty caption makes the node appear without words."""
    settled: tuple[int, ...] = ()
    """The nodes that become final."""


def steps(scene: SearchScene) -> list[SearchStep]:
    """All steps of the search."""
    if any(isinstance(node.finding, Sample) for node in scene.trace.nodes):
        return list(_Playouts(scene).steps())
    return list(_Walk(scene).steps())


@dataclass
class _Walk:
    """The walk of a depth-first search through its tree."""

    scene: SearchScene
    findings: dict[int, Finding] = field(default_factory=dict)

    def steps(self) -> Iterator[SearchStep]:
        """The steps: into each node, back from it, and at each cut."""
        for root in self.scene.trace.roots:
            yield from self._through(root)

    def _through(self, number: int) -> Iterator[SearchStep]:
        nodes = self.scene.trace.nodes
        yield self._enter(number, nodes[number])
        cut = [child for child in nodes[number].children if nodes[child].visit is Visit.CUT]
        for child in nodes[number].children:
            if child not in cut:
                yield from self._through(child)
            elif child == cut[0]:  # one step for all of them
                yield self._cut(number, cut)
        yield self._back(number, nodes[number])

    def _enter(self, number: int, node: TracedNode) -> SearchStep:
        leaf = not node.children and not node.hidden
        self.findings[number] = node.finding if leaf else UNKNOWN
        caption = self.scene.caption(node, node.finding) if leaf else [""]
        return SearchStep(
            number, self._arrival(node), self._window(number), {number: caption}, (number,) * leaf
        )

    def _back(self, number: int, node: TracedNode) -> SearchStep:
        self.findings[number] = node.finding
        changed = {number: node.finding, **self._above(node)}
        captions = {number: self._caption(number, finding) for number, finding in changed.items()}
        at = number if node.parent is None else node.parent
        return SearchStep(at, self._return(number, node), self._window(at), captions, (number,))

    def _cut(self, number: int, cut: list[int]) -> SearchStep:
        node = self.scene.trace.nodes[number]
        names = [self.scene.move(self.scene.trace.nodes[number]) for number in cut]
        moves = ", ".join(names) if all(names) else "the rest"
        reason = self.scene.reason(self.scene.trace.nodes[cut[0]])
        bound = self._caption(number, node.finding)[0]
        why = f"{self.scene.position(node)} is {bound}, and {reason}: " if reason else ""
        said = f"{why}{moves} can change nothing and {'are' if len(cut) > 1 else 'is'} cut off."
        captions = {number: [reason] if reason else [] for number in cut}
        return SearchStep(number, said, self._window(number), captions, tuple(cut))

    def _above(self, node: TracedNode) -> dict[int, Interval]:
        """The intervals of ancestors that a value changes: of all with a window, else of the parent."""
        changed: dict[int, Interval] = {}
        nodes = self.scene.trace.nodes
        while node.parent is not None and isinstance(node.finding, Interval):
            number, node = node.parent, nodes[node.parent]
            below = [self.findings.get(child, UNKNOWN) for child in node.children]
            intervals = [bounds if isinstance(bounds, Interval) else UNKNOWN for bounds in below]
            maximising = mover_of(self.scene.trace.game, node.state) == FIRST
            changed[number] = self.findings[number] = backed_up(intervals, maximising=maximising)
            if node.window is None:
                break
        return changed

    def _window(self, number: int) -> str:
        """Alpha and beta in a node, by the findings so far; "" in a search without them."""
        node, finding = self.scene.trace.nodes[number], self.findings.get(number)
        if node.window is None:
            return ""
        low, high = node.window
        if isinstance(finding, Interval) and node.children:
            if mover_of(self.scene.trace.game, node.state) == FIRST:
                low = low if finding.low is None else max(low, finding.low)
            else:
                high = high if finding.high is None else min(high, finding.high)
        bounds = ((ALPHA, low), (BETA, high))
        return ", ".join(window_text(letter, bound, self.scene.notation) for letter, bound in bounds)

    def _caption(self, number: int, finding: Finding) -> list[str]:
        node = self.scene.trace.nodes[number]
        return self.scene.caption(node, finding) or [""]

    def _arrival(self, node: TracedNode) -> str:
        by, name = self.scene.move(node), self.scene.position(node)
        to = f"Move {by} leads to {name}"
        if by in ("", name):
            to = f"The search begins in {name}" if node.parent is None else f"To {name}"
        words = ", ".join(self.scene.caption(node, node.finding))
        if node.visit is Visit.TERMINAL:
            return f"{to}, where the game is over: {words}."
        if node.visit is Visit.EVALUATED:
            return f"{to}, at the depth limit: the heuristic value is {words}."
        if node.visit is Visit.HORIZON:
            return f"{to}, where the tree ends: what follows is not known."
        if node.visit in (Visit.KNOWN, Visit.REPEATED):
            return f"{to}, where the search has been before: {words}."
        if node.visit is Visit.REPLIES:
            return f"{to}: all replies count."
        mover = self.scene.mover(node)
        moves = "" if mover is None else f": {self.scene.trace.game.players[mover]} is to move"
        return f"{to}{moves}.{' Its descendants are not drawn.' if node.hidden else ''}"

    def _return(self, number: int, node: TracedNode) -> str:
        words = "not known"
        if node.finding != UNKNOWN:
            words = ", ".join(self._caption(number, node.finding))
        if node.parent is None:
            choice = None if node.choice is None else self.scene.move(self.scene.trace.nodes[node.choice])
            by = f", by {choice}" if choice else ""
            return f"The result in {self.scene.position(node)}: {words}{by}."
        above = self.scene.trace.nodes[node.parent]
        bound = self._caption(node.parent, self.findings.get(node.parent))
        now = f" {self.scene.position(above)} is now {', '.join(bound)}." if bound[0] else ""
        return f"Back from {self.scene.position(node)}: {words}.{now}"


@dataclass
class _Playouts:
    """The playouts one by one, each in the phases of Monte Carlo tree search that the search has."""

    scene: SearchScene
    tallies: dict[int, Sample] = field(default_factory=dict)
    scale: int = 1

    def steps(self) -> Iterator[SearchStep]:
        """The steps of each playout, and a last step for the choice."""
        scene, nodes = self.scene, self.scene.trace.nodes
        root = scene.trace.roots[-1]
        yield SearchStep(root, f"The search begins in “{scene.position(nodes[root])}”.", "", {root: [""]})
        for nth, (leaf, utility) in enumerate(scene.trace.playouts):
            path = path_to(leaf, nodes)
            yield from self._descent(f"Playout {nth + 1:,}", path)
            yield self._simulation(leaf, utility)
            yield self._backup(path, utility)
        choice = scene.trace.root.choice
        final = {number: scene.caption(node, node.finding) for number, node in enumerate(nodes)}
        said = f"After all playouts {'nothing' if choice is None else scene.move(nodes[choice])} is chosen."
        yield SearchStep(root, said, "", final, tuple(range(len(nodes))))

    def _descent(self, playout: str, path: list[int]) -> Iterator[SearchStep]:
        nodes = self.scene.trace.nodes
        for above, below in pairwise(path):
            position, move = self.scene.position(nodes[above]), self.scene.move(nodes[below])
            if below not in self.tallies:
                said = f"{playout}, expansion: {move} is new in {position}, and becomes a node."
                yield SearchStep(below, said, "", {below: [""]})
            elif self.scene.trace.exploration is not None:
                said = f"{playout}, selection: in {position} UCB1 is highest for {move}."
                yield SearchStep(above, said, self._bounds(above, below))

    def _bounds(self, above: int, chosen: int) -> str:
        """UCB1 of each visited child as text: the mean for the player to move, plus the exploration."""
        node, exploration = self.scene.trace.nodes[above], self.scene.trace.exploration or 0.0
        sign = sign_for(mover_of(self.scene.trace.game, node.state))
        spread = width(self.scale, exploration, self.tallies[above].visits)
        terms = {
            child: (sign * self.tallies[child].mean, spread / sqrt(self.tallies[child].visits))
            for child in node.children
            if child in self.tallies
        }
        shown = []
        for child, (mean, explored) in terms.items():
            # A proved child is not chosen, even if its bound is greater.
            proved = mean + explored > sum(terms[chosen])
            bound = "proved" if proved else f"{mean:.2f} + {explored:.2f} = {mean + explored:.2f}"
            name = f"{'▶ ' if child == chosen else ''}{self.scene.move(self.scene.trace.nodes[child])}"
            shown.append(f"{name}: {bound.replace('-', MINUS)}".replace(" ", "\N{NO-BREAK SPACE}"))
        return f"mean + exploration: {' · '.join(shown)}"

    def _simulation(self, leaf: int, utility: int) -> SearchStep:
        node, value = self.scene.trace.nodes[leaf], value_text(utility, self.scene.notation)
        how = "the game is over with" if node.visit is Visit.TERMINAL else "the game is played to its end:"
        return SearchStep(leaf, f"Simulation: from {self.scene.position(node)} {how} {value}.")

    def _backup(self, path: list[int], utility: int) -> SearchStep:
        self.scale = max(self.scale, abs(utility))
        for number in path:
            tally = self.tallies.get(number, Sample(0, 0))
            self.tallies[number] = Sample(tally.visits + 1, tally.total + utility)
        nodes, value = self.scene.trace.nodes, value_text(utility, self.scene.notation)
        captions = {number: self.scene.caption(nodes[number], self.tallies[number]) for number in path}
        said = f"Backup: {value} and a visit are counted in each of the {len(path)} nodes up to the root."
        return SearchStep(path[0], said, "", captions)
