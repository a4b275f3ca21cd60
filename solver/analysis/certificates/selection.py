"""The choice of the owner's moves in a certificate, such that few states are needed.

Play is followed from the start, in waves. In a state of a wave in which the owner is to move, an option is a
move that keeps the goal; it needs the non-terminal states after all replies. A greedy `cover` chooses an
option for each state, in two ways, and the smaller certificate is taken.

If the rules have symmetries, the same is done with one state of each symmetry class, and again the smaller
certificate is taken.

If play must end but can return, a move must lead to a better value, or nearer to the end.

Certificates of a large file are stored in a work folder, from which the same command resumes:

    out.work/
        3f0c....choice    a candidate certificate; the smallest is taken

The name of a file is the SHA-256 of the head of the certificate (which has the fingerprint of the rules and
the start), the way of choosing moves, and the release of this program. Files are written atomically, so the
work may be killed at any moment.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from solver.analysis.certificates.certificate import Certificate, read_certificate
from solver.analysis.certificates.cover import WAYS, Lists, Options, cover, ranks
from solver.analysis.certificates.moves import ArrayMoves, GameMoves, has_all, moves_of
from solver.database import Database
from solver.errors import TargetExists
from solver.game import FIRST, SECOND, sign_for
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys, distinct
from solver.rules.failures import rules_asked
from solver.rules.loading import game_parameters
from solver.rules.named import as_named
from solver.rules.notation import write_position
from solver.system.files import alone_in, write
from solver.system.plugins import release
from solver.system.progress import Progress, no_progress
from solver.system.words import GOES_ON, if_interrupted

SMALL = 10_000
"""The least number of states of a certificate with symmetries for which none without them is tried.

