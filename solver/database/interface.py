"""A solved game as a mapping from positions to their entries.

    readable    a row for each position and each move           solver/database/readable/reader.py
    packed      a row for some thousand states at once          solver/database/packed/reader.py

`Database` is the interface of both layouts, which give the same answers.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from solver.database.entry import BatchResult, Entry, KindCount, Probe
from solver.database.metadata import StoredMetadata
from solver.errors import DamagedFile, SolverError, UnknownPosition, UnreadablePosition, UnusableFile
from solver.game import AnyGame
from solver.rules.failures import rules_asked
from solver.rules.folding import Folding
from solver.rules.named import game_of_file
from solver.rules.notation import known_state, read_position, write_position
from solver.system.plugins import Pictured
from solver.system.progress import Progress, no_progress

if TYPE_CHECKING:
    from solver.database.columns import Batch, Selection, WholeGame
    from solver.database.packed.reader import PackedDatabase
    from solver.rules.arrays import Flags, Keys


def written_state(game: AnyGame, text: str) -> Any:
    """The state that the rules write as exactly this `text`; None if there is none."""
    try:
        state = read_position(game, text)
        return state if write_position(game, state) == text else None
    except SolverError:
        return None


class Database(Pictured, StoredMetadata, Mapping[str, Entry]):
    """A solved game, read-only: from each position's text to its `Entry`. `open_database` returns one.

    A folded database stores one position of each class of symmetric positions, and answers for all of them.

    Texts are read as the rules read them, so `db["xo./.x./..."]` is `db["xo..x...."]`. A lookup raises
    `UnreadablePosition` (a ValueError) for a text that is no position and `UnknownPosition` (a KeyError)
    for a position that is not in the file. Any number of threads and forked processes may use it.
    """

    layout: ClassVar[str]
    """`readable` or `packed`."""

    @property
    def packed(self) -> "PackedDatabase | None":
        """The database itself in the packed layout, for queries about arrays of states; otherwise None."""
        return None

    @cached_property
    def game(self) -> AnyGame:
        """The rules, with the parameters that were solved.

        Raises `ChangedRules` if they are not those that made the file, and `UntrustedRules` if they are code
        that this user has not run before; a rules file is not executed then.
        """
        return self.loaded_game()

    def loaded_game(self, *, changed: bool = False) -> AnyGame:
        """The rules, as `game`; if they have changed since the solve, they are refused unless `changed`."""
        folder = self.path.resolve().parent
        return game_of_file(self.path, self.about, self.parameters, folder=folder, changed=changed)

    @cached_property
    def checked_game(self) -> AnyGame:
        """The rules, as `game`, after the checksum of `about` is checked; raises `DamagedFile`."""
        game = self.game
        self._check_about()
        return game

    def __contains__(self, position: object) -> bool:
        """Whether this is the text of a position in the file; an unreadable text is not."""
        return isinstance(position, str) and self.get(position) is not None

    def get(self, key: Any, default: Any = None) -> Any:
        """The entry of a position; the default if it is not in the file or its text is unreadable."""
        try:
            return self[key]
        except (UnknownPosition, UnreadablePosition):
            return default

    def _repr_svg_(self) -> str | None:
        try:
            return self[self.start]._repr_svg_()
        except SolverError:
            return None

    def __getitem__(self, position: str) -> Entry:
        """The entry of a position."""
        return self.entry_of(self.asked_state(position))

    @abstractmethod
    def entry_of(self, state: Any) -> Entry:
        """The entry of a state of the rules; raises `UnknownPosition`."""

    @abstractmethod
    def entries(self) -> Iterator[Entry]:
        """Every entry, in the order of the positions."""

    @abstractmethod
    def columns(self, names: Sequence[str], selection: "Selection | None" = None) -> "Iterator[Batch]":
        """Yield the columns of these names (`columns.py`) of selected positions, in order, part by part."""

    @abstractmethod
    def whole(self, *, progress: Progress = no_progress) -> "WholeGame":
        """All positions and moves, in memory; raises `DamagedFile` if they are inconsistent."""

    def key_of(self, state: Any) -> int:
        """The key in `whole` of the position that stands for a state; raises `UnknownPosition`."""
        return int(self.stored_for(state))

    def state_with(self, key: int) -> Any:
        """The state with this key in `whole`; raises `UnknownPosition` for a row that is not there."""
        return int(key)

    @abstractmethod
    def present(self, positions: "Sequence[str] | Keys") -> "tuple[Flags, Keys, Keys]":
        """Whether each of many positions is in the file, their values, and their remoteness, -1 for none.

        A text that differs from the one that the rules write counts as absent. Raises `BrokenRules` if the
        tiers of the rules are not those of the file.
        """

    @property
    @abstractmethod
    def move_type(self) -> str:
        """The type of the names of moves: `integer` or `text`."""

    def non_terminal(self) -> Iterator[str]:
        """The positions in which the game is not over, in order."""
        for texts, over in self.columns(("position", "is_terminal")):
            yield from texts[~over].tolist()

    @property
    def has_loops(self) -> bool:
        """Whether positions have no single ply: play can return, or paths of different lengths meet."""
        return any(count.ply is None for count in self.counts())

    @abstractmethod
    def counts(self) -> list[KindCount]:
        """The number of positions of each kind."""

    @property
    @abstractmethod
    def moves(self) -> int:
        """The number of moves in all positions."""

    def probe(self, position: str | int) -> Probe:
        """The labels and the best moves of a position, or of a packed state; raises as a lookup.

        In the packed layout this is faster than the whole entry.
        """
        entry = self.entry_of(self.asked_state(position))
        return Probe(
            entry.value, entry.remoteness, tuple(move.move for move in entry.moves_by_action if move.best)
        )

    @abstractmethod
    def lookup(self, positions: "Sequence[str] | Keys", *, best: bool = True) -> BatchResult:
        """The labels of many positions at once, with the best moves unless `best` is false.

        An array of states will do if the rules are a `PackedGame`. In the packed layout this is faster than
        single lookups. Raises as a lookup.
        """

    @abstractmethod
    def digest(self, *, progress: Progress = no_progress) -> str:
        """The SHA-256 over all rows as they are now; `about["sha256"]` has it as they were written."""

    def beginnings(self) -> list[str]:
        """The positions in which play may begin, `start` first, then in the order of the rules.

        In a folded file, one of each class.
        """
        game, firsts = self.checked_game, dict[Any, Any]()
        with rules_asked(game, "initial_states"):
            for state in chain(
                [self.state_of(self.start)], () if self.has_own_start else game.initial_states()
            ):
                firsts.setdefault(self.stored_for(state), state)
        return [write_position(game, state) for state in firsts.values()]

    @cached_property
    def has_own_start(self) -> bool:
        """Whether play begins in a state of the user's choice, not in the initial states of the rules.

        A file names the first initial state as its start. In a folded file, initial states of one class are a
        single start.
        """
        if self.starts > 1:
            return False
        start, stored = self.state_of(self.start), self.stored_for
        with rules_asked(self.checked_game, "initial_states"):
            states = iter(self.checked_game.initial_states())
            return next(states, None) != start or any(stored(state) != stored(start) for state in states)

    @cached_property
    def folding(self) -> Folding:
        """The classes of states of which the file has one each; raises `DamagedFile`."""
        return Folding(self.checked_game, self.folding_degree)

    def stored_for(self, state: Any) -> Any:
        """The representative of the class of `state`, which the file stores if it has the class."""
        return self.folding.fold(state)[0]

    def asked_state(self, position: object) -> Any:
        """The state that a text describes, or that an integer is.

        Raises `UnreadablePosition`, and `UnknownPosition` for an integer that is no state.
        """
        try:
            if isinstance(position, str):
                return read_position(self.checked_game, position)
            return known_state(self.checked_game, position)
        except UnknownPosition as error:
            raise UnknownPosition(f"no position in {self.path}: {error}") from None
        except UnreadablePosition as error:
            if position == self.start:
                raise self.damage(f"start: {error}") from error
            raise

    def state_of(self, text: str) -> Any:
        """The state that a text from the file describes; raises `DamagedFile` if it describes none."""
        try:
            return read_position(self.checked_game, text)
        except UnusableFile:
            raise
        except SolverError as error:
            raise self.damage(error) from error

    def unknown(self, position: str) -> UnknownPosition | DamagedFile:
        """The error for a position that is not in the file; a file without its start is damaged."""
        if position == self.start:
            return self.damage(f"its start {position!r} is not in it")
        begins = repr(self.start) if self.starts == 1 else f"any of its {self.starts_in_words}"
        return UnknownPosition(
            f"the position {position!r} is not in {self.path}: play from {begins} cannot reach it"
        )
