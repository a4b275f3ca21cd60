"""Solves a game into a database by one of the engines, and puts the finished file in place."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from os.path import realpath
from pathlib import Path

from solver.database import Database, open_database
from solver.database.header import layout_of
from solver.database.schema import FORMAT, PACKED_FORMAT
from solver.engines.choose import ENGINES, chosen
from solver.engines.conversion import LAYOUTS, lay_out
from solver.engines.options import Choice, SolveOptions
from solver.errors import BrokenRules, DamagedFile, MissingFile, OtherWork, SolverError, UsageError
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.labels import endless_utility
from solver.rules.loading import game_name, game_parameters, game_place, note_rules, refuse_unfit
from solver.rules.named import fingerprint
from solver.rules.notation import read_position, write_position
from solver.rules.source.modules import UNKNOWN
from solver.system.executors import ignore
from solver.system.files import alone_in, atomic_target, target
from solver.system.progress import Progress, no_progress

STATES_TRIED = 50
"""The number of states of a new file in which rules, and of initial states in which symmetries are tried."""


@dataclass(frozen=True)
class Summary:
    """The result of a solve."""

    start: str
    """The position in which play begins; the first one if there are several."""
    states: int
    """The number of reachable states, or of their symmetry classes, terminal ones included."""
    terminal: int
    """The number of terminal states."""
    value: int
    """The minimax value of the start, for the first player."""
    remoteness: int | None
    """Plies from the start to the end under best play; None if no end is forced."""
    to_move: int
    """The player to move in the start."""
    best_move: str | int | None
    """The first best move in the start, by name; None if the start is terminal."""
    folded: bool
    """Whether symmetric states were solved and counted as one."""
    margin: int | None
    """By how much the winner wins from the start, 0 for a draw; None in a game without margins."""
    engine: str | None
    """The engine that solved the game: `graph`, `arrays` or `layers`; None if the file was up to date."""
    why: str | None
    """The reason for the engine."""
    seconds: float
    """Wall-clock time."""
    readable_bytes: int | None
    """The approximate size of a packed file in the readable layout; None if it is readable already."""

    @property
    def up_to_date(self) -> bool:
        """Whether the file was there already, and nothing was solved."""
        return self.engine is None


def solve(
    game: AnyGame,
    path: str | Path,
    *,
    start: str | None = None,
    endless: str = "draw",
    fold: bool = False,
    engine: str = "auto",
    layout: str = "auto",
    memory: int | None = None,
    cluster: str | None = None,
    work: str | Path | None = None,
    force: bool = False,
    progress: Progress = no_progress,
    say: Callable[[str], object] = ignore,
) -> Summary:
    """Solve `game` from `start` (a position; default: the initial states) into a new database at `path`.

    Endless play is a `draw`, or won by the player whom `endless` names: `first` or `second`. With `fold` the
    file has the canonical state of each class of symmetric states, and answers for all of them. The `engine`
    is `graph`, `arrays`, `layers`, or `auto` for the one that suits the game; the `layout` is `readable`,
    `packed`, or `auto` for the one that the engine writes. `memory` is the number of bytes that the process
    may hold; `say` is called beforehand with the forecast of a large solve. Until the database is complete,
    solves in files keep finished steps in the folder `work` (default: `<path>.work`), and the same call
    resumes from these. A `cluster`, whose workers all see that folder, does the steps, or asks rules in plain
    Python: it is the address of a dask scheduler, or `local:N` for N processes on this machine. A file that
    already is the requested database is left untouched, unless `force` is given.

    Raises `UsageError`, `UnreadablePosition`, `TooLarge`, `UnfitRules`, `BrokenRules`, `MissingExtra`,
    `UnwritableFile`, `DiskFull`, `OtherWork`, `DamagedWork`, `ClusterLost`, `TargetExists`, `TargetBusy` or
    `MissingFile` (no such folder). Then nothing was written at `path`, and even with `force` an older file
    there has survived.
    """
    began = time.perf_counter()
    options = SolveOptions(start, endless, layout, fold, memory, cluster, force, progress, say)
    _refuse_unfit_options(game, engine, options)
    note_rules(game)
    if not force and is_current(game, Path(path), options):
        return _summary(game, path, None, began)
    folder = _work_folder(Path(path), work)
    with atomic_target(Path(path), force=force, progress=progress) as unfinished, alone_in(folder):
        with chosen(game, options, engine, folder) as choice:
            choice = choice.solve(unfinished)
        if cluster is not None and isinstance(game, PackedGame) and not choice.in_files:
            say("this game has so few states that it was solved here, without the cluster")
        try:
            if layout != "auto":
                lay_out(unfinished, layout, progress)
            summary = _summary(game, unfinished, choice, began)
        except DamagedFile as error:  # of a new file: the rules contradict themselves
            why = "do not answer alike each time, or have a false symmetry: `perfectplay check` says where"
            raise BrokenRules(f"the rules of {type(game).__name__} {why}") from error
    if choice.in_files:
        from solver.engines.storage.work_folder import WorkFolder  # imports NumPy

        WorkFolder(folder).remove()
    return summary


def decide(
    game: AnyGame,
    path: str | Path,
    options: SolveOptions,
    *,
    engine: str = "auto",
    work: str | Path | None = None,
) -> Choice:
    """The engine that `solve` would choose, whatever file is at `path`; raises as that does."""
    _refuse_unfit_options(game, engine, options)
    target(Path(path), "database")
    with chosen(game, options, engine, _work_folder(Path(path), work)) as choice:
        return choice


def _refuse_unfit_options(game: AnyGame, engine: str, options: SolveOptions) -> None:
    """Raise `UsageError` if the engine or an option does not suit the game."""
    endless_utility(options.endless)
    if options.layout not in ("auto", *LAYOUTS):
        raise UsageError(f"there is no layout {options.layout!r}; there are auto, {', '.join(LAYOUTS)}")
    if engine not in ENGINES:
        raise UsageError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
    if options.layout == "packed" and not isinstance(game, PackedGame):
        raise UsageError(
            f"the packed layout is for packed games, and {type(game).__name__} is no PackedGame: "
            "use --layout readable"
        )
    refuse_unfit(game)
    if options.cluster is not None and engine == "graph":
        raise UsageError("a cluster cannot work for the graph engine: use --engine auto")


def is_current(game: AnyGame, path: Path, options: SolveOptions) -> bool:
    """Whether the file at `path` is the database of `game` that these options request.

    Rules, parameters, start, endless play, folding, layout and format are compared, but not engine, memory or
    cluster, as these do not change a byte. Rules without a source are never the same.
    """
    requested = game_name(game), json.dumps(game_parameters(game)), options.endless, options.fold
    with suppress(SolverError), open_database(path) as db:
        play = db.about.get("play", db.about["rules"])
        return (
            (db.game_name, db.about["parameters"], db.endless, db.folded) == requested
            and play != UNKNOWN
            and fingerprint(game_place(game)).knows(play)
            and options.layout in ("auto", db.layout)
            and layout_of(path) in (FORMAT, PACKED_FORMAT)
            and _begins_alike(db, game, options.start)
        )
    return False


def _begins_alike(db: Database, game: AnyGame, start: str | None) -> bool:
    """Whether play in `db` begins in the requested start, or if there is none in the initial states."""
    db.game = game  # the rules are the same, so they need not be found or trusted
    db.checked_game  # noqa: B018 - raises if `about` is damaged
    if start is None:
        return not db.has_own_start
    return (db.starts, db.start) == (1, write_position(game, read_position(game, start)))


def remains(path: Path, work: str | None) -> str:
    """A sentence on what an interrupted solve into a file at `path` has left for the next one."""
    from solver.engines.storage.work_folder import WorkFolder  # imports NumPy

    folder = WorkFolder(Path(work or f"{path}.work"))
    if folder.facts("job.json") is None:
        return "nothing is kept, the same command begins again"
    return f"what is finished is kept in {folder}, the same command goes on from there"


def _work_folder(path: Path, work: str | Path | None) -> Path:
    """The work folder for a file. It will be deleted: a named one must be new, empty or a checkpoint."""
    if work is None:
        return Path(f"{path}.work")
    folder = Path(work)
    if not Path(realpath(folder)).parent.is_dir():  # `resolve` raises for a loop of links
        raise MissingFile(f"there is no folder {str(folder.parent)!r} for the work folder {folder.name!r}")
    is_ours = folder.is_dir() and ((folder / "job.json").exists() or not any(folder.iterdir()))
    if folder.exists() and not is_ours:
        raise OtherWork(f"{folder} is not the work of a solve: name a new folder")
    return folder


def _summary(game: AnyGame, path: str | Path, choice: Choice | None, began: float) -> Summary:
    with open_database(path) as db:
        tried = _first_positions(db) if choice else []
        if tried and db.folded:
            from solver.rules.check.symmetry import refuse_false_symmetries  # slow to import

            starts = islice(game.initial_states(), STATES_TRIED)
            refuse_false_symmetries(game, chain(starts, map(db.state_of, tried)))
        (root, *_), readable_bytes = map(db.__getitem__, (db.start, *tried)), None
        sides = 1 + db.folding.is_signed
        if db.layout != "readable":  # as measured in six games to within a tenth
            name = len(root.best_move) if isinstance(root.best_move, str) else 1
            readable_bytes = sides * (len(db) * (45 + 2 * len(db.start)) + db.moves * (34 + name))
        return Summary(
            start=db.start,
            states=len(db),
            terminal=int(db.about["terminal"]),
            value=root.value,
            remoteness=root.remoteness,
            to_move=game.players.index(root.to_move),
            best_move=root.best_move,
            folded=db.folded,
            margin=root.margin,
            engine=choice.engine if choice else None,
            why=choice.why if choice else None,
            seconds=time.perf_counter() - began,
            readable_bytes=readable_bytes,
        )


def _first_positions(db: Database) -> list[str]:
    """The first positions; those of a readable file without the digest of all rows, which takes long."""
    if db.layout == "packed":
        return [*islice(db, STATES_TRIED)]
    sql = "select position from positions order by id limit ?"
    return [position for (position,) in db.tuples(sql, STATES_TRIED)]
