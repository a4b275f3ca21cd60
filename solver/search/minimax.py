"""Minimax search of the whole game tree below a state, or of its first few plies.

Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, figure 5.3.
"""

from collections.abc import Hashable
from typing import Any

from solver.errors import NotLegible, TooLarge
from solver.game import FIRST, AnyGame, sign_for
from solver.rules.asking import mover_of, utility_of
from solver.search.interface import DEFAULTS, SearchResult, Settings
from solver.search.recorder import MAX_RECORDED, SearchRecorder
from solver.search.trace import UNKNOWN, Interval, Visit, backed_up
from solver.search.tree import Coroutine, NodeBudget, extend_path, remembered_moves, run_trampoline


def minimax(
    game: AnyGame, state: Hashable, settings: Settings = DEFAULTS, *, table: bool = False
) -> SearchResult:
    """The first action with the best minimax value, and that value.

    With `table` each state is searched once (transposition table), otherwise once for each line of play that
    leads to it. Raises `RepeatedState` if play can return to a state, as the game tree is then infinite, and
    `TooLarge` after `most_nodes` nodes.
    """
    path, answers = set[Hashable](), dict[Hashable, tuple[int, Any]]()
    budget, moves, recorder = NodeBudget(settings.most_nodes), remembered_moves(game), settings.recorder

    def search(state: Hashable) -> Coroutine[tuple[int, Any]]:
        if state in answers:
            recorder.known(answers[state][0], answers[state][0])
            return answers[state]
        budget.spend()
        best, choice = None, None
        sign = sign_for(mover_of(game, state))
        extend_path(state, path, game)
        for action, child in moves(state):
            recorder.enter(child, action)
            value, reply = yield search(child)
            recorder.leave(value, reply)
            if best is None or sign * value > sign * best:
                best, choice = value, action
        path.remove(state)
        answer = (utility_of(game, state) if best is None else best, choice)
        if table:
            answers[state] = answer
        return answer

    recorder.enter(state)
    value, action = run_trampoline(search(state))
    recorder.leave(value, action)
    return SearchResult(action, value, nodes=budget.nodes)


def minimax_within(game: AnyGame, state: Hashable, depth: int, recorder: SearchRecorder) -> SearchResult:
    """The minimax value if the first `depth` plies determine it, and the first action with that value.

    Both are None if they do not, as states at the limit are not evaluated. Raises `NotLegible` for a tree of
    more than `MAX_RECORDED` nodes.
    """
    budget, moves = NodeBudget(MAX_RECORDED), remembered_moves(game)

    def search(state: Hashable, left: int) -> Coroutine[tuple[Interval, Any]]:
        budget.spend()
        tried = moves(state)
        if not tried:
            utility = utility_of(game, state)
            return Interval(utility, utility), None
        if not left:
            recorder.treated(Visit.HORIZON)
            return UNKNOWN, None
        below = []
        for action, child in tried:
            recorder.enter(child, action)
            interval, reply = yield search(child, left - 1)
            recorder.leave(interval.low, reply)
            below.append(interval)
        interval = backed_up(below, maximising=mover_of(game, state) == FIRST)
        return interval, tried[below.index(interval)][0] if interval.exact else None

    recorder.enter(state)
    try:
        interval, action = run_trampoline(search(state, depth))
    except TooLarge as error:
        raise NotLegible(
            f"a picture of more than {MAX_RECORDED:,} nodes cannot be read: use a smaller --depth"
        ) from error
    recorder.leave(interval.low, action)
    return SearchResult(action, interval.low if interval.exact else None, nodes=budget.nodes)