Of the games in docs/certificates.md, none with more than 600 states was smaller without symmetries.
"""

RESUMABLE_FROM = 100_000
"""The least number of states of a file whose candidates are stored; smaller ones take some seconds."""


def certify(
    db: Database,
    position: str | None = None,
    *,
    symmetric: bool = True,
    work: Path | None = None,
    progress: Progress = no_progress,
) -> tuple[Certificate, Certificate]:
    """The certificates of the value of a position (default: the start), for the first and the second player.

    They use symmetries of the rules only if `symmetric`. Candidates are stored in the folder `work`, and
    reused. Raises what a lookup raises.
    """
    game, state = db.game, db.asked_state(db.start if position is None else position)
    value, moves = db.entry_of(state).value, moves_of(game, len(db))
    with rules_asked(game, "symmetries"):
        images = moves.images(np.array([state])) if symmetric and isinstance(moves, ArrayMoves) else ()
    maps = len(images) if images and has_all(db, np.concatenate(images)) else 0
    start = state if isinstance(game, PackedGame) else write_position(game, state)
    head = Certificate(
        as_named(game), game_parameters(game), FIRST, value, db.endless_value, start, states=(), ranks=None
    )

    def smallest(head: Certificate) -> Certificate:
        made = list[Certificate]()
        for symmetries in sorted({0, maps}, reverse=True):
            if all(len(certificate.states) < SMALL for certificate in made):
                selection = _Selection(db, moves, replace(head, symmetries=symmetries), progress)
                made += [selection.certificate(way, work) for way in WAYS]
        return min(made, key=lambda certificate: len(certificate.content))

    return smallest(head), smallest(replace(head, owner=SECOND, goal=-value))


@contextmanager
def work_beside(target: str | Path, states: int) -> Iterator[Path | None]:
    """Yield the work folder for a target and a file of `states` states; None for a small file or `-`.

    It is deleted when the block succeeds, and if it is empty when the block fails. Raises `TargetExists` and
    `TargetBusy`.
    """
    if states < RESUMABLE_FROM or str(target) == "-":
        yield None
        return
    folder = Path(f"{target}.work")
    with alone_in(folder), if_interrupted(lambda: GOES_ON):
        if folder.exists() and not folder.is_dir():
            raise TargetExists(
                f"{folder} exists already, where the work folder should be: choose another name"
            )
        folder.mkdir(exist_ok=True)
        try:
            yield folder
            for path in folder.glob("*.choice*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        except Exception:
            _remove_empty(folder)
            raise
        _remove_empty(folder)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # it has files
        folder.rmdir()


class _Selection:
    def __init__(self, db: Database, moves: GameMoves, head: Certificate, progress: Progress) -> None:
        self._db, self._moves, self._head, self._progress = db, moves, head, progress
        self._owner, self._goal, self._sign = head.owner, head.goal, sign_for(head.owner)

    def certificate(self, way: int, work: Path | None) -> Certificate:
        """The certificate with moves chosen in one of the `WAYS`, from the work folder or made now."""
        if work is None:
            return self._made(way)
        asked = sha256(self._head.content + f"{way} {release()}".encode())
        path = work / f"{asked.hexdigest()}.choice"
        if not path.exists():
            write(path, self._made(way).content)
        return read_certificate(path)

    def _made(self, way: int) -> Certificate:
        head = self._head
        with rules_asked(self._db.game):
            keys, after = self._chosen(head.needs_ranks and self._db.has_loops, way)
        ranked = [0] * len(keys)
        if head.needs_ranks:
            ranked = ranks(Lists(after.bounds, np.searchsorted(keys, after.items))).tolist()
        written: list[Any] = [self._moves.written(key) for key in keys.tolist()]
        states = sorted(zip(written, ranked, strict=True))
        return replace(
            head,
            states=[state for state, _ in states],
            ranks=[rank for _, rank in states] if head.needs_ranks else None,
        )

    def _chosen(self, nearer: bool, way: int) -> tuple[Keys, Lists]:
        """The states of the certificate, in ascending order, and for each the states that play meets next."""
        wave = self._moves.keys([self._head.start])
        if self._moves.is_terminal(wave)[0]:
            wave = wave[:0]
        elif self._moves.movers(wave)[0] != self._owner:
            wave = self._replies(wave).items
        chosen, parents, needs = wave[:0], [wave[:0]], [wave[:0]]
        while len(wave):
            self._progress("choosing moves", len(chosen), None)
            chosen = distinct(np.concatenate((chosen, wave)))
            is_mine = self._moves.movers(wave) == self._owner
            theirs = self._replies(wave[~is_mine])
            needed = distinct(np.concatenate((chosen, theirs.items)))
            mine = cover(self._options(wave[is_mine], nearer), needed, way)
            parents += [wave[~is_mine][theirs.places()], wave[is_mine][mine.places()]]
            needs += [theirs.items, mine.items]
            wave = distinct(np.concatenate(needs[-2:]))
            wave = wave[~np.isin(wave, chosen, assume_unique=True)]
        places = np.searchsorted(chosen, np.concatenate(parents))
        return chosen, Lists.of_pairs(len(chosen), places, np.concatenate(needs))

    def _children(self, keys: Keys) -> tuple[Keys, Keys]:
        """The result of `GameMoves.all_children`; if symmetries are used, with canonical states."""
        places, children = self._moves.all_children(keys)
        if self._head.symmetries and isinstance(self._moves, ArrayMoves):
            children = self._moves.canonical(children)
        return places, children

    def _replies(self, keys: Keys) -> Lists:
        """The non-terminal states after the moves in each state."""
        places, children = self._children(keys)
        is_open = ~self._moves.is_terminal(children)
        return Lists.of_pairs(len(keys), places[is_open], children[is_open])

    def _options(self, keys: Keys, nearer: bool) -> Options:
        """The moves that keep the goal in the owner's states; with `nearer`, only those towards an end."""
        places, moved = self._children(keys)
        children = distinct(moved)
        numbers = np.searchsorted(children, moved)
        values, remoteness = self._labels(children)
        values *= self._sign
        keeps = (values >= self._goal)[numbers]
        if nearer:
            own, left = self._labels(keys)
            own, better = own[places] * self._sign, values[numbers]
            keeps &= (better > own) | ((better == own) & (remoteness[numbers] < left[places]))
        is_option = np.zeros(len(children), np.bool_)
        is_option[numbers[keeps]] = True
        of_states = Lists.of_pairs(len(keys), places[keeps], numbers[keeps])
        return Options(of_states, self._needs(children, is_option), values, remoteness)

    def _labels(self, keys: Keys) -> tuple[Keys, Keys]:
        """The value of each state, for the first player, and its remoteness in plies, -1 for none.

        Raises `UnknownPosition` for a state that the file does not have.
        """
        if self._db.packed is not None:  # `present` might read the whole file
            known = self._db.lookup(keys, best=False)
            return known.value, known.remoteness
        asked: Keys | list[str] = keys
        if not isinstance(self._moves, ArrayMoves):
            asked = [self._moves.written(key) for key in keys.tolist()]
        is_there, values, remoteness = self._db.present(asked)
        if not is_there.all():
            first = asked[int(is_there.argmin())]
            raise self._db.unknown(
                first if isinstance(first, str) else write_position(self._db.game, int(first))
            )
        return values, remoteness

    def _needs(self, children: Keys, asked: Flags) -> Lists:
        """The states needed by each of the `asked` children of the owner's moves; empty for the others."""
        is_open = np.flatnonzero(asked & ~self._moves.is_terminal(children))
        is_mine = self._moves.movers(children[is_open]) == self._owner
        mine, theirs = is_open[is_mine], is_open[~is_mine]
        replies = self._replies(children[theirs])
        places = np.concatenate((mine, theirs[replies.places()]))
        return Lists.of_pairs(len(children), places, np.concatenate((children[mine], replies.items)))
