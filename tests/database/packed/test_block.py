import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import zstandard
from hypothesis import given, strategies as st

from solver.database.packed.block import BLOCK, Block, check_head, checksum, decode_labels, encode_blocks
from solver.database.packed.keys.gap_codec import gap_bytes, keys_of_bytes, keys_of_planes
from solver.database.packed.keys.key_code import PARAMETERS, KeyDecoder, KeyEncoder
from solver.rules.arrays import Keys, Labels
from tests.database.packed.test_gap_codec import KEYS, NO_KEYS, bytes_of
from tests.support.format_of_planes import planes_of

ascending = KEYS.map(lambda keys: np.array(keys, np.int64))


def encode_block(ply: int, is_terminal: bool, keys: Keys, labels: Labels | None) -> Block:
    [block] = encode_blocks(ply, is_terminal, keys, labels, KeyEncoder())
    return block


def encode_keys(keys: Keys) -> bytes:
    return encode_block(0, True, keys, None).keys


def decode_keys(first: int, states: int, data: bytes) -> Keys:
    return KeyDecoder().keys([data], [states], [first])


@given(ascending)
def test_gap_bytes_match_a_python_reference(keys: Keys) -> None:
    assert gap_bytes(keys) == bytes_of(keys.tolist())


def test_gap_bytes_match_the_documented_example() -> None:
    keys = np.array([40, 41, 43, 90, 1000, 1001])
    assert gap_bytes(keys) == bytes([0, 1, 2, 47, 142, 7, 1])


@given(ascending)
def test_keys_are_decoded_from_planes_of_the_earlier_format(keys: Keys) -> None:
    frame = zstandard.compress(planes_of(keys))
    actual = KeyDecoder(planes=True).keys([frame], [len(keys)], [int(keys[0])])
    assert actual.tolist() == keys.tolist()


@given(st.lists(ascending, min_size=1, max_size=4), st.one_of(st.just(b""), st.binary(max_size=300)))
def test_keys_round_trip_with_any_dictionary(layers: list[Keys], dictionary: bytes) -> None:
    encoder = KeyEncoder(dictionary)
    blocks = [encode_blocks(0, True, keys, None, encoder)[0] for keys in layers]
    _, _, firsts, counts, _, frames, _ = zip(*blocks, strict=True)
    actual = KeyDecoder(dictionary).keys(frames, counts, firsts)
    assert actual.tolist() == np.concatenate(layers).tolist()


def test_dictionary_shrinks_a_block_with_the_same_gaps() -> None:
    keys = np.cumsum(np.random.default_rng(1).integers(1, 200, BLOCK))
    [block] = encode_blocks(0, True, keys, None, KeyEncoder(gap_bytes(keys)))
    assert len(block.keys) < 50 < 3000 < len(encode_keys(keys))
    with pytest.raises(ValueError, match=r"frame|keys"):
        decode_keys(int(keys[0]), BLOCK, block.keys)


@pytest.mark.parametrize("keys", [[0], [2**63 - 1], [0, 2**63 - 1], [2**63 - 2, 2**63 - 1]])
def test_least_and_greatest_keys_round_trip(keys: list[int]) -> None:
    assert decode_keys(keys[0], len(keys), encode_keys(np.array(keys))).tolist() == keys


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1), st.sampled_from([1, 2, 4, 8]))
def test_labels_round_trip(labels: list[int], width: int) -> None:
    dtype: np.dtype[np.signedinteger] = np.dtype(f"i{width}")
    stored = np.array(labels).astype(dtype)
    block = encode_block(0, False, np.arange(len(labels)), stored)
    assert block.labels is not None
    actual = decode_labels([block.labels], [len(labels)], dtype)
    assert actual.dtype == dtype
    assert actual.tolist() == stored.tolist()


