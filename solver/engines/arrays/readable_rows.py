"""The labelled arrays as the rows of a readable database, a block of states at a time."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.database.columns import MISSING
from solver.database.header import TO_JSON
from solver.database.readable.writer import NULL, Batch, Row, batches
from solver.database.schema import FORMAT
from solver.engines.arrays.numbered import GameLabels, NumberedGame, metadata
from solver.engines.arrays.rules_pool import RulesPool
from solver.engines.solved_file import names_of, write_solved
from solver.errors import BrokenRules
from solver.game import SECOND
from solver.system.progress import Progress, reported

MOVES_AT_ONCE = 1 << 14
"""Moves whose rows are made at a time, at some 500 bytes each."""

OUTCOMES = np.array(["loss", "draw", "win"], object)
"""The outcomes for a player, by the sign of the utility for that player, plus 1."""

LINE_ENDS = np.array(["0]\n", "1]\n"], object)
"""The end of a row of moves as JSON, by its last value `is_best`."""

Objects = npt.NDArray[np.object_]


def write_readable_rows(
    game: NumberedGame, labels: GameLabels, path: Path, rules: RulesPool, progress: Progress
) -> None:
    """Write the labelled game to a new file at `path`; raises as `write_solved` does."""
    names = np.array([*names_of(game.game, game.actions).values()], object)
    rows = _Rows(game, labels, names)
    write_solved(
        path,
        metadata(game, labels, FORMAT),
        game.states,
        names.tolist(),
        batches(rows.positions(rules, progress)),
        rows.moves(progress),
        bulk=True,
    )


class Offers(NamedTuple):
    """The outcomes of the moves of a block of states, for the player who makes them."""

    parents: npt.NDArray[np.int64]
    """The state in which each move is made."""
    outcomes: npt.NDArray[np.int64]
    """1 for a move that wins, 0 for a move that draws, -1 for a move that loses."""
    remoteness: npt.NDArray[np.int32]
    """Plies from the state before the move, or `MISSING`."""
    is_best: npt.NDArray[np.bool_]


class _Rows:
    """The rows of both tables; the number of a state is its id less 1."""

    def __init__(self, game: NumberedGame, labels: GameLabels, names: Objects) -> None:
        self._game, self._labels, self._names = game, labels, names
        numbers: dict[Any, int] = {}
        self._name_numbers = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
        plies = range(int(labels.remoteness.max(initial=0)) + 2)
        self._plies = np.array([*plies, None], object)  # MISSING is the last index

    def positions(self, rules: RulesPool, progress: Progress) -> Iterator[Row]:
        """Yield the rows of positions; `rules` give their texts."""
        game, labels = self._game, self._labels
        players = np.array(game.game.players, object)
        texts = chain.from_iterable(rules.answers("positions", game.states, range(len(game))))
        for begin, end in reported(progress, "writing positions", self._blocks(), len(game), _states_of):
            movers, values = game.movers[begin:end], labels.values[begin:end]
            yield from zip(
                range(begin + 1, end + 1),
                islice(texts, end - begin),
                players[movers].tolist(),
                game.depths[begin:end].tolist() if game.is_layered else repeat(None),
                values.tolist(),
                OUTCOMES[_for_movers(values, movers) + 1].tolist(),
                self._plies[labels.remoteness[begin:end]].tolist(),
                self._best_moves(begin, end),
                (game.offsets[begin:end] == game.offsets[begin + 1 : end + 1]).astype(int).tolist(),
                strict=False,
            )

    def moves(self, progress: Progress) -> Iterator[Batch]:
        """Yield the rows of moves; raises `BrokenRules` if two moves of a state have the same name."""
        game, names, plies = self._game, _json(self._names), _json(self._plies)
        outcomes, plies_or_null = _json(OUTCOMES), np.array([*self._plies[:-1], NULL], object)
        for begin, end in reported(progress, "writing moves", self._blocks(), len(game), _states_of):
            moves = slice(game.offsets[begin], game.offsets[end])
            offers = self._offers(begin, end)
            if not offers.parents.size:
                continue
            played, ids = game.played[moves], game.children[moves] + np.int64(1)
            is_best = offers.is_best.astype(int)
            heads = np.array([f"[{number}," for number in range(begin + 1, end + 1)], object)
            self._refuse_same_names(offers.parents, played)
            values = (
                offers.parents + 1,
                self._names[played],
                ids,
                OUTCOMES[offers.outcomes + 1],
                plies_or_null[offers.remoteness],
                is_best,
            )
            texts = (
                heads[offers.parents - begin],
                names[played],
                np.array([f"{number}," for number in ids.tolist()], object),
                outcomes[offers.outcomes + 1],
                plies[offers.remoteness],
                LINE_ENDS[is_best],
            )
            yield Batch(_in_rows(values), "".join(_in_rows(texts)).encode())

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """Yield ranges of states with at most `MOVES_AT_ONCE` moves, or of a single state."""
        offsets, begin = self._game.offsets, 0
        while begin < len(self._game):
            limit = offsets[begin] + MOVES_AT_ONCE
            end = max(begin + 1, int(np.searchsorted(offsets, limit, "right")) - 1)
            yield begin, min(end, begin + MOVES_AT_ONCE)
            begin = min(end, begin + MOVES_AT_ONCE)

    def _offers(self, begin: int, end: int) -> Offers:
        game, (_, values, remoteness) = self._game, self._labels
        offsets = game.offsets[begin : end + 1]
        parents = np.repeat(np.arange(begin, end), np.diff(offsets))
        children = game.children[offsets[0] : offsets[-1]]
        offered, plies = values[children], remoteness[children]
        nobody_hurries = (offered == 0) & (self._labels.endless_value == 0)
        plies = np.where(nobody_hurries | (plies == MISSING), MISSING, plies + 1).astype(np.int32)
        is_best = (offered == values[parents]) & (plies == remoteness[parents])
        return Offers(parents, _for_movers(offered, game.movers[parents]), plies, is_best)

    def _best_moves(self, begin: int, end: int) -> list[Any]:
        """The name of the first best move of each state, None for a terminal one."""
        offers, best = self._offers(begin, end), np.full(end - begin, None, object)
        places = np.flatnonzero(offers.is_best)[::-1]
        played = self._game.played[self._game.offsets[begin] + places]
        best[offers.parents[places] - begin] = self._names[played]  # the first move is assigned last
        names: list[Any] = best.tolist()
        return names

    def _refuse_same_names(self, parents: npt.NDArray[np.int64], played: npt.NDArray[Any]) -> None:
        pairs = np.sort(parents * len(self._name_numbers) + self._name_numbers[played])
        if (same := pairs[1:] == pairs[:-1]).any():
            state = self._game.states[int(pairs[1:][same][0]) // len(self._name_numbers)]
            raise BrokenRules(f"two actions have the same name in the state {state!r}")


def _json(values: Iterable[Any]) -> Objects:
    """The values as JSON, each with the comma that follows it in a row."""
    return np.array([f"{TO_JSON(value)}," for value in values], object)


def _in_rows(columns: Sequence[npt.NDArray[Any]]) -> list[Any]:
    values: list[Any] = [None] * (len(columns) * columns[0].size)
    for place, column in enumerate(columns):
        values[place :: len(columns)] = column.tolist()
    return values


def _for_movers(values: npt.NDArray[np.int64], movers: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The signs of values for the players to move."""
    return np.where(movers == SECOND, -np.sign(values), np.sign(values))


def _states_of(block: tuple[int, int]) -> int:
    begin, end = block
    return end - begin
