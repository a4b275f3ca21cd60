"""The files of a solve, layer by layer, and the division of work."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from solver.database.packed.keys.gap_codec import PIECE, packed
from solver.database.packed.label_code import LabelCode
from solver.engines.storage import labelled_layer, merging
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import LabelFile, LabelledLayer, LabelledRun
from solver.engines.storage.steps import even_ranges
from solver.errors import DamagedWork
from tests.support.key_files import write_content, write_pieces

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
"""The first bytes of a frame: RFC 8878, section 3.1.1."""


@pytest.mark.parametrize("descends", [False, True])
def test_file_with_changed_bytes_or_descending_keys_is_refused(tmp_path: Path, descends: bool) -> None:
    path, keys = tmp_path / "keys", np.arange(0, 9 * PIECE, 3)
    pieces = packed(keys)
    if descends:
        pieces.data[PIECE + 5] = 0
    write_pieces(path, pieces)
    if not descends:
        assert (KeyFile(path).read(0, 3) == keys).all()
        changed = bytearray(path.read_bytes())
        second = changed.index(ZSTD_MAGIC, 1)
        changed[second + 5 : second + 8] = b"???"
        path.write_bytes(changed)
    file = KeyFile(path)
    assert file.read(0, 1)[-1] == keys[PIECE - 1]
    for begin, end in ((0, 3), (1, 2)):
        with pytest.raises(DamagedWork, match=rf"keys, piece 1: .* remove the folder {tmp_path}"):
            file.read(begin, end)


@given(st.lists(st.lists(st.integers(0, 99), max_size=9), min_size=1, max_size=4), st.data())
def test_shards_are_read_as_one_file(shards: list[list[int]], data: st.DataObject) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.database.packed.keys.gap_codec.PIECE", 2)
        paths, label_paths, every = list[Path](), list[Path](), list[int]()
        for nth, numbers in enumerate(shards):
            keys = np.array(sorted({100 * nth + number for number in numbers}), np.int64)
            paths.append(Path(folder) / f"keys{nth}")
            write_pieces(paths[-1], packed(keys))
            label_paths.append(Path(folder) / f"labels{nth}")
            write_content(label_paths[-1], (-keys).astype(np.int16).tobytes())
            every += keys.tolist()
        file, labels = KeyFile(*paths), LabelFile(np.dtype(np.int16), *label_paths)
        assert (file.states, file.read(0, file.pieces).tolist()) == (len(every), every)
        low = data.draw(st.integers(0, len(every)))
        high = data.draw(st.integers(low, len(every)))
        assert file.read_states(low, high).tolist() == every[low:high]
        assert (-labels.read(low, high)).tolist() == every[low:high]
        key = data.draw(st.integers(0, 400))
        assert file.place(key) == sum(item < key for item in every)
        for nth in range(file.pieces):
            assert file.read(nth, nth + 1).tolist() == every[file.begins[nth] : file.begins[nth + 1]]
        with pytest.raises(DamagedWork):
            labels.read(0, len(every) + 1)


CODE = LabelCode(64, 1)
NO_RULES: Any = None


def layer_of(folder: Path, rows: list[dict[int, int]]) -> LabelledLayer:
    """A layer at ply 3 on disk, with these labels."""
    runs = []
    for nth, labels in enumerate(rows):
        keys, values = sorted(labels), [labels[key] for key in sorted(labels)]
        write_pieces(folder / f"keys{nth}", packed(np.array(keys, np.int64)))
        write_content(folder / f"labels{nth}", np.array(values, CODE.dtype).tobytes())
        file = KeyFile(folder / f"keys{nth}")
        runs.append(LabelledRun(file, LabelFile(CODE.dtype, folder / f"labels{nth}")))
    return LabelledLayer(NO_RULES, CODE, 3, tuple(runs))


@given(st.dictionaries(st.integers(0, 300), st.integers(0, 2), min_size=1), st.data())
def test_labels_of_selected_states_are_read_in_order(rows: dict[int, int], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.sampled_from(sorted(rows)), unique=True, min_size=1).map(sorted))
    parts = [{key: key % 50 for key, row in rows.items() if row == nth} for nth in range(3)]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.database.packed.keys.gap_codec.PIECE", 4)
        patch.setattr(merging, "PIECES_TO_SEARCH", data.draw(st.integers(1, 3)))
        patch.setattr(labelled_layer, "LABELS_AT_ONCE", data.draw(st.integers(1, 9)))
        actual = layer_of(Path(folder), parts).labels_of(np.array(wanted, np.int64))
    assert actual.tolist() == [key % 50 for key in wanted]


@pytest.mark.parametrize("lost", [0, 6, 99])
def test_labels_of_a_missing_state_are_refused(tmp_path: Path, lost: int) -> None:
    layer = layer_of(tmp_path, [{5: 1, 7: 2}, {8: 3}])
    with pytest.raises(DamagedWork, match="lost states of ply 3"):
        layer.labels_of(np.array(sorted([5, 8, lost])))


@pytest.mark.parametrize("greatest", [1, 3, 4096, 10**6])
@pytest.mark.parametrize("level", [0, 1, -1])
def test_terminal_states_are_labelled_with_their_utilities(tmp_path: Path, greatest: int, level: int) -> None:
    code = LabelCode(64, greatest, level)
    utilities = np.random.default_rng(1).integers(-greatest, greatest + 1, 500)
    utilities[:2] = -greatest, greatest
    write_pieces(tmp_path / "keys", packed(np.arange(500)))
    run = LabelledRun(KeyFile(tmp_path / "keys"), None)
    rules: Any = SimpleNamespace(utilities=lambda keys: utilities[keys])
    _, labels = LabelledLayer(rules, code, 7, (run,)).part(run, 0, 1)
    assert labels.dtype == code.dtype
    assert labels.tolist() == [int(code.encode_ends(np.array([utility]), 7)[0]) for utility in utilities]


@given(st.integers(0, 500), st.integers(1, 60), st.integers(1, 8))
def test_work_is_divided_evenly_among_workers(items: int, at_most: int, workers: int) -> None:
    ranges = even_ranges(items, at_most, workers)
    assert [nth for begin, end in ranges for nth in range(begin, end)] == list(range(items))
    sizes = [end - begin for begin, end in ranges]
    assert max(sizes, default=0) <= at_most
    assert all(one == other for one, other in pairwise(sizes[:-1]))
    rounds = -(-len(sizes) // workers)
    assert items > (rounds - 1) * workers * at_most or not items  # in fewer rounds they would not fit
