"""The keys of a packed file as bytes.

gap_codec.py    the delta/varint code, many pieces    gap_kernels.py    the same, compiled
dictionary.py   what the blocks of a file share       key_code.py       the keys of blocks, compressed by it
frames.py       zstd frames, checked                  planes.py         the code of files of the format before
"""
