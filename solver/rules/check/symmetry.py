"""Checks the symmetries that rules claim, of either sign: play must commute with each."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from solver.errors import BrokenRules, shown
from solver.game import AnyGame, Game, Symmetry
from solver.packed import PackedGame
from solver.rules.asking import symmetries_of, told_apart_by
from solver.rules.check.answers import Answers, Fault, answers, named
from solver.rules.failures import NO_ORDER, raised_by, rules_asked
from solver.rules.source.rules_file import raised

SAMPLED_STATES = 500
"""States in which symmetries are tried."""


def faults_of_symmetries(game: AnyGame, seen: Mapping[Any, Answers]) -> Iterator[Fault]:
    """The faults of the symmetries and of canonical states, in a sample of the `seen` states."""
    symmetries = symmetries_of(game)
    for state, answer in _sample(seen):
        rule = "symmetries"
        try:
            for number, symmetry in enumerate(symmetries, start=1):
                if wrong := _wrong(game, symmetry, state, answer):
                    yield Fault(rule, f"{named(game, state)}: symmetry {number} is wrong: {wrong}")
            rule = "canonical"
            if wrong := _wrong_canonical(game, symmetries, state):
                yield Fault(rule, f"{named(game, state)}: {wrong}")
        except Fault as fault:
            yield Fault(rule, f"an image of {named(game, state)}: {fault.words}")
        except (Exception, SystemExit) as error:
            yield Fault(rule, f"{named(game, state)}: {rule} raise {raised_by(rule, error)}")


def refuse_false_symmetries(game: AnyGame, states: Iterable[Any]) -> None:
    """Raise `BrokenRules` if `told_apart_by` differs between one of the states and an image of it."""
    with rules_asked(game):
        symmetries = symmetries_of(game)
        for state in states:
            expected = told_apart_by(game, state, symmetries)
            for number, symmetry in enumerate(symmetries, start=1):
                if told_apart_by(game, symmetry.state(state), symmetries) != expected:
                    raise BrokenRules(
                        f"the rules of {type(game).__name__} cannot be folded: {named(game, state)} differs "
                        f"from its image by symmetry {number}: `perfectplay check` says how"
                    )


def _sample(seen: Mapping[Any, Answers]) -> Iterator[tuple[Any, Answers]]:
    return islice(seen.items(), 0, None, max(1, len(seen) // SAMPLED_STATES))


def _wrong(game: AnyGame, symmetry: Symmetry[Any, Any], state: Any, answer: Answers) -> str | None:
    if (image := symmetry.state(state)) is None:
        return "the image is None, which cannot be a state"
    there = answers(game, image)
    where = f"in the image {named(game, image).removeprefix('the position ')}"
    for rule in ("to_move", "is_terminal", "utility"):
        if getattr(there, rule) != getattr(answer, rule):
            return f"{where} {rule} is {shown(getattr(there, rule))}, not {shown(getattr(answer, rule))}"
    after = dict(zip(there.actions, there.children, strict=True))
    moved = [symmetry.action(action) for action in answer.actions]
    if len(set(moved)) != len(moved) or set(moved) != set(after):
        return f"{where} the actions are {shown(list(after))}, not {shown(moved)}"
    for action, child in zip(moved, answer.children, strict=True):
        if after[action] != (image := symmetry.state(child)):
            return f"{where} {shown(action)} leads to {shown(after[action])}, not to {shown(image)}"
    return None


def _wrong_canonical(game: AnyGame, symmetries: Any, state: Any) -> str | None:
    if (chosen := game.canonical(state)) is None:
        return "canonical is None, which cannot be a state"
    images = [symmetry.state(state) for symmetry in symmetries]
    if chosen not in (state, *images):
        return f"canonical is {named(game, chosen)}, which is not symmetric to it"
    for other in (chosen, *images):
        if (second := game.canonical(other)) != chosen:
            is_default = type(game).canonical is Game.canonical
            hint = NO_ORDER if is_default and not (chosen < second or second < chosen) else ""
            return f"its class has two canonical states, {shown(chosen)} and {shown(second)}{hint}"
    if chosen != state and all(symmetry.state(chosen) != state for symmetry in symmetries):
        return f"a symmetry takes it to {shown(chosen)}, but none takes that back"
    return None


def faults_of_packed_symmetries(game: PackedGame, seen: Mapping[Any, Answers]) -> Iterator[Fault]:
    """The faults of `exchanged` in a sample of the `seen` states."""
    for state, answer in _sample(seen):
        try:
            if game.exchanged(state) is None:
                return
            if wrong := _wrong_exchange(game, state, answer):
                yield Fault("exchanged", f"{named(game, state)}: {wrong}")
        except Fault as fault:
            yield Fault("exchanged", f"what {named(game, state)} is exchanged for: {fault.words}")
        except (Exception, SystemExit) as error:
            yield Fault("exchanged", f"{named(game, state)}: exchanged raises {raised(error)}")


def _wrong_exchange(game: PackedGame, state: int, answer: Answers) -> str | None:
    if answer.to_move in map(game.to_move, answer.children):
        return "a move does not change who is to move, so exchanged should be None"
    other = game.exchanged(state)
    there = answers(game, other)
    where = f"exchanged is {named(game, other).removeprefix('the position ')},"
    if (back := game.exchanged(other)) != state:
        return f"{where} and that of it {shown(back)}"
    if game.parse(game.position(other)) != other:
        return f"{where} which is not read as it is written"
    utility = None if answer.utility is None else -answer.utility
    for rule, is_there, right in (
        ("to_move", there.to_move, 1 - answer.to_move),
        ("is_terminal", there.is_terminal, answer.is_terminal),
        ("utility", there.utility, utility),
        ("tier", game.tier(other), game.tier(state)),
    ):
        if is_there != right:
            return f"{where} for which {rule} is {shown(is_there)}, not {shown(right)}"
    if set(there.children) != set(map(game.exchanged, answer.children)):
        return f"{where} the moves of which do not lead to what is exchanged for its children"
    return None
