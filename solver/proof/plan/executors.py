"""Executors of a plan: the state that they track, and the move that they choose."""

from collections.abc import Collection, Hashable, Mapping
from functools import cache
from typing import Any

from solver.errors import BadPlan
from solver.plans.plan import Plan, planned_move
from solver.plans.reader import MoveName, Tables
from solver.rules.notation import write_position

MAX_RENAMINGS = 4_000_000
"""The most moves renamed by symmetries, summed over all namings that play can lead to."""

Memory = Hashable
"""The state that an executor tracks: all that it needs to know of the play so far."""


class Stuck(Exception):
    """Raised if an executor cannot go on; the message says why."""


class Executor:
    """A program that plays the owner's moves by a plan; this one looks them up by state.

    It knows from the rules who is to move and when the game is over, and needs no memory.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def begin(self) -> Memory:
        """The memory at the root."""
        return None

    def choice(self, state: Any, memory: Memory, legal: Collection[MoveName]) -> MoveName:
        """The move, perhaps an illegal one, in a state of the owner; raises `Stuck` if there is none."""
        try:
            move = planned_move(self._plan, state)
        except BadPlan as error:
            raise Stuck(str(error)) from error
        if move is None:
            position = write_position(self._plan.game, state)
            raise Stuck(f"the plan has no move for {self._plan.owner_name} in {position!r}")
        return move

    def expect_opponent(self, memory: Memory) -> None:
        """Raise `Stuck` unless the executor knows that the other player is to move."""

    def after(self, memory: Memory, move: MoveName) -> Memory:
        """The memory after a move of either player; raises `Stuck` if the move is unknown."""
        return None

    def expect_end(self, memory: Memory, utility: int) -> None:
        """Raise `Stuck` unless the executor knows the end, with this utility for the first player."""


class ByTables(Executor):
    """An executor that has only the tables of a plan, and looks up positions by their text.

    Its memory is (position, naming): the current position of the tables, and the number of the naming that
    maps the names of moves in play to their names in that position.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._namings: list[Mapping[str, str]] = [{}]
        self._unnamings: list[Mapping[str, str]] = [{}]
        self._numbers: dict[tuple[tuple[str, str], ...], int] = {(): 0}
        self._after = cache(self._after_symmetry)
        self._renamed = 0

    def begin(self) -> Memory:
        """The memory at the root, where moves have their own names."""
        return self._at(self._tables.root, 0)

    def choice(self, state: Any, memory: Any, legal: Collection[MoveName]) -> MoveName:
        """The move of the tables, by its name in play."""
        position, naming = memory
        if position in (self._tables.ends or {}):
            raise Stuck(f"the plan has {position!r} among the ends, though the game goes on")
        if position not in self._tables.states:
            raise Stuck(f"a lookup of a move in {position!r} finds none")
        move = str(self._tables.states[position].move)
        text = self._unnamings[naming].get(move, move)
        return next((name for name in legal if str(name) == text), text)

    def expect_opponent(self, memory: Any) -> None:
        """Raise `Stuck` if the tables have a move of the owner or an end for the position."""
        position, _ = memory
        for table, named in ((self._tables.states, "states"), (self._tables.ends or {}, "ends")):
            if position in table:
                raise Stuck(
                    f"the plan has {position!r} among the {named}, though the other player is to move"
                )

    def after(self, memory: Any, move: MoveName) -> Memory:
        """The position after the move, or the position that stands for it, and the naming there."""
        position, naming = memory
        name = self._namings[naming].get(str(move), str(move))
        if position in self._tables.states:
            then = self._tables.states[position].then
        else:
            then = (self._tables.replies or {}).get(position, {}).get(name)
        if then is None:
            raise Stuck(f"a lookup of the move {name!r} in {position!r} does not find it")
        return self._at(then, naming)

    def expect_end(self, memory: Any, utility: int) -> None:
        """Raise `Stuck` unless the tables have the end with this utility."""
        position, _ = memory
        stored = (self._tables.ends or {}).get(position)
        if stored != utility:
            has = "does not have it among the ends" if stored is None else f"has {stored}"
            raise Stuck(
                f"the game ends with {utility} for the first player, but in {position!r} the plan {has}"
            )

    def _at(self, position: str, naming: int) -> Memory:
        """The memory on arrival at a position of the tables."""
        fold = (self._tables.folded or {}).get(position)
        if fold is None:
            return position, naming
        return fold.position, self._after(naming, fold.by)

    def _after_symmetry(self, naming: int, symmetry: int) -> int:
        """The number of a naming followed by a symmetry of the tables, both given by number."""
        names, table = self._namings[naming], self._tables.symmetries[symmetry]
        renamed = {move: names.get(move, move) for move in sorted({*names, *table})}
        self._renamed += len(renamed)
        if self._renamed > MAX_RENAMINGS:
            raise Stuck("the symmetries of the plan give moves more names than can be checked")
        then = {move: table.get(its, its) for move, its in renamed.items()}
        changed = tuple((move, its) for move, its in then.items() if move != its)
        if changed not in self._numbers:  # equal namings have equal numbers
            self._numbers[changed] = len(self._namings)
            self._namings.append(then)
            self._unnamings.append({its: move for move, its in reversed(then.items())})
        return self._numbers[changed]
