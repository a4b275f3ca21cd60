"""Checks packed rules: the ranges of states and actions, and that arrays get the answers of their states."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from solver.errors import shown
from solver.packed import OPTIONAL_RULES, STATE_BITS, PackedGame
from solver.rules.asking import symmetries_of
from solver.rules.check.answers import Answers, Fault, is_integer, named
from solver.rules.source.rules_file import raised


def faults_of_packing(game: PackedGame, seen: Mapping[Any, Answers]) -> Iterator[Fault]:
    """The faults of packed states and actions, and of answers for arrays of states."""
    states = [state for state in seen if _is_packed(state)]
    for state in seen:
        if not _is_packed(state):
            words = f"a packed state should be an integer from 0 to below 2**{STATE_BITS}, not {shown(state)}"
            yield Fault("packing", f"{named(game, state)}: {words}")
            break
    yield from _faults_of_actions(game, seen)
    yield from _faults_of_candidates(game, states, seen)
    yield from _faults_of_arrays(game, states, seen)
    yield from _faults_of_plies(game, states, seen)
    yield from _faults_of_tiers(game, states, seen)


def _is_packed(state: Any) -> bool:
    return isinstance(state, int) and 0 <= state < 2**STATE_BITS


def _faults_of_actions(game: PackedGame, seen: Mapping[Any, Answers]) -> Iterator[Fault]:
    for state, answer in seen.items():
        for action in answer.actions:
            if not (isinstance(action, int) and 0 <= action < game.action_count):
                words = f"the action {shown(action)} is not below action_count, which is {game.action_count}"
                yield Fault("action_count", f"{named(game, state)}: {words}")
                return


def _faults_of_candidates(
    game: PackedGame, states: list[int], seen: Mapping[Any, Answers]
) -> Iterator[Fault]:
    """The fault of `candidates`, or of the rules' own `actions`, if it does not list what `legal` allows."""
    rule = "candidates" if type(game).actions is PackedGame.actions else "actions"
    for state in states:
        listed = [*seen[state].actions]
        if listed and not seen[state].is_terminal:
            legal = [action for action in range(game.action_count) if game.legal(state, action)]
            if listed != legal:
                words = f"{rule} gives the actions {shown(listed)}, but by legal they are {shown(legal)}"
                yield Fault(rule, f"{named(game, state)}: {words}")
                return


def _faults_of_arrays(game: PackedGame, states: list[int], seen: Mapping[Any, Answers]) -> Iterator[Fault]:
    """The faults of rules that give an array other answers than its states."""
    open_states = [state for state in states if not seen[state].is_terminal]
    over = [state for state in states if seen[state].is_terminal]
    yield from _differs(game, "to_move", game.to_move, states)
    yield from _differs(game, "is_terminal", game.is_terminal, states)
    yield from _differs(game, "utility", game.utility, over)
    for action in range(game.action_count):
        yield from _differs(game, "legal", game.legal, open_states, action)
        legal = [state for state in open_states if action in seen[state].actions]
        yield from _differs(game, "result", game.result, legal, action)
    for rule in OPTIONAL_RULES:
        if states and getattr(game, rule)(states[0]) is not None:
            yield from _differs(game, rule, getattr(game, rule), states)
    for number, symmetry in enumerate(symmetries_of(game), start=1):
        yield from _differs(game, f"symmetry {number}", symmetry.state, states)


def _faults_of_plies(game: PackedGame, states: list[int], seen: Mapping[Any, Answers]) -> Iterator[Fault]:
    if not states or game.ply(states[0]) is None:
        return
    for state in states:
        for child in filter(_is_packed, seen[state].children):
            if (after := game.ply(child)) != (before := game.ply(state)) + 1:
                words = f"its ply is {before}, but that of its child {named(game, child)} is {after}"
                yield Fault("ply", f"{named(game, state)}: {words}")
                return


def _faults_of_tiers(game: PackedGame, states: list[int], seen: Mapping[Any, Answers]) -> Iterator[Fault]:
    if not states or game.tier(states[0]) is None:
        return
    for state in states:
        tier = game.tier(state)
        if not is_integer(tier, -(2**63), 2**63 - 1):
            yield Fault("tier", f"{named(game, state)}: its tier should be an integer, not {shown(tier)}")
            return
        wrong = [
            ("child", child)
            for child in seen[state].children
            if _is_packed(child) and game.tier(child) < tier
        ]
        images = (symmetry.state(state) for symmetry in symmetries_of(game))
        wrong += [("image", image) for image in images if game.tier(image) != tier]
        for kind, other in wrong[:1]:
            words = f"its tier is {tier}, but that of its {kind} {named(game, other)} is {game.tier(other)}"
            yield Fault("tier", f"{named(game, state)}: {words}")
            return


def _differs(
    game: PackedGame, rule: str, ask: Callable[..., Any], states: list[int], *action: int
) -> Iterator[Fault]:
    import numpy as np  # imported late: rules without arrays do without it

    from solver.rules.arrays import array_type

    array = np.array(states, dtype=np.int64)
    try:
        single = [ask(state, *action) for state in states]
        answer = np.broadcast_to(np.asarray(ask(array.view(array_type(game)), *action)), array.shape)
    except (Exception, SystemExit) as error:
        kind, _, says = raised(error).partition(": ")
        yield Fault(f"array {rule}", f"{rule} raises {kind} for an array of states: {says}")
        return
    fits = np.can_cast(answer.dtype, np.int64)
    for state, alone, among in zip(states, single, answer.tolist(), strict=True):
        if alone != among or not fits:
            words = f"{rule} is {shown(alone)} for the state alone, but {shown(among)} for it in an array"
            words += "" if fits else f", whose answers should be integers up to int64, not {answer.dtype}"
            yield Fault(f"array {rule}", f"{named(game, state)}: {words}")
            return
