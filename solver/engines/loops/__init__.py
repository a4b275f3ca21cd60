"""The arrays engine for large packed games with loops: stages as ranges of sorted states, in files.

A stage is the states of one tier of the rules, which play never leaves for an earlier one; or all states. The
search finds the states of all stages, in order; retrograde analysis labels them, the last stage first:

    stage 0              stage 1              stage 2
    [ s s s ] ---------> [ s s s s s ] -----> [ s s ]      search/
    [ l l l ] <--------- [ l l l l l ] <----- [ l l ]      labels/

A task is done by any thread, or any process that sees the work folder: it reads immutable files, writes one
of its own and answers with some bytes (../storage/steps.py). A stage takes these steps:

    search/finding.py, rounds.py     expand    the open states of a round, in parts
                                     add       the children that are new: the next round
           merging.py                merge     rounds into few files
    labels/moves.py, ranges.py       find      the moves of the states of a range, by the range of the child
                                     reverse   those to the states of a range: the parents of each state
           labelling.py, settling.py settle    for each label, from the best to the worst: states that get it
                                     write     the labels of the states of a range
    unfolding.py                     unfold    one state of each class into all
    encoding.py                      encode    the blocks of the database

What only its stage needs is held in memory where threads do the tasks and it fits (../storage/held_files.py);
an interrupted solve then goes on from the last finished stage, otherwise from the last finished step.
`search/starts.py` has the states in which play begins, `workplace.py` is what a process opens to do tasks,
and `solve.py` makes the solve of all steps.

If the symmetries of the rules take the starts to starts, one state of each class is solved even without
`--fold`, and all states are made from it; symmetries.py proves the symmetries for each state.

If a folded solve has symmetries of sign -1 (`solver.rules.folding`), the first player is to move in all its
states, and what is won in a child is lost by the move to it.
"""
