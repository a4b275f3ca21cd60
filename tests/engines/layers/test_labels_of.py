from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from solver.database.packed.keys.gap_codec import packed
from solver.database.packed.label_code import LabelCode
from solver.engines.layers.windows import merge
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.engines.storage.labelled_layer import LabelFile, LabelledLayer, LabelledRun
from solver.errors import DamagedWork

CODE = LabelCode(64, 1)
NO_RULES: Any = None


def layer_of(folder: Path, rows: list[dict[int, int]]) -> LabelledLayer:
    """A layer at ply 3 on disk, with these labels."""
    runs = []
    for nth, labels in enumerate(rows):
        keys, values = sorted(labels), [labels[key] for key in sorted(labels)]
        with KeyWriter(folder / f"keys{nth}") as writer:
            writer.write(packed(np.array(keys, np.int64)))
        np.array(values, CODE.dtype).tofile(folder / f"labels{nth}")
        file = KeyFile(folder / f"keys{nth}")
        runs.append(LabelledRun(file, LabelFile(CODE.dtype, folder / f"labels{nth}")))
    return LabelledLayer(NO_RULES, CODE, 3, tuple(runs))


@given(st.dictionaries(st.integers(0, 300), st.integers(0, 2), min_size=1), st.data())
def test_labels_of_some_states_are_read_in_order(rows: dict[int, int], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.sampled_from(sorted(rows)), unique=True, min_size=1).map(sorted))
    parts = [{key: key % 50 for key, row in rows.items() if row == nth} for nth in range(3)]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.database.packed.keys.gap_codec.PIECE", 4)
        patch.setattr(merge, "PIECES_PER_FILL", data.draw(st.integers(1, 3)))
        found = merge.labels_of(np.array(wanted, np.int64), layer_of(Path(folder), parts))
    assert found.tolist() == [key % 50 for key in wanted]


@pytest.mark.parametrize("lost", [0, 6, 99])
def test_a_state_that_is_lost_is_missed(tmp_path: Path, lost: int) -> None:
    layer = layer_of(tmp_path, [{5: 1, 7: 2}, {8: 3}])
    with pytest.raises(DamagedWork, match="lost states of ply 3"):
        merge.labels_of(np.array(sorted([5, 8, lost])), layer)


@pytest.mark.parametrize("greatest", [1, 3, 4096, 10**6])
@pytest.mark.parametrize("level", [0, 1, -1])
def test_terminal_states_have_the_labels_of_their_utilities(
    tmp_path: Path, greatest: int, level: int
) -> None:
    code = LabelCode(64, greatest, level)
    utilities = np.random.default_rng(1).integers(-greatest, greatest + 1, 500)
    utilities[:2] = -greatest, greatest
    with KeyWriter(tmp_path / "keys") as writer:
        writer.write(packed(np.arange(500)))
    run = LabelledRun(KeyFile(tmp_path / "keys"), None)
    rules: Any = SimpleNamespace(utilities=lambda keys: utilities[keys])
    _, labels = LabelledLayer(rules, code, 7, (run,)).part(run, 0, 1)
    assert labels.dtype == code.dtype
    assert labels.tolist() == [int(code.encode_ends(np.array([each]), 7)[0]) for each in utilities]
