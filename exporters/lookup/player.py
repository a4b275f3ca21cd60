"""Plays a plan by looking moves up, with Python alone: `python player.py PLAN.json`, or `Player(plan)`."""

import json
import sys
from pathlib import Path
from typing import Any


class Player:
    """One line of play through a plan, given as the parsed JSON that perfectplay writes."""

    def __init__(self, plan: dict[str, Any]) -> None:
        """Begin at the root; raises ValueError for a plan that cannot be played without rules."""
        if not _playable(plan):
            raise ValueError("no plan that can be played without rules")
        self.plan, self.names = plan, dict[str, str]()  # in play, and in the position looked up
        self._stand_at(plan["root"])

    @property
    def utility(self) -> int | None:
        """The utility for the first player; None while the game goes on."""
        utility: int | None = self.plan["ends"].get(self.position)
        return utility

    @property
    def move(self) -> str | None:
        """The plan's move; None if its owner is not to move."""
        choice = self.plan["states"].get(self.position)
        return choice and self._in_play(str(choice["move"]))

    @property
    def replies(self) -> list[str]:
        """The legal moves of the opponent; none if the opponent is not to move."""
        return [self._in_play(name) for name in self.plan["replies"].get(self.position, {})]

    def play(self, move: str) -> None:
        """Make a move of either player; raises `KeyError` if the plan does not have it."""
        choice, name = self.plan["states"].get(self.position), self.names.get(move, move)
        if choice and name == str(choice["move"]):
            self._stand_at(choice["then"])
        else:
            self._stand_at(self.plan["replies"][self.position][name])

    def _stand_at(self, position: str) -> None:
        fold = self.plan.get("folded", {}).get(position)
        if fold:  # its canonical position, in which moves have other names
            table = self.plan["symmetries"][fold["by"]]
            names = {move: self.names.get(move, move) for move in (*self.names, *table)}
            self.names = {move: table.get(name, name) for move, name in names.items()}
        self.position: str = fold["as"] if fold else position

    def _in_play(self, name: str) -> str:
        return next((move for move, its in self.names.items() if its == name), name)


def _playable(plan: Any) -> bool:
    """Whether the plan has the tables to play by, with values of the right types."""
    try:
        choices, tables = [*plan["states"].values()], plan.get("symmetries", [])
        folds = plan.get("folded", {}).values()
        texts = [plan["root"], *(choice["then"] for choice in choices), *(fold["as"] for fold in folds)]
        for table in (*plan["replies"].values(), *tables):
            texts += table.values()
        numbers = [*plan["ends"].values(), *(fold["by"] for fold in folds)]
        return (
            isinstance(tables, list)
            and {*map(type, texts)} == {str}
            and {*map(type, numbers)} <= {int}
            and {type(choice["move"]) for choice in choices} <= {str, int}
            and all(0 <= fold["by"] < len(tables) for fold in folds)
        )
    except (AttributeError, KeyError, TypeError):
        return False


def _printable(text: str) -> str:
    """The text with `?` for all that a terminal would not just show."""
    return "".join(char if char.isprintable() else "?" for char in text)


def main(path: str) -> None:
    """Play against a person, who types moves."""
    player, alone = Player(json.loads(Path(path).read_text("utf-8"))), 0
    while player.utility is None:
        move, replies = player.move, {_printable(reply): reply for reply in player.replies}
        if (move is None and not replies) or alone > len(player.plan["states"]):
            raise ValueError("the plan ends too early, or goes in circles")
        if move is None:
            print("" if "folded" in player.plan else _printable(f"{player.position}  "), end="")
            move, alone = replies.get(input(f"Your move, one of {' '.join(replies)}: ").strip()), 0
        else:
            print(_printable(f"The plan for {player.plan.get('owner')} plays {move}."))
            alone += 1
        if move is not None:
            player.play(move)
    print(f"The game is over; it is worth {player.utility:+d} to the first player.")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (EOFError, KeyboardInterrupt):
        print("\nYou left the game.")
    except (TypeError, OSError, ValueError, KeyError, RecursionError, MemoryError) as error:
        sys.exit(f"{sys.argv[0]} PLAN.json: a plan that `perfectplay plan` wrote, please ({error!r})")
