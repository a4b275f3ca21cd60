"""The files of the states of a stage, or layer, and of their labels: shards, counted by records."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

from solver.database.packed.label_code import LabelCode
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import LabelFile
from solver.engines.storage.records import LayerLabels, SizedRecord, StageLabels, UnfoldedStage
from solver.rules.arrays import Labels

Labelled: TypeAlias = LayerLabels | StageLabels | UnfoldedStage
"""A record with the number of shards of labels."""


class StageFiles(NamedTuple):
    """The kinds of files of a stage, and the records with their numbers of shards.

    The folder is never listed, as a listing may lag behind other processes. All methods raise `DamagedWork`.
    """

    open: str
    terminal: str
    labels: str
    reached: type[SizedRecord]
    labelled: type[Labelled]

    def states(self, context: SolveContext, nth: int, is_terminal: int) -> KeyFile:
        """The open or the terminal states of a stage."""
        kind = self.terminal if is_terminal else self.open
        return KeyFile(*_shards(context, nth, kind, self.reached))

    def open_states(self, context: SolveContext, nth: int) -> KeyFile:
        """The open states of a stage."""
        return self.states(context, nth, 0)

    def labels_of(
        self,
        context: SolveContext,
        nth: int,
        code: LabelCode,
        recode: Callable[[Labels], Labels] | None = None,
    ) -> LabelFile:
        """The labels of the open states of a stage, converted by `recode` if it is given."""
        return LabelFile(code.dtype, *_shards(context, nth, self.labels, self.labelled), recode=recode)


def _shards(context: SolveContext, nth: int, kind: str, record: type[SizedRecord | Labelled]) -> list[Path]:
    return context.work.shards(nth, kind, record.finished(context.work, nth).shards)
