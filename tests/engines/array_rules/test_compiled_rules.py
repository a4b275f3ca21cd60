from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from solver.engines.array_rules.compiled_rules import CompiledRules, compiled_rules
from solver.engines.array_rules.rules import Rules
from solver.engines.array_rules.tracing import Untraceable
from solver.errors import BrokenRules
from solver.game import Game, Symmetry
from solver.packed import Packed, PackedGame
from solver.rules.arrays import Keys
from solver.rules.loading import load_game
from solver.system.plugins import entries
from tests.support.commandline import python
from tests.support.games.packed import Below, Climb, Raise, Rising, Stuck, Third, Upper, Weights

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("mnk", {"rows": 4, "columns": 4, "k": 4}),
    ("mnk", {"rows": 2, "columns": 3, "k": 2, "wild": True, "misere": True}),
    ("connect", {"rows": 6, "columns": 8, "k": 4}),
    ("connect", {"rows": 3, "columns": 1, "k": 2}),
    ("subtraction", {"heap": 30, "take": (7, 2), "misere": True}),
    ("kayles", {"n": 1}),
    ("chomp", {"rows": 5, "columns": 5}),
    ("chomp", {"rows": 1, "columns": 1}),
    ("domineering", {"rows": 1, "columns": 2}),
    ("domineering", {"rows": 3, "columns": 3, "misere": True}),
    ("dots-and-boxes", {"rows": 3, "columns": 3}),
]
"""Parameters that change the rules, the shape, or the bits of a state; the defaults are tested besides."""

LARGE: list[tuple[str, dict[str, Any]]] = [
    ("mnk", {"rows": 5, "columns": 6, "k": 4}),
    ("connect", {"rows": 6, "columns": 7, "k": 4}),
    ("kayles", {"n": 40, "misere": True}),
    ("domineering", {"rows": 6, "columns": 6, "misere": True}),
]
"""Parameters that make boards larger only; `make test-slow` takes these."""


