"""The arrays engine for large packed games with loops: tables of hashes, files, compiled rules.

A stage is the states of one tier of the rules, which play never leaves for an earlier one; or all states. The
search finds the states of all stages, in order; retrograde analysis labels them, the last stage first:

    stage 0              stage 1              stage 2
    [ s s s ] ---------> [ s s s s s ] -----> [ s s ]      finding.py: states, in a table (state_table.py)
    [ l l l ] <--------- [ l l l l l ] <----- [ l l ]      labelling.py: moves.py counts and reverses the
                                                           moves of a stage, then it is labelled

All stages lie in files of a work folder (../storage/), from which an interrupted solve resumes. In memory,
and beyond its limit in mapped files (scratch.py), are the states of one stage, its moves, and the labels of
the stages that its moves lead to. grouping.py brings states to the buckets of the tables, solve.py makes the
blocks of the database. The inner loops are compiled by numba (kernels.py).

If the symmetries of the rules take the starts to starts, one state of each class is solved even without
`--fold`, and all states are made from it; symmetries.py proves the symmetries for each state.

If a folded solve has symmetries of sign -1 (`solver.rules.folding`), the first player is to move in all its
states, and what is won in a child is lost by the move to it.
"""
