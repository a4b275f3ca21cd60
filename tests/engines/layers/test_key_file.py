from pathlib import Path

import numpy as np
import pytest

from solver.database.packed.gap_codec import PIECE, packed
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.errors import DamagedWork


@pytest.mark.parametrize("compiled", [False, True])
def test_a_file_whose_keys_do_not_ascend_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    if compiled:
        pytest.importorskip("numba")
    else:
        monkeypatch.setattr("solver.database.packed.gap_codec._loops", _slow)
    path, keys = tmp_path / "keys", np.arange(0, 9 * PIECE, 3)
    with KeyWriter(path) as writer:
        writer.write(packed(keys))
    assert (KeyFile(path).read(0, 3) == keys).all()
    changed = bytearray(path.read_bytes())
    changed[PIECE + 5] = 0
    path.write_bytes(changed)
    file = KeyFile(path)
    assert file.read(0, 1)[-1] == keys[PIECE - 1]
    for begin, end in ((0, 3), (1, 2)):
        with pytest.raises(DamagedWork, match=rf"keys, piece 1: .* remove the folder {tmp_path}"):
            file.read(begin, end)


def _slow(compiled: bool) -> object:
    from solver.database.packed.gap_codec import _Loops, _numpy_decode, _numpy_encode

    return _Loops(_numpy_encode, _numpy_decode)
