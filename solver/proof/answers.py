"""What lookups ask of rules besides values: a state's legal actions, their names, and its text.

A proof of labels says nothing of these, so each kind of file has them proved by this module.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from solver.errors import BrokenRules, shown
from solver.game import AnyGame, Game
from solver.packed import PackedGame
from solver.rules.asking import actions_of, is_over
from solver.rules.notation import read_position, write_action, write_position


def actions_by_name(game: AnyGame, state: Any) -> dict[str | int, Any]:
    """The legal actions of a state by name; raises `BrokenRules` if names do not tell them apart."""
    actions = actions_of(game, state)
    named = {write_action(game, action): action for action in actions}
    if len({*map(str, named)}) < len(actions):
        raise BrokenRules(
            f"the rules of {type(game).__name__} give two actions in {write_position(game, state)!r} one name"
        )
    if len({*map(type, named)}) > 1:
        raise BrokenRules(f"the rules of {type(game).__name__} name some actions by numbers, some by texts")
    return named


def has_own_list(game: PackedGame) -> bool:
    """Whether packed rules list actions by other means than `legal`."""
    rules = type(game)
    return rules.actions is not PackedGame.actions or rules.candidates is not PackedGame.candidates


def contradictions(game: AnyGame, state: Any, actions: Sequence[Any], *, listed: bool) -> Iterator[str]:
    """How the rules contradict the actions that they list; of packed rules only if they are `listed`."""
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
    """That the text of a state is read as another one, if it is."""
    if (again := read_position(game, text := write_position(game, state))) != state:
        yield f"its text {text!r} is read as {shown(again)}, not as {shown(state)}"
