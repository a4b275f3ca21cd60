"""The backward pass: backward induction from the last layer to the first, and the blocks of the database.

0007.going.*  --+                              +-->  0007.labels.*, for ply 6
                +--> best labels of children   +-->  0007.blocks.*, for the database
0008.*.*      --+                              +-->  0007.solved, the counts
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.database.packed.gap_codec import PIECE
from solver.database.packed.label_code import LabelCode
from solver.engines.layers.orbits import tasks_of_images
from solver.engines.layers.steps import Answer, Steps, even_ranges, grouped
from solver.engines.layers.strategy import best_labels
from solver.engines.layers.worker import Layers
from solver.engines.storage.blocks import encode_part, parts_of, write_blocks
from solver.errors import BrokenRules
from solver.system.executors import Tell
from solver.system.files import flush

SHARES = 2
"""The work on a state: labelling it, encoding it."""


@dataclass(frozen=True)
class LabelStates:
    """Label the open states in some pieces of a layer by those of the next one."""

    code: LabelCode
    ply: int
    nth: int
    begin: int
    end: int
    below: tuple[int, int]
    """The numbers of shards of labels, and of runs of symmetric images, of the next layer."""

    def run(self, layers: Layers, tell: Tell) -> Answer:
        """Write their labels, and return the number of their moves; raises `BrokenRules` for one without."""
        expansion = layers.expansion(self.ply)
        layer = expansion.layer
        below = layers.labelled(self.code, self.ply + 1, *self.below)
        states = int(layer.begins[self.end] - layer.begins[self.begin])
        report = _rising(states, tell)
        best, moves = best_labels(expansion, self.begin, self.end, below, report)
        report(1)
        if best.min() == np.iinfo(best.dtype).min:  # no array of flags, which would be as large again
            stuck = int(layer.begins[self.begin]) + int(best.argmin())
            state = layer.read_states(stuck, stuck + 1)[0]
            raise BrokenRules(f"the rules give no action in the state {state}, which is not terminal")
        layers.context.need_disk(best.nbytes)
        with layers.context.work.new_shard(self.ply, "labels", self.nth) as path, path.open("wb") as file:
            best.tofile(file)
            flush(file.fileno())
        return {"states": states, "moves": moves}


@dataclass(frozen=True)
class EncodeBlocks:
    """Encode the blocks of some parts of a labelled layer."""

    code: LabelCode
    ply: int
    nth: int
    labels: int
    """The number of shards of labels."""
    parts: tuple[tuple[int, int, int], ...]

    def run(self, layers: Layers, tell: Tell) -> Answer:
        """Write them, and return the number of states of each kind.

        A terminal state, which needs nothing else, counts as `SHARES` states.
        """
        context, layer = layers.context, layers.labelled(self.code, self.ply, self.labels, 0)
        counts, states = Counter[tuple[int, int, int]](), 0
        with context.work.new_shard(self.ply, "blocks", self.nth) as path, path.open("wb") as file:
            for part in self.parts:
                context.check_cancelled()
                blocks, kinds = encode_part(layer, *part)
                context.need_disk(sum(len(block.keys) for block in blocks))
                write_blocks(file, blocks)
                counts.update(kinds)
                more = sum(kinds.values()) * SHARES ** part[0]
                tell(more)
                states += more
            file.flush()
            flush(file.fileno())
        kinds_counted = [[*kind, count] for kind, count in sorted(counts.items())]
        return {"states": states, "counts": kinds_counted}


def label_layers(steps: Steps, code: LabelCode, layers: Sequence[dict[str, Any]]) -> None:
    """Write labels and blocks of all layers to the work folder, from the last layer to the first."""
    work, sizes = steps.context.work, [layer["going"] + layer["ended"] for layer in layers]
    for ply in reversed(range(len(layers))):
        if work.facts(f"{ply:04}.solved") is None:
            before, total = sum(sizes[ply + 1 :]), sum(sizes)
            told = steps.context.counted("labelling", total, ply, before, shares=SHARES)
            work.finish(f"{ply:04}.solved", _solve_layer(steps, code, ply, told))
        work.drop(ply + 1, "going", "ended", "standing", "labels")


def _solve_layer(steps: Steps, code: LabelCode, ply: int, told: Tell) -> dict[str, Any]:
    """Write labels and blocks of one layer to disk; return the facts about it."""
    context = steps.context
    if (labelled := context.work.facts(f"{ply:04}.labels")) is None:
        labelled = _label_layer(steps, code, ply, told)
        context.work.finish(f"{ply:04}.labels", labelled)
    layer = steps.layers.labelled(code, ply, labelled["shards"], 0)
    groups = grouped(list(parts_of(layer)), context.shards)
    tasks = [EncodeBlocks(code, ply, nth, labelled["shards"], parts) for nth, parts in enumerate(groups)]
    counts = Counter[tuple[int, ...]]()
    for answer in steps.run(f"{ply:04}.encoding", tasks, told):
        counts.update({tuple(kind): count for *kind, count in answer["counts"]})
    return {
        "moves": labelled["moves"],
        "counts": [[*kind, count] for kind, count in sorted(counts.items())],
        "labels": labelled["shards"],
        "blocks": len(tasks),
    }


def _label_layer(steps: Steps, code: LabelCode, ply: int, told: Tell) -> dict[str, Any]:
    """Write the labels of one layer; return the numbers of its moves and of its shards of labels."""
    context, layer = steps.context, steps.context.work.open_states(ply)
    if not layer.states:
        return {"moves": 0, "shards": 0}
    solved = context.work.facts(f"{ply + 1:04}.solved") or {}
    images = _add_images(steps, code, ply + 1, solved["labels"]) if context.fold else 0
    limit = max(PIECE, context.memory // (2 * context.threads * code.dtype.itemsize))
    tasks = [
        LabelStates(code, ply, nth, begin, end, (solved["labels"], images))
        for nth, (begin, end) in enumerate(even_ranges(layer.pieces, limit // PIECE, context.label_shards))
    ]
    answers = steps.run(f"{ply:04}.labelling", tasks, told)
    context.work.drop(ply + 1, "images.run", "image-labels.run")
    return {"moves": sum(answer["moves"] for answer in answers), "shards": len(tasks)}


def _add_images(steps: Steps, code: LabelCode, ply: int, labels: int) -> int:
    """Write the symmetric images of the states at a ply, with their labels; return the number of runs."""
    states, tasks = tasks_of_images(steps.context, steps.layers.labelled(code, ply, labels, 0), labels)
    steps.run(f"{ply:04}.images", tasks, steps.context.counted("adding symmetric states", states, ply))
    return len(tasks)


def _rising(states: int, tell: Tell) -> Callable[[float], None]:
    """Return a function to call with the fraction, in [0, 1], of the states that are done.

    A fraction less than an earlier one is ignored.
    """
    known = 0

    def report(fraction: float) -> None:
        nonlocal known
        if (done := round(fraction * states)) > known:
            tell(done - known)
            known = done

    return report
