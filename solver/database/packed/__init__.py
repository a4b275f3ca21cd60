"""The packed layout of a database: a row of SQLite for some thousand states at once, half a byte a state.

schema.sql          the tables                                   file.py       a file as it is written
blocks.py           keys and labels as compressed bytes          rows.py       the rows from arrays of states
labels.py           what a label says: who wins, and when

reading.py          blocks found, checked, decoded               run.py        one block
pieces.py           many lists of keys decoded by one call       stretch.py    many blocks side by side
piece_kernels.py    the same, compiled                           kernel.py     how loops are compiled

database.py         the layout as a `Database`                   shelf.py      what its answers are made from
entry.py            one position with all its moves              lookup.py     many states at once
"""