COUNTED = type("Counted", (Rising,), {"ply": lambda self, state: state // 1})
"""A ladder that tells its ply in a way that cannot be compiled."""


@dataclass(frozen=True)
class Many(Rising):
    """A ladder with actions that are all of their own kind, and some that are never legal."""

    action_count = 12

    def legal(self, state: Packed, action: int) -> Packed:
        return False if action % 3 == 2 else (state & action) == 0

    def result(self, state: Packed, action: int) -> Packed:
        for _ in range(action):
            state = state + (state & 3) + 1
        return state


ODD: list[PackedGame] = [Rising(), Stuck(), Climb(), Weights(), Weights(n=9), COUNTED(), Upper(), Many()]


def packed_games() -> list[Any]:
    """Every built-in packed game, its variants, and the odd ones, as parameters of tests."""
    named = [*((name, {}) for name in entries("games")), *VARIANTS, *LARGE]
    games = [(load_game(*item), item) for item in named]
    return [
        *(
            pytest.param(game, id="{} {}".format(*item), marks=[pytest.mark.slow] if item in LARGE else [])
            for game, item in games
            if isinstance(game, PackedGame)
        ),
        *(pytest.param(game, id=repr(game)) for game in ODD),
    ]


every_game = pytest.mark.parametrize("game", packed_games(), scope="module")  # one game after the other


@cache
def rules_of(game: PackedGame) -> CompiledRules:
    return compiled_rules(game)


@cache
def plain_rules_of(game: PackedGame) -> Rules:
    return Rules(game)


actions_of = cache(PackedGame.actions)


@cache
def reached(game: PackedGame, most: int = 200) -> Keys:
    """States that arise in random play, each once."""
    random, actual = Random(1), {game.initial: None}
    for _ in range(most):
        state = game.initial
        while len(actual) < most and (actions := actions_of(game, state)) and state < 10**6 * most:
            state = game.result(state, random.choice(actions))
            if actual.setdefault(state, None) is None and random.random() < 0.02:
                break
    return np.array(list(actual), np.int64)


@cache
def is_terminal(game: PackedGame, state: int) -> bool:
    return bool(game.is_terminal(state))


@cache
def images_of(game: PackedGame) -> list[Callable[[int], int]]:
    return [symmetry.state for symmetry in game.symmetries()]


@cache
def representative(game: PackedGame, state: int) -> int:
    """The canonical state of a class, by symmetries that are made once for all states."""
    if type(game).canonical is not Game.canonical:
        return int(game.canonical(state))
    return min((state, *(image(state) for image in images_of(game))))


@every_game
def test_state_queries_match_the_game_rules(game: PackedGame) -> None:
    rules, keys = rules_of(game), reached(game)
    states = keys.tolist()
    over = [state for state in states if is_terminal(game, state)]
    assert rules.terminal(keys).tolist() == [is_terminal(game, state) for state in states]
    assert rules.utilities(np.array(over, np.int64)).tolist() == [game.utility(state) for state in over]
    assert rules.movers(keys).tolist() == [game.to_move(state) for state in states]
    assert rules.canonical(keys).tolist() == [representative(game, state) for state in states]
    for item in (rules, plain_rules_of(game)):
        for one, actual in ((game.ply, item.optional("ply", keys)), (game.tier, item.optional("tier", keys))):
            expected = None if one(game.initial) is None else [one(state) for state in states]
            assert (actual if actual is None else actual.tolist()) == expected


@every_game
@pytest.mark.parametrize("folded", [False, True])
def test_open_and_terminal_states_match_the_game_rules(game: PackedGame, folded: bool) -> None:
    keys = reached(game)
    states = [state for state in keys.tolist() if not folded or representative(game, state) == state]
    apart = [[state for state in states if is_terminal(game, state) == is_kind] for is_kind in (False, True)]
    for rules in (rules_of(game), plain_rules_of(game)):
        assert [item.tolist() for item in rules.open_and_terminal(keys, folded=folded)] == apart


@every_game
def test_children_match_the_game_rules(game: PackedGame) -> None:
    rules = rules_of(game)
    states = [state for state in reached(game).tolist() if not is_terminal(game, state)]
    assert rules.action_count == game.action_count
    for action in range(game.action_count):
        legal = [nth for nth, state in enumerate(states) if action in actions_of(game, state)]
        children, parents = rules.children(np.array(states, np.int64), action)
        assert children.tolist() == [game.result(states[nth], action) for nth in legal]
        assert parents.tolist() == [2 * nth + game.to_move(states[nth]) for nth in legal]
        others = [child for child in children.tolist() if representative(game, child) != child]
        assert children[rules.canonical(children) != children].tolist() == others


@every_game
def test_every_child_keeps_the_given_order_of_actions(game: PackedGame) -> None:
    rules, keys = rules_of(game), reached(game)
    keys = keys[~rules.terminal(keys)]
    for actions in (None, range(game.action_count)[::-1]):
        answers: Any = [item.every_child(keys, actions) for item in (rules, plain_rules_of(game))]
        assert [answer.tolist() for answer in answers[0]] == [answer.tolist() for answer in answers[1]]


def every_answer(rules: Rules, keys: Keys) -> list[Any]:
    """What rules say of states: arrays, None, or the fault that they name."""
    questions: list[Any] = [rules.terminal, rules.utilities, rules.movers, rules.canonical]
    questions += [partial(rules.optional, "ply"), rules.representatives]
    plays = [lambda keys, action=action: rules.children(keys, action) for action in range(rules.action_count)]
    actual: list[Any] = []
    for question in [*questions, *plays]:
        try:
            answer = question(keys)
        except BrokenRules as error:
            answer = str(error)
        actual += answer if isinstance(answer, tuple) else [answer]
    return actual


@every_game
@settings(max_examples=15)
@given(data=st.data())
def test_answers_for_arbitrary_bits_match_numpy(game: PackedGame, data: st.DataObject) -> None:
    top = data.draw(st.integers(1, 63))
    states = data.draw(st.lists(st.integers(0, 2**top - 1), max_size=50))
    keys = np.array(states, np.int64)
    answers = [every_answer(rules, keys) for rules in (rules_of(game), plain_rules_of(game))]
    for one, other in zip(*answers, strict=True):
        assert np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
        assert getattr(one, "dtype", None) == getattr(other, "dtype", None)


LOWERED = [Symmetry[int, int](lambda state: state & ~1, lambda action: action)]
"""An even rung stands for the odd one above, to which it does not take it."""


def test_compiled_rules_check_canonical_forms() -> None:
    quixo: Any = load_game("quixo", {"rows": 3, "columns": 3, "k": 3})
    keys = reached(quixo)
    for degree in (1, 2):
        forms = compiled_rules(quixo, degree).representatives(keys)
        assert forms.tolist() == Rules(quixo, degree).canonical(keys).tolist()
    wrong = compiled_rules(type("Lowered", (Rising,), {"symmetries": lambda self: LOWERED})())
    assert wrong.representatives(np.array([2, 4])).tolist() == [2, 4]
    with pytest.raises(BrokenRules, match="the state 4 stands for 5, but their symmetries do not"):
        wrong.representatives(np.array([2, 5, 4]))


def test_untraceable_rules_are_not_compiled() -> None:
    branching = {"result": lambda self, state, action: state + 1 if np.all(state >= 0) else state}
    for game in (type("Branching", (Rising,), branching)(), Raise()):
        with pytest.raises(Untraceable):
            compiled_rules(game)


@pytest.mark.parametrize("by", [Rules, compiled_rules])
def test_plain_and_compiled_rules_raise_the_same_errors(by: Callable[[PackedGame], Rules]) -> None:
    below, third, keys = by(Below()), by(Third()), np.arange(5)
    negative, third_player = "from the state 2 to a negative one, -97", "0 or 1, not 2, in the state 3"
    wrong: list[tuple[str, Callable[[], object]]] = [
        (negative, lambda: below.children(keys, 0)),
        (negative, lambda: below.every_child(keys)),
        (third_player, lambda: third.movers(keys)),
        (third_player, lambda: third.children(keys, 0)),
    ]
    for words, ask in wrong:
        with pytest.raises(BrokenRules, match=words):
            ask()


def test_similar_actions_share_a_kernel() -> None:
    game: Any = load_game("mnk", {"rows": 4, "columns": 4, "k": 4})
    assert len({id(kernel) for kernel, _ in rules_of(game).plays}) == 1
    assert len({row.tobytes() for _, row in rules_of(game).plays}) == 16


def test_keys_may_be_read_only_strided_or_empty() -> None:
    game: Any = load_game("tictactoe")
    keys = reached(game)
    still, every_other = keys.copy(), keys[::2]
    still.flags.writeable = False
    assert rules_of(game).terminal(still).tolist() == rules_of(game).terminal(keys).tolist()
    assert rules_of(game).terminal(every_other).tolist() == rules_of(game).terminal(keys)[::2].tolist()
    assert rules_of(game).terminal(keys[:0]).tolist() == []
    assert rules_of(game).children(keys[:0], 0)[0].tolist() == []


def test_compiled_rules_are_thread_safe() -> None:
    game: Any = load_game("connect", {"rows": 5, "columns": 5})
    rules, keys = compiled_rules(game), np.tile(reached(game), 20)
    wanted = [array.tolist() for array in every_answer(Rules(game), keys)]
    with ThreadPoolExecutor(8) as pool:
        for actual in pool.map(lambda _: every_answer(rules, keys), range(16)):
            assert [array.tolist() for array in actual] == wanted


def test_rules_are_not_compiled_without_llvmlite() -> None:
    code = """
import sys
sys.modules["llvmlite"] = None
from solver.engines.array_rules import rules_for
from solver.rules.loading import load_game
print(type(rules_for(load_game("tictactoe"))).__name__)
"""
    assert python(code).stdout == "Rules\n"


def test_llvmlite_is_imported_only_when_rules_are_compiled() -> None:
    code = "import sys, solver.engines.array_rules.rules; print('llvmlite' in sys.modules)"
    assert python(code).stdout == "False\n"
