"""Asks rules, and converts each answer to the type that `Game` specifies.

An integer of any type becomes an int, and any iterable a tuple. An answer of another kind raises
`BrokenRules`; `rules_asked` converts exceptions of the rules.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import isnan
from operator import index
from typing import Any, TypeAlias, get_args, get_type_hints

from solver.errors import BrokenRules, shown
from solver.game import AnyGame, Game, Look, Symmetry
from solver.packed import PackedGame
from solver.rules.failures import raise_broken_rules, rules_asked
from solver.rules.notation import INTEGERS, write_position

Symmetries: TypeAlias = Sequence[Symmetry[Any, Any]]
"""Symmetries of rules, the identity left out."""

MAX_ACTIONS = 100_000
"""The most actions of one state; rules that list more are taken to list them without end."""

MAX_BOUND = 10**4000
"""The limit of `states_at_most`; Python prints no integers that are much larger."""

PLAYERS = range(2)

UTILITIES = range(-(2**63) + 1, 2**63)
"""The utilities that a database can hold, even if negated."""

A_UTILITY = "an integer below 2**63, signs aside"
"""The same in words."""

GROUNDS = get_args(get_type_hints(Look)["ground"])


def mover_of(game: AnyGame, state: Any) -> int:
    """The player to move, 0 or 1."""
    mover = game.to_move(state)
    if type(mover) is int and 0 <= mover <= 1:
        return mover
    return as_integer("to_move", mover, PLAYERS, "0 or 1", state)


def actions_of(game: AnyGame, state: Any) -> tuple[Any, ...]:
    """The legal actions in `state`."""
    try:
        offered = game.actions(state)
        is_plain = type(offered) in (tuple, list) and len(offered) <= MAX_ACTIONS
        actions = tuple(offered) if is_plain else listed(game, offered, state)
    except (Exception, SystemExit) as error:
        raise_broken_rules(game, error, "actions", state)
    if None in actions:
        raise BrokenRules(f"None is an action in the state {shown(state)}: give it a name, such as 'pass'")
    return actions


def listed(game: AnyGame, offered: Any, *states: object) -> tuple[Any, ...]:
    """The actions that rules offer; raises `BrokenRules` unless they are a list, in a fixed order."""
    actions = tuple(islice(offered, MAX_ACTIONS + 1)) if isinstance(offered, Iterable) else None
    should = "actions should be a list or a tuple, not"
    if actions is None:
        wrong = f"{should} {shown(offered)}"
    elif len(actions) > MAX_ACTIONS:
        wrong = f"there are more than {MAX_ACTIONS:,} actions"
    elif isinstance(offered, set | frozenset):
        wrong = f"{should} a {type(offered).__name__}, whose order changes from run to run: sort it"
    elif isinstance(offered, Iterator) and type(game).is_terminal is Game.is_terminal:
        wrong = f"{should} a generator: return list(...), as is_terminal asks whether it is empty"
    else:
        return actions
    raise BrokenRules(", in the state ".join([wrong, *map(shown, states)]))


def utility_of(game: AnyGame, state: Any) -> int:
    """The utility of a terminal state for the first player."""
    utility = game.utility(state)
    if type(utility) is int and utility in UTILITIES:
        return utility
    name = "the utility of a state without actions"
    if isinstance(utility, bool) and not isinstance(game, PackedGame):  # False would be a draw
        raise BrokenRules(f"{name} should be {A_UTILITY}, not {utility}, in the state {shown(state)}")
    return as_integer(name, utility, UTILITIES, A_UTILITY, state)


def tier_of(game: PackedGame, state: int) -> int:
    """The tier of a state; 0 if the rules define no tiers."""
    tier = game.tier(state)
    return 0 if tier is None else as_integer("tier", tier, INTEGERS, "an integer of 64 bits", state)


def is_over(game: AnyGame, state: Any) -> bool:
    """Whether the game is over in `state`."""
    try:
        return bool(game.is_terminal(state))
    except (Exception, SystemExit) as error:
        raise_broken_rules(game, error, "is_terminal", state)


def guess_of(game: AnyGame, state: Any) -> float:
    """The heuristic evaluation of a state."""
    return as_number("evaluate", game.evaluate(state), state)


def as_number(name: str, value: Any, state: Any) -> float:
    """The value as a number; raises `BrokenRules` unless it is one."""
    try:
        if not isnan(number := float(value)):  # raises OverflowError for huge integers
            return value if type(value) is int else number
    except Exception:  # a foreign type may raise anything
        pass
    raise BrokenRules(f"{name} should be a number, not {shown(value)}, in the state {shown(state)}")


def bound_of(game: AnyGame) -> int | None:
    """An upper bound on the number of states; None if the rules cannot tell."""
    with rules_asked(game, "states_at_most"):
        bound = game.states_at_most()
    return None if bound is None else as_integer("states_at_most", bound, range(1, MAX_BOUND), "a number")


def symmetries_of(game: AnyGame) -> tuple[Symmetry[Any, Any], ...]:
    """The symmetries of the rules, without the identity."""
    with rules_asked(game, "symmetries"):
        offered = game.symmetries()
        symmetries = tuple(islice(offered, MAX_ACTIONS)) if isinstance(offered, Iterable) else (offered,)
        for wrong in (one for one in symmetries if not (hasattr(one, "state") and hasattr(one, "action"))):
            kind = type(wrong).__name__
            raise BrokenRules(f"symmetries should be a list of Symmetry(state, action), not {kind}")
        return tuple(Symmetry(symmetry.state, symmetry.action) for symmetry in symmetries)


def representative(game: AnyGame, state: Any, symmetries: Symmetries | None = None) -> Any:
    """The canonical state of the class of `state`; raises `BrokenRules` if the two are not symmetric.

    `symmetries` are those of the rules, which are asked for them if it is None.
    """
    symmetries = symmetries_of(game) if symmetries is None else symmetries
    try:
        if type(game).canonical is Game.canonical:
            chosen = min((state, *(symmetry.state(state) for symmetry in symmetries)))
        else:
            chosen = game.canonical(state)
        is_symmetric = state == chosen or any(state == symmetry.state(chosen) for symmetry in symmetries)
    except (Exception, SystemExit) as error:
        raise_broken_rules(game, error, "canonical", state)
    if not is_symmetric:
        raise BrokenRules(
            f"the rules of {type(game).__name__} say that {write_position(game, chosen)!r} stands for "
            f"{write_position(game, state)!r}, but none of their symmetries takes the one to the other"
        )
    return chosen


def told_apart_by(
    game: AnyGame, state: Any, symmetries: Symmetries
) -> tuple[int, int | None, frozenset[Any]]:
    """The player to move, the utility (None in an open state) and the classes of the children of a state."""
    actions = actions_of(game, state)
    children = frozenset(representative(game, game.result(state, action), symmetries) for action in actions)
    return mover_of(game, state), None if actions else utility_of(game, state), children


def from_representative(game: AnyGame, state: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The canonical state of the class of `state`, and the map from its actions to those of `state`."""
    chosen = representative(game, state)
    if chosen == state:
        return chosen, lambda action: action
    return chosen, next(turn.action for turn in symmetries_of(game) if turn.state(chosen) == state)


