"""The keys of a packed file as bytes.

gap_codec.py    the delta/varint code, many pieces    gap_kernels.py    the same, compiled
dictionary.py   what the blocks of a file share       key_code.py       zstd frames, and the keys in them
"""
