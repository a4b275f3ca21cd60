"""Arrays of positions of a packed file: given positions, those of given ranks, or all."""

from collections.abc import Iterator, Sequence
from itertools import compress, islice
from typing import TYPE_CHECKING

import numpy as np

from solver.database.columns import COLUMNS, MISSING, WholeGame
from solver.database.entry import BatchResult, Entry, entry_from
from solver.database.interface import written_state
from solver.database.packed.batch_probe import children_of, labels_of_moves, plies_left, probe_batch, strays
from solver.database.packed.block import BLOCK
from solver.database.packed.block_reader import DECODED_AT_ONCE
from solver.database.packed.decoded import StateBatch
from solver.database.packed.probe import stage_and_label
from solver.errors import BrokenRules
from solver.rules.arrays import MAX_STATE, Flags, Keys, Labels, fold
from solver.rules.notation import is_state, state_number, write_action, write_position
from solver.system.progress import Progress, no_progress

if TYPE_CHECKING:
    from solver.database.packed.reader import PackedDatabase


def labels_of(db: "PackedDatabase", positions: Sequence[str] | Keys, *, best: bool = True) -> BatchResult:
    """The labels of many positions; see `Database.lookup`."""
    states = _as_states(db, positions)
    try:
        stages, probed = probe_batch(db, states, best=best, all_there=True)
    except BrokenRules:
        for state in states.tolist():  # perhaps one is unknown: that error is raised
            db.stage_and_label(state)
        raise
    for at in np.flatnonzero(~probed.present | probed.lost | strays(db, states))[:1].tolist():
        db.stage_and_label(int(states[at]))
        raise db.damage(f"{write_position(db.rules, int(states[at]))!r}, or what it leads to")
    return BatchResult(
        db.label_code.values(probed.labels),
        plies_left(db, states, stages, probed.labels),
        tuple(write_action(db.rules, action) for action in range(probed.best.shape[1])),
        probed.best,
    )


def labels_present(db: "PackedDatabase", positions: Sequence[str] | Keys) -> tuple[Flags, Keys, Keys]:
    """Whether each of many positions is in the file, and their labels; see `Database.present`."""
    if db.stages.tiers is not None and not db.tells_stages:
        raise BrokenRules(
            f"the tiers by the rules of {db.game_name} are not those of {db.path}: correct `tier`, or let "
            "it return None"
        )
    if isinstance(positions, np.ndarray) and positions.dtype.kind == "i":
        known = positions >= 0
        asked = positions[known].astype(np.int64, copy=False)
    else:
        listed = positions.tolist() if isinstance(positions, np.ndarray) else positions
        states = [written_state(db.rules, item) if isinstance(item, str) else item for item in listed]
        known = np.array([is_state(state) and not isinstance(state, bool) for state in states], np.bool_)
        asked = np.array([*compress(states, known)], np.int64)
    try:
        columns = _labels_present(db, asked)
    except BrokenRules:  # perhaps for what is not a state of theirs
        there = np.array([stage_and_label(db, state) is not None for state in asked.tolist()], np.bool_)
        columns = _spread(there, _labels_present(db, asked[there]))
    return _spread(known, columns)


def _labels_present(db: "PackedDatabase", states: Keys) -> tuple[Flags, Keys, Keys]:
    stages, probed = probe_batch(db, states, all_there=not db.tells_stages)
    remoteness = plies_left(db, states, stages, probed.labels)
    return probed.present & ~strays(db, states), db.label_code.values(probed.labels), remoteness


def _spread(known: Flags, columns: tuple[Flags, Keys, Keys]) -> tuple[Flags, Keys, Keys]:
    """The columns of `labels_present` for all positions, given the columns of those that are `known`."""
    of_all = np.full(len(known), False), np.zeros(len(known), np.int64), np.full(len(known), MISSING)
    for column, of_known in zip(of_all, columns, strict=True):
        column[known] = of_known
    return of_all