def board_of(game: AnyGame, state: Any) -> tuple[tuple[str, ...], ...] | None:
    """The state as rows of cells; None without a board."""
    with rules_asked(game, "board", state):
        board = game.board(state)
        return None if board is None else _rows("board", board, f", in the state {shown(state)}")


def cell_names_of(game: AnyGame) -> tuple[tuple[str, ...], ...]:
    """The names that moves have for cells, in rows; empty if the rules give none."""
    with rules_asked(game, "cell_names"):
        return _rows("cell_names", game.cell_names)


def _rows(name: str, board: Iterable[Iterable[str]], where: str = "") -> tuple[tuple[str, ...], ...]:
    rows = tuple(tuple(islice(row, MAX_ACTIONS)) for row in islice(board, MAX_ACTIONS))
    if isinstance(board, str) or not all(isinstance(cell, str) for row in rows for cell in row):
        raise BrokenRules(f"{name} should be rows of texts, not {shown(board)}{where}")
    return rows


def title_of(game: AnyGame) -> str | None:
    """The name of the game for people; None if the rules give none."""
    with rules_asked(game, "title"):
        title = game.title
    if title is None or (isinstance(title, str) and title.isprintable() and title.strip()):
        return title
    raise BrokenRules(f"title of {type(game).__name__} should be a text in one line, not {shown(title)}")


def look_of(game: AnyGame) -> Look:
    """The style in which boards of the game are drawn."""
    look = game.look
    if isinstance(look, Look) and look.ground not in GROUNDS:
        grounds = ", ".join(map(repr, GROUNDS))
        raise BrokenRules(f"the ground of a Look should be one of {grounds}, not {shown(look.ground)}")
    if isinstance(look, Look) and isinstance(look.owners, Mapping) and isinstance(look.glyphs, Mapping):
        return look
    raise BrokenRules(f"look of {type(game).__name__} should be a Look, not {shown(look)}")


def owner_of(game: AnyGame, mark: str) -> int | None:
    """The owner of `mark`, 0 or 1; None if it belongs to neither player."""
    return look_of(game).owners.get(mark, game.players.index(mark) if mark in game.players else None)


def picture_of(game: AnyGame, state: Any) -> str:
    """The state as a picture for a terminal."""
    text: object = game.show(state)
    if isinstance(text, str):
        return text
    raise BrokenRules(f"show should be a text, not {shown(text)}, for {shown(state)}")


def as_integer(name: str, value: Any, allowed: Container[int], requirement: str, *states: object) -> int:
    """The value as an int; raises `BrokenRules` unless it is an integer or a bool, and `allowed`."""
    try:
        is_truth = type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_")
        if (number := int(value) if is_truth else index(value)) in allowed:
            return number
    except Exception:  # a foreign type may raise anything
        pass
    where = "".join(f", in the state {shown(state)}" for state in states)
    raise BrokenRules(f"{name} should be {requirement}, not {shown(value)}{where}")