@pytest.mark.parametrize("width", [1, 2, 8])
def test_blocks_are_encoded_independently(width: int) -> None:
    rng = np.random.default_rng(width)
    keys = np.cumsum(rng.integers(1, 2**9, 2 * BLOCK + 5))
    labels = rng.integers(-9, 9, len(keys)).astype(f"i{width}")
    compress = zstandard.ZstdCompressor(compression_params=PARAMETERS).compress
    parts = [slice(begin, begin + BLOCK) for begin in range(0, len(keys), BLOCK)]
    frames = [(compress(gap_bytes(keys[part])), compress(labels[part].tobytes())) for part in parts]
    blocks = encode_blocks(3, False, keys, labels, KeyEncoder())
    assert [block.states for block in blocks] == [BLOCK, BLOCK, 5]
    assert [(block.keys, block.labels) for block in blocks] == frames
    assert blocks == [encode_block(3, False, keys[part], labels[part]) for part in parts]
    assert [block.crc32 for block in blocks] == [checksum(*block[:4], *block[5:]) for block in blocks]
    assert (decode_keys(blocks[0].first, BLOCK, blocks[0].keys) == keys[:BLOCK]).all()
    assert encode_blocks(3, False, keys[:0], labels[:0], KeyEncoder()) == []


@given(ascending, st.integers(0, 10**6), st.integers(0, 7))
def test_flipped_bit_is_refused_or_changes_the_keys(keys: Keys, at: int, bit: int) -> None:
    data = bytearray(gap_bytes(keys))
    data[at % len(data)] ^= 1 << bit
    try:
        actual = keys_of_bytes(int(keys[0]), len(keys), np.frombuffer(data, np.uint8))
    except ValueError:
        return
    assert len(actual) == len(keys)
    assert actual[0] == keys[0]
    assert (np.diff(actual) > 0).all()
    assert actual.tolist() != keys.tolist()


@pytest.mark.parametrize(("first", "states", "planes"), NO_KEYS)
def test_planes_without_ascending_keys_are_refused(first: int, states: int, planes: bytes) -> None:
    with pytest.raises(ValueError, match=r"keys|gap"):
        keys_of_planes(first, states, np.frombuffer(planes, np.uint8))


def test_invalid_frames_and_state_counts_are_refused() -> None:
    good = encode_keys(np.arange(100))
    huge = zstandard.ZstdCompressor().compress(bytes(10**7))
    silent = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(100))
    for data in (b"", b"x", good[:-1], good + b"x", good + good, huge, silent):
        with pytest.raises(ValueError, match="frame"):
            decode_keys(0, 100, data)
        with pytest.raises(ValueError, match="frame"):
            decode_labels([data], [100], np.dtype(np.int16))
    for states in (0, -1, 99, 101, BLOCK + 1, 2**40, 10**7):
        with pytest.raises(ValueError, match=r"frame|keys"):
            decode_keys(0, states, good)
        with pytest.raises(ValueError, match="frame"):
            decode_keys(0, states, huge)
        with pytest.raises(ValueError, match="frame"):
            decode_labels([huge], [states], np.dtype(np.int8))


def test_checksum_covers_every_column_of_a_block() -> None:
    block = encode_block(3, False, np.array([5, 9]), np.array([1, -1], np.int8))
    assert block.labels is not None
    rows = {
        block[:4] + block[5:],
        (4, *block[1:4], *block[5:]),
        (3, 1, *block[2:4], *block[5:]),
        (3, 0, 6, *block[3:4], *block[5:]),
        (3, 0, 5, 3, *block[5:]),
        (*block[:4], block.labels, block.keys),
        (*block[:4], block.keys, None),
    }
    assert len({checksum(*row) for row in rows}) == len(rows)
    check_head(block)
    for first, states in ((-5, 2), (5, 0), (5, BLOCK + 1)):
        head = (3, 0, first, states)
        with pytest.raises(ValueError, match="a block does not have"):
            check_head(Block(*head, checksum(*head, *block[5:]), *block[5:]))


def test_encoding_and_decoding_are_thread_safe() -> None:
    rng = random.Random(5)
    layers = [np.cumsum([rng.randrange(1, 10**6) for _ in range(2000)]) for _ in range(40)]
    with ThreadPoolExecutor(8) as pool:
        packed = list(pool.map(encode_keys, layers))
        actual = list(pool.map(decode_keys, [int(keys[0]) for keys in layers], [2000] * 40, packed))
    assert packed == [encode_keys(keys) for keys in layers]
    assert all((a == b).all() for a, b in zip(actual, layers, strict=True))