def entries_of(db: "PackedDatabase", states: StateBatch) -> Iterator[Entry]:
    """The entries of states of a stage; the labels of all their children are looked up at once."""
    code, ply = db.label_code, db.label_code.ply_of(states.stage)
    parents, actions, children = children_of(db.rules, states.keys, states.is_terminal)
    labels, order = labels_of_moves(db, states.stage, children), np.argsort(parents, kind="stable")
    left = code.remoteness(labels, states.stage)[order]
    offered = zip(code.values(labels[order]).tolist(), _or_none(left), strict=True)
    moves = zip(actions[order].tolist(), children[order].tolist(), offered, strict=True)
    offers = (
        (write_action(db.rules, action), write_position(db.rules, child), label)
        for action, child, label in moves
    )
    numbers = np.bincount(parents, minlength=len(states.keys)).tolist()
    own = zip(code.values(states.labels).tolist(), _or_none(db.remoteness(states)), strict=True)
    for state, label, number in zip(states.keys.tolist(), own, numbers, strict=True):
        yield entry_from(db.rules, state, ply, label, islice(offers, number), db.margin)


def _or_none(remoteness: Keys) -> list[int | None]:
    return [None if plies == MISSING else plies for plies in remoteness.tolist()]


def whole_game(db: "PackedDatabase", *, progress: Progress = no_progress) -> WholeGame:
    """All positions and moves, in memory; raises `DamagedFile` if they are inconsistent."""
    parts = [(states.keys, states.is_terminal) for states in db.states()]
    keys, over = map(np.concatenate, zip(*parts, strict=True))
    progress("playing every move", 0, None)
    parents, _, children = children_of(db.rules, keys, over)
    stored = fold(db.folding, children[np.argsort(parents, kind="stable")]).states
    order = np.argsort(keys)
    places = order[np.minimum(keys.searchsorted(stored, sorter=order), len(keys) - 1)]
    if (keys[places] != stored).any():
        raise db.damage("a move leads to a state that is not in it")
    numbers = np.bincount(parents, minlength=len(keys))
    for state in keys[(numbers == 0) & ~over][:1].tolist():
        raise db.damage(f"the non-terminal state {state} has no move")
    return WholeGame.made(keys, db.columns(COLUMNS), numbers, places)


def states_at(db: "PackedDatabase", ranks: Keys, is_terminal: int = 0) -> Iterator[StateBatch]:
    """Yield, by stage, the open or the terminal states of these ascending ranks; terminal labels are 0."""
    before = 0
    for stage in db.stage_numbers:
        size = db.sizes.get((stage, is_terminal), 0)
        begin, end = ranks.searchsorted((before, before + size)).tolist()
        if begin < end:
            keys, labels = _states_of(db, stage, is_terminal, ranks[begin:end] - before)
            yield StateBatch(stage, keys, np.full(len(keys), is_terminal != 0), labels)
        before += size


def _states_of(db: "PackedDatabase", stage: int, is_terminal: int, ranks: Keys) -> tuple[Keys, Labels]:
    blocks, begins = np.unique(ranks // BLOCK, return_index=True)
    cuts, parts = [*begins.tolist(), len(ranks)], []
    for begin in range(0, len(blocks), DECODED_AT_ONCE):
        end = min(begin + DECODED_AT_ONCE, len(blocks))
        decoded = db.blocks.decoded(stage, is_terminal, blocks[begin:end])
        requested = ranks[cuts[begin] : cuts[end]]
        which = blocks[begin:end].searchsorted(requested // BLOCK)
        places = decoded.cuts[which] + requested % BLOCK
        if (places >= decoded.cuts[which + 1]).any():
            raise db.damage(f"stage {stage} has a block that is not full before its last one")
        parts.append((decoded.keys[places], decoded.labels[places]))
    keys, labels = zip(*parts, strict=True)
    return np.concatenate(keys), np.concatenate(labels)


def _as_states(db: "PackedDatabase", positions: Sequence[str] | Keys) -> Keys:
    if not isinstance(positions, np.ndarray):
        return np.array(list(map(db.asked_state, positions)), np.int64)
    if positions.ndim != 1 or positions.dtype.kind not in "iu":
        return _as_states(db, positions.tolist())
    for number in positions[(positions < 0) | (positions > MAX_STATE)][:1].tolist():
        state_number(number)
    return positions.astype(np.int64, copy=False)
