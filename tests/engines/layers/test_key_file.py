from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, strategies as st

from solver.database.packed.keys.gap_codec import PIECE, packed
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.engines.storage.labelled_layer import LabelFile
from solver.errors import DamagedWork
from solver.rules.arrays import Keys

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
"""The first bytes of a frame: RFC 8878, section 3.1.1."""


@pytest.mark.parametrize("compiled", [False, True])
def test_a_file_whose_keys_do_not_ascend_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    if not compiled:
        monkeypatch.setattr("solver.database.packed.keys.gap_codec._loops", _slow)
    path, keys = tmp_path / "keys", np.arange(0, 9 * PIECE, 3)
    pieces = packed(keys)
    pieces.data[PIECE + 5] = 0
    with KeyWriter(path) as writer:
        writer.write(pieces)
    _assert_that_piece_1_is_damaged(path, keys)


def test_a_file_with_changed_bytes_is_damaged(tmp_path: Path) -> None:
    path, keys = tmp_path / "keys", np.arange(0, 9 * PIECE, 3)
    with KeyWriter(path) as writer:
        writer.write(packed(keys))
    assert (KeyFile(path).read(0, 3) == keys[: 3 * PIECE]).all()
    changed = bytearray(path.read_bytes())
    second = changed.index(ZSTD_MAGIC, 1)
    changed[second + 5 : second + 8] = b"???"
    path.write_bytes(changed)
    _assert_that_piece_1_is_damaged(path, keys)


def _assert_that_piece_1_is_damaged(path: Path, keys: Keys) -> None:
    file = KeyFile(path)
    assert file.read(0, 1)[-1] == keys[PIECE - 1]
    for begin, end in ((0, 3), (1, 2)):
        with pytest.raises(DamagedWork, match=rf"keys, piece 1: .* remove the folder {path.parent}"):
            file.read(begin, end)


@given(st.lists(st.lists(st.integers(0, 99), max_size=9), min_size=1, max_size=4), st.data())
def test_shards_are_read_as_one_file(shards: list[list[int]], data: st.DataObject) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.database.packed.keys.gap_codec.PIECE", 2)
        paths, label_paths, every = list[Path](), list[Path](), list[int]()
        for nth, numbers in enumerate(shards):
            keys = np.array(sorted({100 * nth + number for number in numbers}), np.int64)
            paths.append(Path(folder) / f"keys{nth}")
            with KeyWriter(paths[-1]) as writer:
                writer.write(packed(keys))
            label_paths.append(Path(folder) / f"labels{nth}")
            (-keys).astype(np.int16).tofile(label_paths[-1])
            every += keys.tolist()
        file, labels = KeyFile(*paths), LabelFile(np.dtype(np.int16), *label_paths)
        assert (file.states, file.read(0, file.pieces).tolist()) == (len(every), every)
        low = data.draw(st.integers(0, len(every)))
        high = data.draw(st.integers(low, len(every)))
        assert file.read_states(low, high).tolist() == every[low:high]
        assert (-labels.read(low, high)).tolist() == every[low:high]
        key = data.draw(st.integers(0, 400))
        assert file.place(key) == sum(each < key for each in every)
        for nth in range(file.pieces):
            assert file.read(nth, nth + 1).tolist() == every[file.begins[nth] : file.begins[nth + 1]]
        with pytest.raises(DamagedWork):
            labels.read(0, len(every) + 1)


def _slow(compiled: bool) -> object:
    from solver.database.packed.keys.gap_codec import _numpy_decode, _numpy_encode

    return _numpy_encode, _numpy_decode
