"""The packed layout of a database: a row of SQLite for some thousand states at once, half a byte a state.

schema.sql          the tables                              writer.py        a file as it is written
block.py            a block: keys and labels, compressed    label_code.py    value and remoteness in one
counts.py           the counts, checked before use

block_reader.py     blocks found, checked, decoded          decoded.py       the states of one, or of many
gap_codec.py        keys as delta codes, many at once       gap_kernels.py   the same, compiled

reader.py           the layout as a `Database`              probe.py         one state: its label and entry
batch_probe.py      the labels of many states at once
"""
