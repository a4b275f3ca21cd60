"""Checks rules for contradictions, among themselves or with the contract of `Game`.

A small game is checked in every state, a larger one in its first states, breadth first, and in states of
random games. Each kind of fault is reported once, with a state that shows it. Games are zero-sum by
definition, as rules give only the first player's utility; that it is right is not checked.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from random import Random
from typing import Any

from solver.errors import cut, shown
from solver.game import AnyGame, Game
from solver.packed import PackedGame
from solver.rules.asking import MAX_BOUND
from solver.rules.check.answers import (
    Answers,
    Fault,
    answers,
    faults_of_answers,
    faults_of_look,
    faults_of_play,
    faults_of_text,
    guarded,
    hash_of,
    is_integer,
    named,
)
from solver.rules.check.arrays import faults_of_packing
from solver.rules.check.symmetry import faults_of_packed_symmetries, faults_of_symmetries
from solver.rules.failures import NOT_RULES
from solver.rules.loading import game_parameters
from solver.rules.notation import equality_hint
from solver.rules.source.rules_file import raised

MAX_STARTS = 1000
"""Initial states from which play is tried."""


MAX_TEXT = 100_000
"""The longest repr, in characters, of a state that is checked; states that grow without end exceed it."""

OTHER_NAMES = {"terminal_test": "is_terminal", "terminal": "is_terminal", "symmetry": "symmetries"}
"""Names that optional members have elsewhere, as in aima-python: nothing asks for them."""


@dataclass(frozen=True)
class CheckReport:
    """The result of a check."""

    faults: tuple[str, ...]
    """One line for each kind of fault; none if no fault was seen."""
    states: int
    """The number of states that were checked."""
    whole: bool
    """Whether every reachable state was checked."""
    error: BaseException | None = None
    """The first exception among the faults; None if the rules raised none."""


@dataclass
class _Seen:
    answers: dict[Any, Answers]
    texts: dict[str, Any]
    whole: bool = True
    large: bool = False
    """Whether some states are too large to be checked."""


def check(game: AnyGame, *, states: int = 2000, seed: int = 0) -> CheckReport:
    """The faults of `game` in about `states` of its states; `seed` seeds the random games."""
    seen, faults = _Seen({}, {}), dict[str, Fault]()
    for fault in _faults(game, seen, states, Random(seed)):
        faults.setdefault(fault.rule, fault)
    errors = (fault.error for fault in faults.values() if fault.error)
    words = dict.fromkeys(fault.words for fault in faults.values())
    return CheckReport((*words,), len(seen.answers), seen.whole, next(errors, None))


def misspelled(game: AnyGame) -> list[str]:
    """A sentence for each member that nothing asks for and whose name is close to an optional member's."""
    rules, interface = type(game), {*vars(Game), *(vars(PackedGame) if isinstance(game, PackedGame) else ())}
    own = {name for base in rules.__mro__ if base.__module__ not in NOT_RULES for name in vars(base)}
    optional = [name for name in interface - own if not name.startswith("_")]
    return [
        f"{rules.__name__} has {name}, which nothing asks for: did you mean {near[0]}?"
        for name in sorted(own - interface - {*game_parameters(game)})
        if not name.startswith("_")
        and (near := get_close_matches(OTHER_NAMES.get(name, name), optional, 1, 0.85))
    ]


