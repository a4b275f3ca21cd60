"""The packed layout of a database: a row of SQLite for some thousand states at once, half a byte a state.

schema.sql          the tables                                   file.py       a file as it is written
blocks.py           keys and labels as compressed bytes          rows.py       the rows from arrays of states
labels.py           what a label says: who wins, and when        reading.py    blocks found, checked, decoded

database.py         the layout as a `Database`                   shelf.py      what its answers are made from
entry.py            one position with all its moves              lookup.py     many states at once
"""
