"""How well a player chooses, over the states of a solved game: each choice is held against the truth."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from solver.analysis.best_response import WorstCase, worst_case
from solver.database import Database
from solver.database.entry import Entry
from solver.errors import NoMove, Unsolved
from solver.game import FIRST, SECOND
from solver.players import Player, is_deterministic
from solver.players.match import Forfeit, Opponent, choose
from solver.rules.notation import read_position, write_action
from solver.system.progress import Progress, no_progress

BLUNDERS = ("win-draw", "win-loss", "draw-loss")
"""What can be thrown away: an outcome, and what is left of it."""

BLUNDERS_SHOWN = 10
"""How many blunders are shown."""


@dataclass(frozen=True)
class GradedChoice:
    """One choice of a player, and what it is worth."""

    position: str
    """Where it was made."""
    ply: int | None
    """The plies since the start, where the position has a single ply."""
    move: str | int | None
    """What was chosen, by name; None when the player failed."""
    best: bool
    """Whether the move is one of the best."""
    keeps_value: bool
    """Whether it keeps the value of the position."""
    blunder: str | None
    """Which outcome it throws away: one of `BLUNDERS`, or None."""
    loss: int
    """How much of the value it throws away."""
    plies: int
    """How near the missed win or the new loss is; 0 where there is neither."""
    failure: str | None = None
    """What went wrong when the player gave no legal move. Such a player loses."""


@dataclass
class ChoiceCounts:
    """How many choices there were, and how good."""

    choices: int = 0
    best: int = 0
    keeps_value: int = 0

    def add(self, choice: GradedChoice) -> None:
        """ChoiceCounts a choice."""
        self.choices += 1
        self.best += choice.best
        self.keeps_value += choice.keeps_value


@dataclass
class Grade:
    """What the choices of a player came to."""

    player: str
    """The name of the player."""
    sides: tuple[str, str]
    """The names of the two sides of the game."""
    exact: bool = False
    """Whether these are all the choices that it would ever make: no chance, no sample."""
    states: int = 0
    """In how many states it chose."""
    silent: int = 0
    """In how many more it had no move to offer, as a plan that does not go there."""
    total: ChoiceCounts = field(default_factory=ChoiceCounts)
    """All choices."""
    by_ply: dict[int, ChoiceCounts] = field(default_factory=dict)
    """The choices at each ply; nothing where positions have no single ply."""
    blunders: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BLUNDERS, 0))
    """How many choices throw which outcome away."""
    failures: int = 0
    """How many choices were no legal moves."""
    worst: list[GradedChoice] = field(default_factory=list)
    """The worst blunders and failures, worst first, each once."""
    against: tuple[WorstCase, WorstCase] | None = None
    """What it gets at worst as either side; None when chance plays with it, or too much can arise."""


def grade(
    db: Database,
    name: str,
    player: Player,
    *,
    sample: int | None = None,
    seed: int = 0,
    repeat: int = 1,
    progress: Progress = no_progress,
) -> Grade:
    """How well `player` chooses in every non-terminal position of `db`, or in a random `sample` of so many.

    Each state is asked about `repeat` times; chances follow from `seed` and the state alone.
    """
    found, plies = Grade(name, db.game.players), defaultdict[int, ChoiceCounts](ChoiceCounts)
    blunders: dict[tuple[str, Any], GradedChoice] = {}
    positions = sampled(db, sample, seed)
    for number, position in enumerate(positions, start=1):
        choices = list(_choices(db, Opponent(name, player), position, repeat, seed))
        found.states += bool(choices)
        found.silent += not choices
        for each in choices:
            _count(found, plies, each)
            if each.blunder or each.failure:
                blunders.setdefault((each.position, each.move), each)
        progress(f"asking {name}", number, len(positions))
    found.by_ply = dict(sorted(plies.items()))
    found.worst = sorted(blunders.values(), key=lambda each: (-each.loss, each.plies))[:BLUNDERS_SHOWN]
    if is_deterministic(player):
        found.exact = sample is None
        found.against = _worst_cases(db, name, player)
    return found


def sampled(db: Database, size: int | None, seed: int) -> list[str]:
    """The non-terminal positions of `db` in its order: all, or `size` of them drawn with equal chances."""
    positions = list(db.non_terminal())
    if size is None or size >= len(positions):
        return positions
    return [positions[index] for index in sorted(Random(seed).sample(range(len(positions)), size))]


def _worst_cases(db: Database, name: str, player: Player) -> tuple[WorstCase, WorstCase] | None:
    """What the player gets at worst as the first and as the second side."""
    try:
        first, second = (
            worst_case(db.game, name, player, side, db.start, db.endless) for side in (FIRST, SECOND)
        )
    except Unsolved:
        return None
    return first, second


def _choices(
    db: Database, opponent: Opponent, position: str, repeat: int, seed: int
) -> Iterator[GradedChoice]:
    """What the player chooses in a position, each time it is asked; nothing where it has no move to offer."""
    entry, state = db[position], read_position(db.game, position)
    for nth in range(repeat):
        try:
            action = choose(db.game, state, opponent, Random(f"{seed} {position} {nth}"))
            yield _judged(entry, write_action(db.game, action))
        except Forfeit as forfeit:
            if not isinstance(forfeit.__cause__, NoMove):
                yield _forfeit(entry, str(forfeit))


def _judged(entry: Entry, name: str | int) -> GradedChoice:
    """The grade of the move called `name` in the position of `entry`."""
    move = next(each for each in entry.moves if each.move == name)
    drop = 0 if move.best else abs(entry.value - move.value)
    blunder = f"{entry.outcome}-{move.outcome}" if move.outcome != entry.outcome else None
    near = entry.remoteness if entry.outcome == "win" else move.remoteness
    return GradedChoice(entry.position, entry.ply, name, move.best, not drop, blunder, drop, near or 0)


def _forfeit(entry: Entry, failure: str) -> GradedChoice:
    """A choice that loses the game at once. It keeps nothing, not even where the game is lost anyway."""
    lost = entry.outcome == "loss"
    blunder = None if lost else f"{entry.outcome}-loss"
    loss = 0 if lost else abs(entry.value) + 1
    return GradedChoice(entry.position, entry.ply, None, False, False, blunder, loss, 0, failure)


def _count(found: Grade, plies: dict[int, ChoiceCounts], choice: GradedChoice) -> None:
    found.total.add(choice)
    if choice.ply is not None:
        plies[choice.ply].add(choice)
    if choice.blunder:
        found.blunders[choice.blunder] += 1
    found.failures += choice.failure is not None