def _faults(game: AnyGame, seen: _Seen, states: int, random: Random) -> Iterator[Fault]:
    starts = deque[Any]()
    yield from guarded("initial_states", _faults_of_starts(game, starts))
    queue = deque(starts)
    while queue and len(seen.answers) < states:
        yield from guarded("states", _visit(game, seen, queue.popleft(), queue.append))
    is_done = all(hash_of(state) is not None and state in seen.answers for state in queue)
    seen.whole = is_done and len(starts) <= MAX_STARTS and not seen.large
    if not seen.whole:
        random_games = _random_games(game, seen, list(starts), states + states // 2, random)
        yield from guarded("states", random_games)
    for state, before in reversed(seen.answers.items()):  # in the same order a count of questions could agree
        yield from guarded("states", _changed(game, state, before))
    yield from guarded("position", _faults_of_equal_states(game, seen.answers))
    yield from guarded("action_name", _faults_of_names(game, seen.answers))
    yield from _faults_of_bound(game, len(seen.answers))
    yield from faults_of_look(game)
    yield from guarded("symmetries", faults_of_symmetries(game, seen.answers))
    if isinstance(game, PackedGame):
        yield from guarded("packing", faults_of_packing(game, seen.answers))
        yield from guarded("symmetries", faults_of_packed_symmetries(game, seen.answers))


def _faults_of_starts(game: AnyGame, starts: deque[Any]) -> Iterator[Fault]:
    """The faults of the initial states, which are appended to `starts`."""
    try:
        starts.extend(islice(game.initial_states(), MAX_STARTS + 1))
        first = game.initial
    except (Exception, SystemExit) as error:
        yield Fault("initial", f"the initial state: the rules raise {raised(error)}")
        return
    if any(state is None for state in starts):
        yield Fault("initial", "the initial state: it is None, which cannot be a state")
        starts.clear()
    elif not starts:
        yield Fault("initial_states", "the initial states: there are none")
    elif starts[0] != first:
        yield Fault(
            "initial_states",
            f"the initial states: the first is {shown(starts[0])}, but initial is {shown(first)}"
            f"{equality_hint(first)}",
        )


def _random_games(
    game: AnyGame, seen: _Seen, starts: list[Any], most: int, random: Random
) -> Iterator[Fault]:
    """The faults in states of random games, until `most` are checked, one is too large, or few are new."""
    plies = 0
    while len(seen.answers) < most and plies < 20 * most and not seen.large:
        state = random.choice(starts)
        while hash_of(state) is not None and plies < 20 * most and len(seen.answers) < most:
            yield from guarded("states", _visit(game, seen, state, lambda child: None))
            plies += 1
            children = seen.answers[state].children if state in seen.answers else ()
            if not children or random.random() < 1 / 500:
                break
            state = random.choice(children)
        plies += 1


def _visit(game: AnyGame, seen: _Seen, state: Any, follow: Callable[[Any], None]) -> Iterator[Fault]:
    """The faults of one state, unless it was checked before; `follow` is called with each child."""
    if state is None:
        return  # a fault of the move that leads here
    if hash_of(state) is None:
        yield Fault("hash", f"the state {shown(state)}: it cannot be hashed: make it a tuple or a text")
        return
    if state in seen.answers:
        return
    text = _full_repr(state)
    if len(text) > MAX_TEXT:
        seen.large, seen.whole = True, False
        return
    seen.answers[state] = answer = answers(game, state)
    yield from faults_of_answers(game, state, answer)
    yield from faults_of_text(game, state, seen.texts)
    yield from faults_of_play(game, state)
    if _full_repr(state) != text:
        yield Fault("mutable", f"the state {cut(text)}: playing in it has changed it to {shown(state)}")
    for child in answer.children:
        follow(child)


def _full_repr(state: Any) -> str:
    """The repr of a state, uncut if it has one; a text over `MAX_TEXT` for an integer too long to print."""
    if isinstance(state, int) and state.bit_length() > MAX_TEXT // 10:
        return "?" * (MAX_TEXT + 1)
    try:
        return repr(state)
    except (Exception, SystemExit):
        return shown(state)


def _faults_of_equal_states(game: AnyGame, seen: Mapping[Any, Answers]) -> Iterator[Fault]:
    """The fault of a child that equals a checked state, as (1, True) equals (1, 1), but has another text."""
    texts = {state: game.position(state) for state in seen}
    for state, answer in seen.items():
        for child in answer.children:
            if hash_of(child) is None or child not in texts:
                continue
            if (text := game.position(child)) != (other := texts[child]):
                words = f"a move leads to {shown(text)}, which equals {shown(other)}"
                yield Fault("texts", f"{named(game, state)}: {words}: equal states need one text")
                return


def _changed(game: AnyGame, state: Any, before: Answers) -> Iterator[Fault]:
    for rule, was, again in zip(Answers._fields, before, answers(game, state), strict=True):
        if was != again:
            words = f"{named(game, state)}: {rule} is {shown(again)} when asked again, it was {shown(was)}"
            yield Fault(f"again {rule}", words)


def _faults_of_names(game: AnyGame, seen: Mapping[Any, Answers]) -> Iterator[Fault]:
    """The fault of names that are numbers in one state and texts in another, or of equal actions with two."""
    kinds, names = dict[bool, Any](), dict[Any, Any]()
    for state, answer in seen.items():
        for action in answer.actions:
            name = game.action_name(action)
            kinds.setdefault(isinstance(name, int), name)
            if hash_of(action) is not None and (other := names.setdefault(action, name)) != name:
                words = f"one action is named {shown(other)}, an equal one {shown(name)}"
                yield Fault("action_name", f"{named(game, state)}: {words}: equal actions need one name")
                return
        if len(kinds) > 1:
            words = f"some actions are named by numbers, some by texts: {[*kinds.values()]}"
            yield Fault("action_name", f"{named(game, state)}: {words}")
            return


def _faults_of_bound(game: AnyGame, states: int) -> Iterator[Fault]:
    try:
        bound = game.states_at_most()
    except (Exception, SystemExit) as error:
        yield Fault("states_at_most", f"states_at_most raises {raised(error)}")
        return
    if bound is not None and not is_integer(bound, states, MAX_BOUND):
        yield Fault(
            "states_at_most", f"states_at_most is {shown(bound)}, but play reaches {states:,} states or more"
        )
