"""The arrays engine for large packed games with loops: stages as ranges of sorted states, in files.

A stage has the states of one tier of the rules, which play never leaves for an earlier tier; or all states.
The search finds the states of all stages, in order; retrograde analysis labels them, the last stage first:

    stage 0              stage 1              stage 2
    [ s s s ] ---------> [ s s s s s ] -----> [ s s ]      finding.py
    [ l l l ] <--------- [ l l l l l ] <----- [ l l ]      labels/

Any thread can do a task, or any process that sees the work folder: a task reads immutable files, writes one
of its own and answers with a few bytes (../storage/steps.py). A stage takes these steps:

    finding.py, rounds.py            expand    the open states of a round, in parts
                                     add       the children that are new: the next round
    ../storage/merging.py            merge     rounds into few files
    labels/moves.py, ranges.py       find      the moves of the states of a range, by the range of the child
                                     reverse   the moves to the states of a range: the parents of each state
           labelling.py, settling.py settle    the states that get a label, from the best label to the worst
                                     write     the labels of the states of a range
    unfolding.py                     unfold    one state of each class into all
    solve.py                         encode    the blocks of the database

If threads do the tasks, files that only their stage needs are held in memory if they fit
(../storage/work_folder.py); an interrupted solve then resumes from the last finished stage, otherwise from
the last finished step. `workplace.py` is what a process opens to do tasks, and `solve.py` runs all steps.

If the symmetries of the rules take the starts to starts, one state of each class is solved even without
`--fold`, and all states are made from these; symmetries.py proves the symmetries for each state.

If a folded solve has symmetries of sign -1 (`solver.rules.folding`), the first player is to move in all its
states, and a won child means a lost move to it.
"""
