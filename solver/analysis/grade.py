"""Grades a player: compares its choices in the states of a solved game with the labels."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from solver.analysis.against_opponents import Expectation, WorstCase, against_trembling, worst_cases
from solver.analysis.statistics import wilson
from solver.database import Database
from solver.database.entry import Entry
from solver.errors import NoMove, Unsolved
from solver.players import Player, is_deterministic
from solver.players.match import Forfeit, Opponent, choose
from solver.rules.notation import read_position, write_action
from solver.system.progress import Progress, no_progress, reported


@dataclass(frozen=True)
class GradedChoice:
    """A choice of a player, compared with the labels."""

    entry: Entry
    """The position of the choice."""
    move: str | int | None
    """The chosen move, by name; None if the player failed."""
    best: bool
    keeps_value: bool
    blunder: str | None
    """The kind of blunder, one of `BLUNDERS`; None if the outcome is kept."""
    loss: int
    """The absolute difference between the values of the position and of the move."""
    plies: int
    """The remoteness of the missed win or of the new loss, in plies; 0 if there is neither."""
    failure: str | None = None
    """The error message of a player that chose no legal move, and so loses."""


@dataclass
class ChoiceCounts:
    """The number of choices, of best moves among them, and of moves that keep the value."""

    states: int = 0
    choices: int = 0
    best: int = 0
    keeps_value: int = 0

    def add(self, choices: Sequence[GradedChoice]) -> None:
        """Count the choices in one state."""
        self.states += 1
        self.choices += len(choices)
        self.best += sum(choice.best for choice in choices)
        self.keeps_value += sum(choice.keeps_value for choice in choices)


@dataclass
class AllCounts(ChoiceCounts):
    """The counts of all choices."""

    decisive: ChoiceCounts = field(default_factory=ChoiceCounts)
    """The counts over states in which some move loses value."""

    def add(self, choices: Sequence[GradedChoice]) -> None:
        """Count the choices in one state."""
        super().add(choices)
        entry = choices[0].entry
        if len(entry.keeping) < len(entry.moves):
            self.decisive.add(choices)


BLUNDERS = ("win-draw", "win-loss", "draw-loss")
"""The kinds of blunders: the outcome before and after the move, for the player who makes it."""

BLUNDERS_SHOWN = 10


@dataclass
class Grade:
    """The grade of a player."""

    player: str
    sides: tuple[str, str]
    """The names of the two sides of the game."""
    exact: bool = False
    """Whether every choice is known: the player is deterministic and was asked in all states."""
    drawn: bool = False
    """Whether the states are a random sample, not all."""
    folded: bool = False
    """Whether each state stands for its class of symmetric states."""
    starts: str = ""
    """The number of starts in words, if there are several; the worst cases are those from the first."""
    silent: int = 0
    """The number of further states in which the player had no move, such as a plan outside its states."""
    total: AllCounts = field(default_factory=AllCounts)
    by_ply: dict[int, AllCounts] = field(default_factory=lambda: defaultdict(AllCounts))
    """The counts by ply, without positions that have no unique ply."""
    by_remoteness: dict[int, AllCounts] = field(default_factory=lambda: defaultdict(AllCounts))
    """The counts by remoteness, without positions from which play need not end."""
    blunders: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BLUNDERS, 0))
    failures: int = 0
    """The number of choices that were not legal moves."""
    worst: list[GradedChoice] = field(default_factory=list)
    """The distinct worst blunders and failures, worst first, then in the order of positions."""
    against: tuple[WorstCase, WorstCase] | None = None
    """The worst cases as first and second; None if not deterministic, or if too many states can arise."""
    trembling: Expectation | None = None
    """The result against a trembling opponent; None as for `against`, or if play can return to a state."""

    def interval(self, good: int, counts: ChoiceCounts) -> tuple[float, float] | None:
        """The 95% interval of the share of good choices; None if every choice is known.

        A state of a sample is one trial, however often the player was asked there, as its choices are alike.
        """
        trials = counts.states if self.drawn else counts.choices
        return None if self.exact else wilson(good * trials / max(1, counts.choices), trials)


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
    """The grade of `player` over all non-terminal positions of `db`, or over a random `sample` of this size.

    The player is asked `repeat` times in each state; its random choices depend only on `seed` and the state.
    """
    positions = sampled(db, sample, seed)
    drawn = len(positions) < len(db) - db.number("terminal")
    starts = db.starts_in_words if db.starts > 1 else ""
    result = Grade(name, db.game.players, drawn=drawn, folded=db.folded, starts=starts)
    blunders: dict[tuple[str, Any], GradedChoice] = {}
    chosen: dict[str, str | int | None] = {}
    for position in reported(progress, f"asking {name}", positions, len(positions)):
        choices = list(_choices(db, Opponent(name, player), position, repeat, seed))
        result.silent += not choices
        if choices:
            _count(result, choices)
            chosen[position] = choices[-1].move
        for choice in choices:
            if choice.blunder or choice.failure:
                blunders.setdefault((position, choice.move), choice)
    result.by_ply, result.by_remoteness = (
        dict(sorted(counts.items())) for counts in (result.by_ply, result.by_remoteness)
    )
    worst = sorted(blunders.values(), key=lambda it: (-it.loss, it.plies, it.entry.position))
    result.worst = worst[:BLUNDERS_SHOWN]
    if is_deterministic(player):
        result.exact = not result.drawn
        result.against = worst_cases(db, name, player)
        if chosen and not result.silent:
            result.trembling = _against_trembling(db, Opponent(name, player), chosen, seed)
    return result


def sampled(db: Database, size: int | None, seed: int) -> list[str]:
    """The non-terminal positions of `db`, sorted: all of them, or a uniform random sample of `size`."""
    positions = sorted(db.non_terminal())  # the order of a file depends on its layout
    if size is None or size >= len(positions):
        return positions
    return sorted(Random(seed).sample(positions, size))


def _against_trembling(
    db: Database, opponent: Opponent, chosen: Mapping[str, str | int | None], seed: int
) -> Expectation | None:
    """The player's result against a trembling opponent over the `chosen` positions; None if unknown."""

    def choice(position: str) -> str | None:
        new_choices = (made.move for made in _choices(db, opponent, position, 1, seed))
        for name in [chosen[position]] if position in chosen else new_choices:
            return next((move.position for move in db[position].moves if move.move == name), None)
        raise Unsolved(f"{opponent.name} has no move in {position!r}")

    try:
        return against_trembling(db, list(chosen), choice)
    except Unsolved:
        return None


