"""Matches: games between two players, and their score.

A player who plays an illegal move or raises an exception loses the game, with a note. When a state occurs for
the third time, or after 10,000 plies, play counts as endless. This costs no win of a player who plays best
moves: its remoteness decreases, so no state recurs.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from solver.errors import BrokenRules, SolverError, Unsolved, UnusableFile, UsageError, shown, summary_of
from solver.game import ENDLESS, FIRST, SECOND, AnyGame, Game, sign_for, winner_of
from solver.players import Player
from solver.rules.asking import actions_of, is_over, mover_of, utility_of
from solver.rules.failures import rules_asked
from solver.rules.labels import endless_utility
from solver.rules.notation import read_start, write_action, write_position
from solver.system.progress import Progress, no_progress
from solver.system.words import wanted

REPETITION_LIMIT = 3
"""Occurrences of one state after which play counts as endless."""

MAX_GAME_PLIES = 10_000
"""Plies after which play counts as endless."""


class Forfeit(UsageError):
    """A player chooses no legal move, and so loses; the cause is the player's exception, if any."""


@dataclass(frozen=True)
class Opponent:
    """A player and its name in a match."""

    name: str
    player: Player


@dataclass(frozen=True)
class PlayedGame:
    """One played game, from its start to its end."""

    players: tuple[str, str]
    """The names of the two players; the first one is the game's first player."""
    start: str
    """The position in which the game began."""
    moves: tuple[str | int, ...]
    """The moves, by name."""
    winner: int | None
    """The side that won, 0 or 1; None for a draw or an unfinished game."""
    utility: int | None
    """The utility for the first player; 1 or -1 for a forfeited game, None for an unfinished one."""
    note: str | None
    """The reason for the end, if it does not follow from the rules alone; else None."""
    endless: str = "draw"
    """The result of endless play: `draw`, or a win for `first` or `second`."""


@dataclass(frozen=True)
class MatchScore:
    """The score of a match between A and B."""

    players: tuple[str, str]
    """The names of A and B."""
    wins: tuple[int, int]
    """The games won by A and by B."""
    draws: int
    mean_plies: float = 0
    """The mean length of the games, in plies."""
    longest: int = 0
    """The length of the longest game, in plies."""

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self.wins) + self.draws


def play_match(
    game: AnyGame,
    players: tuple[Opponent, Opponent],
    *,
    games: int = 1,
    seed: int = 0,
    swap: bool = False,
    start: str | None = None,
    endless: str = "draw",
    progress: Progress = no_progress,
) -> Iterator[PlayedGame]:
    """The games of a match between A and B, each as soon as it is played.

    A moves first; with `swap`, B moves first in every second game. `start` is the position in which games
    begin (default: the initial state); `endless` is the result of endless play, `draw`, or a win for `first`
    or `second`. A player's random choices depend only on `seed`, the number of the game and the player.
    Raises, when the first game is asked for, `UsageError` for another `endless` or number of players,
    `UnreadablePosition` for another `start`, and `BrokenRules` if the rules fail.
    """
    wanted(Game, game, "load_game(NAME)")
    players = tuple(players)  # type: ignore[assignment]
    for opponent in players:
        wanted(Opponent, opponent, "Opponent(NAME, PLAYER)")
        wanted(Player, opponent.player, "make_player(NAME, Truth(GAME))")
    if len(players) != 2:
        raise UsageError(f"a match is between two players, not {len(players)}")
    endless_utility(endless)
    for number in range(games):
        generators = [Random(f"{seed} {number} {which}") for which in range(len(players))]
        seats = [SECOND, FIRST] if swapped(number, swap) else [FIRST, SECOND]
        sides = [(players[seat], generators[seat]) for seat in seats]
        with rules_asked(game):
            played = play_game(game, sides, start, endless)
        yield played
        progress("playing games", number + 1, games)


def swapped(number: int, swap: bool) -> bool:
    """Whether B moves first in the game with this number, counted from 0."""
    return swap and number % 2 == 1


def match_score(names: tuple[str, str], games: Sequence[PlayedGame], *, swap: bool) -> MatchScore:
    """The score of a match with these games."""
    wins = [0, 0]
    for number, game in enumerate(games):
        if game.winner is not None:
            wins[game.winner ^ swapped(number, swap)] += 1
    lengths = [len(game.moves) for game in games]
    mean = sum(lengths) / len(lengths) if lengths else 0
    return MatchScore(
        names, (wins[0], wins[1]), len(games) - sum(wins), mean_plies=mean, longest=max(lengths, default=0)
    )


def play_game(
    game: AnyGame, sides: Sequence[tuple[Opponent, Random]], start: str | None, endless: str
) -> PlayedGame:
    """One game between the two `sides` from the position `start` (default: the initial state)."""
    state = read_start(game, start)
    began, moves, met = write_position(game, state), list[str | int](), Counter([state])
    try:
        while not (end := end_of(game, state, met, len(moves), endless)):
            mover = mover_of(game, state)
            chosen = choose(game, state, *sides[mover])
            moves.append(write_action(game, chosen))
            state = game.result(state, chosen)
            met[state] += 1
    except Forfeit as forfeit:
        end = (-sign_for(mover), str(forfeit))
    names = (sides[FIRST][0].name, sides[SECOND][0].name)
    utility, note = end
    return PlayedGame(names, began, tuple(moves), winner_of(utility), utility, note, endless)


def end_of(
    game: AnyGame, state: Any, met: Counter[Any], plies: int, endless: str
) -> tuple[int, str | None] | None:
    """The utility, and a note or None, if the game is over in `state`; else None.

    `met` counts the occurrences of each state so far, and `plies` the moves; `endless` says whom endless play
    counts for.
    """
    if is_over(game, state):
        return utility_of(game, state), None
    winner = winner_of(ENDLESS[endless])
    result = "a draw" if winner is None else f"won by {game.players[winner]}"
    if met[state] >= REPETITION_LIMIT:
        position = write_position(game, state)
        return ENDLESS[endless], f"{result}, as {position!r} occurred {REPETITION_LIMIT} times"
    if plies >= MAX_GAME_PLIES:
        return ENDLESS[endless], f"{result}, as the game went on for {MAX_GAME_PLIES:,} plies"
    return None


def choose(game: AnyGame, state: Any, opponent: Opponent, random: Random) -> Any:
    """The legal action that a player chooses in `state`; raises `Forfeit` if it chooses none.

    `Unsolved`, `BrokenRules` and `UnusableFile` are passed on: missing labels, wrong rules or a damaged file
    are not the player's fault.
    """
    actions = actions_of(game, state)
    try:
        chosen = opponent.player.choose(state, random)
        legal = [action for action in actions if action == chosen]
    except (Unsolved, BrokenRules, UnusableFile):
        raise
    except (Exception, SystemExit) as error:
        reason = str(error) if isinstance(error, SolverError) else summary_of(error)
        raise Forfeit(f"{opponent.name} fails in {write_position(game, state)!r}: {reason}") from error
    if not legal:
        raise Forfeit(
            f"{opponent.name} plays {shown(chosen)} in {write_position(game, state)!r}, which is not legal"
        )
    return legal[0]
