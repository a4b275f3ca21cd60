"""Probes the packed layout for the label of a single state, and makes its entry.

If the rules tell the stage of a state, that is tried first. It is only a hint: if the state is not found
there, or none is told, all stages are tried. Terminal states are stored without labels, which follow from
their utilities, so a terminal child is not looked up.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from solver.database.entry import Entry, Probe, entry_from
from solver.database.metadata import EXCHANGE, StoredMetadata
from solver.database.packed.block_reader import Blocks
from solver.database.packed.label_code import LabelCode, RemotenessCode
from solver.database.packed.stages import Stages
from solver.game import sign_for
from solver.packed import PackedGame
from solver.rules.asking import actions_of, is_over, mover_of, representative, utility_of
from solver.rules.exchange import with_first_to_move
from solver.rules.failures import rules_asked
from solver.rules.labels import Label
from solver.rules.notation import write_action, write_position


@dataclass(frozen=True)
class Prober:
    """Finds the labels of a solved game."""

    rules: PackedGame
    code: LabelCode
    blocks: Blocks
    folded: bool
    """Whether the file has canonical states alone."""
    exchanged: bool
    """Whether it has states with the first player to move alone, which stand for the others, too."""
    stages: Stages
    margin: Callable[[int], int | None]
    """By how much the winner wins by a value, as `StoredMetadata.margin`."""

    def key(self, state: int) -> int:
        """The key under which `state` is stored: that of its canonical state if the file is folded."""
        if self.exchanged:
            state = with_first_to_move(self.rules, state)
        return int(representative(self.rules, state)) if self.folded else state

    def sign(self, state: int) -> int:
        """-1 if `state` is stored with exchanged players, so that its label is negated, otherwise 1."""
        return sign_for(mover_of(self.rules, state)) if self.exchanged else 1

    def find(self, state: int) -> tuple[int, int] | None:
        """The stage and the label of a state; None if it is not in the file."""
        key = self.key(state)
        is_terminal = int(is_over(self.rules, key))
        for stage in self.stages.likely(key):
            label = self.blocks.label(stage, is_terminal, key)
            if label is not None:
                ended = self._label_of_end(key, self.code.counted_from(stage)) if is_terminal else label
                return stage, self.sign(state) * ended
        return None

    def label_by(self, child: int, stage: int) -> int:
        """The label by which a move to `child` from a state at `stage` is judged; raises `DamagedFile`."""
        if is_over(self.rules, child):
            return self._label_of_end(child, self.code.counted_from(stage) + 1)
        key = self.key(child)
        label = self.blocks.label(self.stages.of_child(stage, key), 0, key)
        if label is None:
            raise self.blocks.damage(f"no {write_position(self.rules, child)!r}")
        return self.sign(child) * int(self.code.before(label))

    def _label_of_end(self, state: int, ply: int) -> int:
        """The label of a terminal state, or by which a move to it is judged, if play ends at `ply`."""
        return self.code.of_end(utility_of(self.rules, state), ply)


def is_exchanged(file: StoredMetadata, code: LabelCode, rules: PackedGame) -> bool:
    """Whether states of a file stand for those with exchanged players, too.

    Raises `DamagedFile` for such a file if its labels cannot be negated or its rules do not tell `exchanged`.
    """
    if not file.exchanged:
        return False
    with rules_asked(rules, "exchanged"):
        is_told = rules.exchanged(rules.initial) is not None
    if code.level or not isinstance(code, RemotenessCode) or not is_told:
        raise file.damage(f"folded: {EXCHANGE!r}, which is not for such a game")
    return True


def entry_of(prober: Prober, state: int, stage: int, label: int) -> Entry:
    """The entry of a state whose stage and label, or those of its canonical state, are given."""
    rules, code = prober.rules, prober.code
    actions = actions_of(rules, state)

    def offers() -> Iterator[tuple[int, int, Label]]:
        for action in actions:
            child = rules.result(state, action)
            offered = prober.label_by(child, stage)
            yield action, child, (code.value(offered), code.plies_left(offered, stage))

    remoteness = code.plies_left(label, stage) if actions else 0
    own = code.value(label), remoteness
    return entry_from(rules, state, code.ply_of(stage), own, offers(), prober.margin)


def probe_of(prober: Prober, state: int, stage: int, label: int) -> Probe:
    """Labels and best moves of a state whose stage and label, or those of its canonical state, are given."""
    rules, code = prober.rules, prober.code
    actions = actions_of(rules, state)
    best = [action for action in actions if _is_best(prober, rules.result(state, action), stage, label)]
    names = tuple(write_action(rules, action) for action in best)
    return Probe(code.value(label), code.plies_left(label, stage) if actions else 0, names)


def _is_best(prober: Prober, child: int, stage: int, label: int) -> bool:
    """Return whether a move to `child` is a best one in a state of this stage and label."""
    if prober.code.plies_left(label, stage) == 1 and not is_over(prober.rules, child):
        return False  # best play ends at the next ply, which this child does not: no need to look it up
    return prober.label_by(child, stage) == label