def _choices(
    db: Database, opponent: Opponent, position: str, repeat: int, seed: int
) -> Iterator[GradedChoice]:
    entry, state = db[position], read_position(db.game, position)
    for nth in range(repeat):
        try:
            action = choose(db.game, state, opponent, Random(f"{seed} {position} {nth}"))
            yield _judged(entry, write_action(db.game, action))
        except Forfeit as forfeit:
            if not isinstance(forfeit.__cause__, NoMove):
                yield _forfeit(entry, str(forfeit))


def _judged(entry: Entry, name: str | int) -> GradedChoice:
    move = next(move for move in entry.moves if move.move == name)
    drop = 0 if move.best else abs(entry.value - move.value)
    blunder = f"{entry.outcome}-{move.outcome}" if move.outcome != entry.outcome else None
    near = entry.remoteness if entry.outcome == "win" else move.remoteness
    return GradedChoice(entry, name, move.best, not drop, blunder, drop, near or 0)


def _forfeit(entry: Entry, failure: str) -> GradedChoice:
    """The grade of a failure, which loses at once; it does not keep the value, even in a lost position."""
    lost = entry.outcome == "loss"
    blunder = None if lost else f"{entry.outcome}-loss"
    loss = 0 if lost else abs(entry.value) + 1
    return GradedChoice(entry, None, False, False, blunder, loss, 0, failure)


def _count(result: Grade, choices: Sequence[GradedChoice]) -> None:
    result.total.add(choices)
    if (ply := choices[0].entry.ply) is not None:
        result.by_ply[ply].add(choices)
    if (remoteness := choices[0].entry.remoteness) is not None:
        result.by_remoteness[remoteness].add(choices)
    for choice in choices:
        if choice.blunder:
            result.blunders[choice.blunder] += 1
        result.failures += choice.failure is not None
