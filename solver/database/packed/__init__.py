"""The packed layout of a database: one SQLite row for some thousand states, a third of a byte per state.

schema.sql          the tables                              writer.py        writes a file
block.py            keys and labels of a row, compressed    label_code.py    value and remoteness in one
counts.py           the table of counts                     arrays.py        many states, or all, as arrays

block_reader.py     finds, checks and decodes blocks        decoded.py       the states of decoded blocks
reader.py           the layout as a `Database`              probe.py         stage and entry of one state
batch_probe.py      labels of many states                   keys/            the code of keys
"""
