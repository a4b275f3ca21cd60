"""Proves the answers of rules that lookups need besides labels: a state's actions, their names, its text.

A proof of labels does not cover these, so the proofs of both layouts use this module.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from solver.errors import BrokenRules, shown
from solver.game import AnyGame, Game
from solver.packed import PackedGame
from solver.rules.asking import actions_of, is_over
from solver.rules.notation import read_position, write_action, write_position


def actions_by_name(game: AnyGame, state: Any, actions: Sequence[Any] | None = None) -> dict[str | int, Any]:
    """The legal actions of a state by name, or these if they are known.

    Raises `BrokenRules` if names are ambiguous.
    """
    actions = actions_of(game, state) if actions is None else actions
    named = {write_action(game, action): action for action in actions}
    if len({*map(str, named)}) < len(actions):
        raise BrokenRules(
            f"the rules of {type(game).__name__} give two actions in {write_position(game, state)!r} one name"
        )
    if len({*map(type, named)}) > 1:
        raise BrokenRules(f"the rules of {type(game).__name__} name some actions by numbers, some by texts")
    return named


def has_own_list(game: PackedGame) -> bool:
    """Whether packed rules do not derive the list of actions from `legal` alone."""
    rules = type(game)
    return rules.actions is not PackedGame.actions or rules.candidates is not PackedGame.candidates


def contradictions(game: AnyGame, state: Any, actions: Sequence[Any], *, listed: bool) -> Iterator[str]:
    """How the rules contradict their list of actions; packed rules are checked only if `listed`."""
    if not isinstance(game, PackedGame):
        over = not actions if type(game).is_terminal is Game.is_terminal else is_over(game, state)
        if over != (not actions):
            yield f"is_terminal is {over} where there are {len(actions)} actions"
    elif listed:
        tried = () if is_over(game, state) else range(game.action_count)
        legal = [action for action in tried if game.legal(state, action)]
        if [*actions] != legal:
            yield f"the rules list the actions {shown([*actions])}, where {shown(legal)} are legal"


def misread(game: AnyGame, state: Any) -> Iterator[str]:
    """The problem that the text of a state is read as another state, if so."""
    if (again := read_position(game, text := write_position(game, state))) != state:
        yield f"its text {text!r} is read as {shown(again)}, not as {shown(state)}"
