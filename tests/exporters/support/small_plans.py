"""Small handmade games, and plans for them."""

from collections.abc import Mapping, Sequence

from solver.game import Game
from solver.plans.plan import Plan

Rules = Mapping[str, int | tuple[int, Mapping[str, str]]]
"""By position: the utility of an end, or the player to move and the position after each move."""


class Handmade(Game[str, str]):
    """A game given move by move; the first position is the initial one."""

    def __init__(
        self, rules: Rules, drawn: Mapping[str, Sequence[Sequence[str]] | str] | None = None
    ) -> None:
        self.rules = rules
        self.drawn = drawn or {}

    @property
    def initial(self) -> str:
        return next(iter(self.rules))

    def to_move(self, state: str) -> int:
        rule = self.rules[state]
        return 0 if isinstance(rule, int) else rule[0]

    def actions(self, state: str) -> Sequence[str]:
        rule = self.rules[state]
        return () if isinstance(rule, int) else tuple(rule[1])

    def result(self, state: str, action: str) -> str:
        rule = self.rules[state]
        assert not isinstance(rule, int)
        return rule[1][action]

    def utility(self, state: str) -> int:
        rule = self.rules[state]
        assert isinstance(rule, int)
        return rule

    def board(self, state: str) -> Sequence[Sequence[str]] | None:
        drawn = self.drawn.get(state)
        return None if isinstance(drawn, str) else drawn

    def show(self, state: str) -> str:
        drawn = self.drawn.get(state)
        return drawn if isinstance(drawn, str) else super().show(state)


def plan(game: Handmade, moves: Mapping[str, str], *, goal: str = "draw", owner: int = 0) -> Plan:
    """A plan for `game` from its initial position; what it is worth does not matter to exporters."""
    scored = any(abs(rule) > 1 for rule in game.rules.values() if isinstance(rule, int))
    return Plan(game, owner, goal, game.initial, 0, moves, game.initial, scored=scored)


def fork(width: int) -> Plan:
    """A plan in which the other player has `width` replies, all of which lose at once."""
    replies = {f"r{number}": f"end{number}" for number in range(width)}
    return plan(Handmade({"root": (1, replies)} | dict.fromkeys(replies.values(), 1)), {})


HOSTILE = (
    *('"', "\\", '\\"', "<b>", "</TABLE>", '<script>alert("1")</script>', "a:b", "{|}", "&lt;", "\\N\\G"),
    *("%s", "ä€😀", "]]>", "-->", "</title>", "</desc>", '" onload="x', "back\\slash", "a\\nb\\\\c\\"),
)
"""Texts that something could take for something else."""


def hostile_plan() -> Plan:
    """A plan in which positions and moves are called so, and a board has a mark of such a text."""
    rules: Rules = {"root": (1, {f"{text} move": text for text in HOSTILE}), **dict.fromkeys(HOSTILE, 1)}
    return plan(Handmade(rules, {"\\": [['"', "</TD>"]]}), {})
