"""The delta/varint codec: pieces are read back, damage is refused, kernels equal NumPy and plain Python."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from solver.database.packed.keys import gap_codec as pieces
from solver.database.packed.keys.gap_codec import PIECE, Pieces, WrongPiece, packed, unpacked
from solver.rules.arrays import Keys

near = st.lists(st.integers(1, 300), min_size=1, max_size=200).map(lambda gaps: np.cumsum(gaps).tolist())
far = st.sets(st.one_of(st.integers(0, 300), st.integers(0, 2**63 - 1)), min_size=1, max_size=200).map(sorted)
KEYS = st.one_of(near, far)


@pytest.fixture(scope="module")
def kernels() -> Any:
    return pytest.importorskip("solver.database.packed.keys.gap_kernels", reason="there is no numba")


@pytest.fixture(params=[False, True], ids=["numpy", "numba"])
def compiled(request: pytest.FixtureRequest) -> bool:
    if request.param:
        pytest.importorskip("numba")
    return bool(request.param)


def numbers(*values: int) -> Keys:
    return np.array(values, np.int64)


def bytes_of(keys: list[int]) -> bytes:
    """The bytes of a piece, in a few lines of Python."""
    return bytes_of_gaps([0, *(b - a for a, b in pairwise(keys))])


def bytes_of_gaps(gaps: list[int]) -> bytes:
    data = bytearray()
    for gap in gaps:
        while gap > 127:
            data.append(gap % 128 + 128)
            gap //= 128
        data.append(gap)
    return bytes(data)


def gaps_in(count: int, data: bytes) -> list[int] | None:
    """The gaps that bytes say, in a few lines of Python; None where they are not of so many."""
    gaps, gap, shift = list[int](), 0, 0
    for byte in data:
        gap += byte % 128 << shift
        shift += 7
        if byte < 128:
            if shift > 63:
                return None
            gaps.append(gap)
            gap = shift = 0
    return None if shift or len(gaps) != count else gaps


def keys_in(first: int, data: bytes, gaps: list[int] | None) -> list[int] | None:
    """The keys with these gaps, in a few lines of Python; None where they do not ascend."""
    if not gaps or data[0] or 0 in gaps[1:] or first < 0 or first + sum(gaps) >= 2**63:
        return None
    return [first + sum(gaps[: nth + 1]) for nth in range(len(gaps))]


@given(KEYS, st.integers(1, 9))
def test_gaps_are_encoded_seven_bits_at_a_time(kernels: ModuleType, keys: list[int], piece: int) -> None:
    parts = [keys[at : at + piece] for at in range(0, len(keys), piece)]
    for encode in (kernels.encode, pieces._numpy_encode):
        data, sizes = np.zeros(9 * len(keys), np.uint8), np.zeros(len(parts), np.int64)
        used = encode(np.array(keys), piece, data, sizes)
        assert data[:used].tobytes() == b"".join(map(bytes_of, parts))
        assert sizes.tolist() == [len(bytes_of(part)) for part in parts]


@given(st.sampled_from([-1, 0, 5, 2**62, 2**63 - 1]), st.integers(1, 12), st.data())
def test_decoders_equal_plain_python(
    kernels: ModuleType, first: int, count: int, data: st.DataObject
) -> None:
    last, more = st.sampled_from([1, 2, 127, 0]), st.sampled_from([128, 129, 255])
    gap = st.lists(more, max_size=9).flatmap(lambda some: last.map(lambda end: bytes([*some, end])))
    encoded = b"\0" + b"".join(data.draw(st.lists(gap, min_size=count - 1, max_size=count)))
    encoded += bytes(data.draw(st.lists(more, max_size=1)))
    expected = keys_in(first, encoded, gaps_in(count, encoded))
    for decode in (kernels.decode, pieces._numpy_decode):
        keys = np.zeros(count, np.int64)
        index = numbers(len(encoded)), numbers(count), numbers(first)
        right = decode(np.frombuffer(encoded, np.uint8), *index, keys)
        assert right == (expected is not None)
        assert expected is None or keys.tolist() == expected


@given(st.lists(KEYS, min_size=1, max_size=4), st.data())
def test_first_wrong_piece_is_found(kernels: ModuleType, parts: list[list[int]], data: st.DataObject) -> None:
    encoded = [bytearray(bytes_of(part)) for part in parts]
    for _ in range(data.draw(st.integers(0, 2))):
        spoilt = data.draw(st.sampled_from(encoded))
        spoilt[data.draw(st.integers(0, len(spoilt) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    pairs = [(part, bytes(piece)) for part, piece in zip(parts, encoded, strict=True)]
    known = [keys_in(part[0], piece, gaps_in(len(part), piece)) for part, piece in pairs]
    right = known.index(None) if None in known else len(known)
    expected = [key for part in known[:right] if part for key in part]
    bytes_of_all = np.frombuffer(b"".join(encoded), np.uint8)
    sizes, counts = numbers(*map(len, encoded)), numbers(*map(len, parts))
    firsts = numbers(*(part[0] for part in parts))
    for decode in (kernels.decode, pieces._numpy_decode):
        keys = np.zeros(sum(map(len, parts)), np.int64)
        assert decode(bytes_of_all, sizes, counts, firsts, keys) == right
        assert keys[: len(expected)].tolist() == expected


@given(KEYS, st.integers(1, 9))
def test_packed_keys_round_trip(keys: list[int], piece: int) -> None:
    actual = packed(numbers(*keys), piece)
    parts = [keys[at : at + piece] for at in range(0, len(keys), piece)]
    assert actual.data.tobytes() == b"".join(map(bytes_of, parts))
    assert actual.counts.tolist() == [*map(len, parts)]
    for compiled in (False, True):
        again = unpacked(actual.data, actual.sizes, actual.counts, actual.firsts, compiled=compiled)
        assert again.tolist() == keys


NO_KEYS: list[tuple[int, int, bytes]] = [
    *((0, count, b"\0") for count in (-1, 2, 2**62)),
    *((0, 0, b""), (0, 1, b""), (0, 1, b"\1"), (0, 1, b"\0\1")),
    *((0, 2, b"\0\0"), (0, 2, b"\0\x80\0"), (0, 2, b"\0\x80"), (0, 2, b"\0\x81\1\1")),
    *((-1, 1, b"\0"), (-(2**63), 2, b"\0\1"), (2**63 - 1, 2, b"\0\1")),
    (2**62, 3, b"\0" + b"\xff" * 8 + b"\x3f" + b"\xff" * 8 + b"\x7f"),
    (0, 2, b"\0" + b"\x80" * 9 + b"\1"),
    (0, 2, b"\0" + b"\xff" * 10),
    (0, 2, b"\0\x81" + b"\x80" * 8 + b"\0"),
]
"""A first key, a number of keys, and bytes that do not hold as many ascending keys."""


@pytest.mark.parametrize(("first", "count", "encoded"), NO_KEYS)
def test_bytes_of_unsorted_keys_are_refused(compiled: bool, first: int, count: int, encoded: bytes) -> None:
    """Behind a piece that is right, and before one."""
    data = np.frombuffer(b"\0\1" + encoded + b"\0\1", np.uint8)
    index = numbers(2, len(encoded), 2), numbers(2, count, 2), numbers(7, first, 7)
    keys = np.zeros(2 * PIECE, np.int64)
    decode = pieces._loops(compiled)[1]
    assert decode(data, *index, keys) == 1
    assert keys[:2].tolist() == [7, 8]
    if 0 <= count < 2**62:
        with pytest.raises(WrongPiece, match="ascending keys") as caught:
            unpacked(data, *index, compiled=compiled)
        assert caught.value.piece == 1


@pytest.mark.parametrize("sizes", [[2, 3], [2, -1], [2, 2**63 - 1], [5, 2], [1, 2]])
def test_pieces_are_not_read_beyond_their_bytes(compiled: bool, sizes: list[int]) -> None:
    data = numbers(0, 1, 0, 1).astype(np.uint8)
    with pytest.raises(WrongPiece):
        unpacked(data, numbers(*sizes), numbers(2, 2), numbers(0, 9), compiled=compiled)


def test_pieces_are_not_written_beyond_the_output_array(compiled: bool) -> None:
    keys = np.full(5, -7)
    actual = packed(numbers(1, 2, 3))
    index = actual.sizes, actual.counts, actual.firsts
    assert pieces._loops(compiled)[1](actual.data, *index, keys[:2]) == 0
    assert keys.tolist() == [-7] * 5


@pytest.mark.slow  # it compiles all loops anew
def test_no_loop_reads_or_writes_beyond_its_arrays(kernels: ModuleType, tmp_path: Path) -> None:
    """The tests above once more, with code that looks where it reads."""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", __file__]
    command += ["-k", "not beyond_its_arrays"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_numpy_is_used_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "solver.database.packed.keys.gap_kernels", None)
    actual = packed(numbers(5, 900, 2**62))
    assert isinstance(actual, Pieces)
    assert unpacked(*actual).tolist() == [5, 900, 2**62]
    assert pieces._loops(compiled=True)[1] is pieces._numpy_decode
