"""Minimax search of the whole game tree below a state.

Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, figure 5.3.
"""

from collections.abc import Hashable
from typing import Any

from solver.game import AnyGame, sign_for
from solver.rules.asking import mover_of, utility_of
from solver.search.interface import SearchResult
from solver.search.recorder import SearchRecorder
from solver.search.tree import Coroutine, NodeBudget, PathGuard, remembered_moves, run_trampoline


def minimax(
    game: AnyGame,
    state: Hashable,
    *,
    table: bool = False,
    most_nodes: int | None = None,
    recorder: SearchRecorder | None = None,
) -> SearchResult:
    """The first of the actions with the best minimax value, and that value.

    With `table` each state is searched once (transposition table), otherwise once for each line of play that
    leads to it. Raises `RepeatedState` if play can return to a state, as the game tree is then infinite, and
    `TooLarge` after `most_nodes` nodes.
    """
    budget, guard, known = NodeBudget(most_nodes), PathGuard(game), dict[Hashable, tuple[int, Any]]()
    moves = remembered_moves(game)

    def search(state: Hashable) -> Coroutine[tuple[int, Any]]:
        """The value of `state` and the first action that keeps it."""
        if state in known:
            if recorder is not None:
                recorder.known(known[state][0], known[state][0])
            return known[state]
        budget.spend()
        best, choice = None, None
        sign = sign_for(mover_of(game, state))
        guard.enter(state)
        for action, child in moves(state):
            if recorder is not None:
                recorder.enter(child, action)
            value, reply = yield search(child)
            if recorder is not None:
                recorder.leave(value, reply)
            if best is None or sign * value > sign * best:
                best, choice = value, action
        guard.leave(state)
        answer = (utility_of(game, state) if best is None else best, choice)
        if table:
            known[state] = answer
        return answer

    if recorder is not None:
        recorder.enter(state)
    value, action = run_trampoline(search(state))
    if recorder is not None:
        recorder.leave(value, action)
    return SearchResult(action, value, nodes=budget.nodes)
