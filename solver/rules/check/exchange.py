"""Checks the states in which players have changed places, as rules tell them: play must commute with it."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from solver.errors import shown
from solver.packed import PackedGame
from solver.rules.check.answers import Answers, Fault, answers, named
from solver.rules.check.symmetry import SAMPLED_STATES
from solver.rules.source.rules_file import raised


def faults_of_exchange(game: PackedGame, seen: Mapping[Any, Answers]) -> Iterator[Fault]:
    """The faults of `exchanged` in a sample of the `seen` states."""
    for state, answer in islice(seen.items(), 0, None, max(1, len(seen) // SAMPLED_STATES)):
        try:
            if game.exchanged(state) is None:
                return
            if wrong := _wrong(game, state, answer):
                yield Fault("exchanged", f"{named(game, state)}: {wrong}")
        except Fault as fault:
            yield Fault("exchanged", f"what {named(game, state)} is exchanged for: {fault.words}")
        except (Exception, SystemExit) as error:
            yield Fault("exchanged", f"{named(game, state)}: exchanged raises {raised(error)}")


def _wrong(game: PackedGame, state: int, answer: Answers) -> str | None:
    """The first difference between a state and the one with exchanged players, in words; None if none."""
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
