"""UCT: Monte Carlo tree search with selection by UCB1; optionally it proves wins and losses.

Sources: L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006; M. H. M. Winands,
Y. Björnsson, J.-T. Saito, "Monte-Carlo tree search solver", Computers and Games 2008. Beyond the latter, a
node is also proved if all its children are, so that draws can be proved.
"""

from collections.abc import Hashable
from math import sqrt
from random import Random
from typing import Any

from solver.game import AnyGame, sign_for
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.search.interface import DEFAULTS, SearchResult, Settings
from solver.search.playouts import check_playouts, playout, random_policy, width
from solver.search.recorder import SearchRecorder
from solver.search.trace import Sample, Visit
from solver.search.tree import Coroutine, run_trampoline


class TreeNode:
    """A state in the tree, with the statistics of the playouts through it."""

    __slots__ = ("children", "proved", "sign", "state", "total", "untried", "visits")

    def __init__(self, game: AnyGame, state: Hashable) -> None:
        """Start without visits; a terminal state is proved by its utility."""
        self.state = state
        self.sign = sign_for(mover_of(game, state))
        self.untried: list[Any] = list(reversed(actions_of(game, state)))
        self.children: dict[Any, TreeNode] = {}
        self.visits = 0
        self.total = 0
        self.proved: int | None = None if self.untried else utility_of(game, state)

    @property
    def sample(self) -> Sample:
        """The playouts through the node, and the proved utility."""
        return Sample(self.visits, self.total, self.proved)


def uct(
    game: AnyGame, state: Hashable, settings: Settings = DEFAULTS, *, proofs: bool = False
) -> SearchResult:
    """The action with the most visits (on a tie, the best mean) after all playouts, and its mean utility.

    Each playout adds a node to the tree. With `proofs`, proved utilities are backed up, proved nodes are not
    visited again, and the search ends when the root is proved. As any win proves a node, the value of a
    proved choice is only a bound if wins differ in utility: the winner may be able to force more. Raises
    `BadParameter` for less than one playout.
    """
    check_playouts(settings.playouts)
    play, recorder = settings.policy or random_policy(game, Random(settings.seed)), settings.recorder
    root, nodes, scale = TreeNode(game, state), 1, 1
    if root.proved is not None:
        recorder.terminal(state, root.proved)
        return SearchResult(None, root.proved, nodes=nodes, playouts=0)
    played: list[tuple[TreeNode, int]] = []
    while len(played) < settings.playouts and root.proved is None:
        path = _descend(root, settings.exploration, scale, proofs)
        if path[-1].untried:
            action = path[-1].untried.pop()
            child = path[-1].children[action] = TreeNode(game, game.result(path[-1].state, action))
            path.append(child)
            nodes += 1
        leaf = path[-1]
        utility = leaf.proved
        if utility is None:
            utility = playout(game, leaf.state, play, settings.endless_value)
        scale = max(scale, abs(utility))
        _back_up(path, utility, proofs)
        played.append((leaf, utility))
    action, child = _choice(root, proofs)
    recorder.exploration = settings.exploration
    _record(recorder, root, action, played)
    return SearchResult(action, child.sample.mean, nodes=nodes, playouts=len(played))


def _descend(root: TreeNode, exploration: float, scale: int, proofs: bool) -> list[TreeNode]:
    """Selection: the path, by upper confidence bounds, to a node with untried actions or without children."""
    path = [root]
    while not path[-1].untried and path[-1].children:
        parent = path[-1]
        choices = [child for child in parent.children.values() if not proofs or child.proved is None]
        spread = width(scale, exploration, parent.visits)
        bounds = [parent.sign * node.total / node.visits + spread / sqrt(node.visits) for node in choices]
        path.append(choices[bounds.index(max(bounds))])
    return path


def _back_up(path: list[TreeNode], utility: int, proofs: bool) -> None:
    """Backpropagation: count a playout in every node of its path, and prove the nodes that can be proved."""
    for node in reversed(path):
        node.visits += 1
        node.total += utility
        if proofs and node.proved is None:
            node.proved = _proof(node)


def _proof(node: TreeNode) -> int | None:
    """The utility that the children prove, if one of them wins or all are proved; else None."""
    gains = [node.sign * child.proved for child in node.children.values() if child.proved is not None]
    if not gains:
        return None
    complete = len(gains) == len(node.children) and not node.untried
    return node.sign * max(gains) if complete or max(gains) > 0 else None


def _choice(root: TreeNode, proofs: bool) -> tuple[Any, TreeNode]:
    """The action to play and its child: the most visited child, or a proved one with a better utility."""
    if root.proved is not None:
        return next(arm for arm in root.children.items() if arm[1].proved == root.proved)
    proved = [arm for arm in root.children.items() if proofs and arm[1].proved is not None]
    visited = [arm for arm in root.children.items() if not proofs or arm[1].proved is None]
    visited.sort(key=lambda arm: (arm[1].visits, root.sign * arm[1].sample.mean), reverse=True)
    return max([*visited[:1], *proved], key=lambda arm: root.sign * arm[1].sample.mean)


def _record(
    recorder: SearchRecorder, root: TreeNode, action: Any, played: list[tuple[TreeNode, int]]
) -> None:
    """Record the whole tree, the action chosen at its root, and the playouts."""
    numbers: dict[TreeNode, int] = {}

    def record(by: Any, node: TreeNode) -> Coroutine[None]:
        numbers[node] = recorder.enter(node.state, by, visit=Visit.SAMPLED)
        for action_and_child in node.children.items():
            yield record(*action_and_child)
        is_terminal = node.proved is not None and not node.children
        visit = Visit.TERMINAL if is_terminal else Visit.SAMPLED
        recorder.judge(node.sample, action if node is root else None, visit)

    run_trampoline(record(None, root))
    for leaf, utility in played:
        recorder.played(numbers[leaf], utility)
