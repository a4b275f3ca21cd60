"""The arrays engine for large games with loops on a cluster: stages as ranges of sorted states, in files.

A task is done by any process that sees the work folder: it reads immutable files, writes one of its own and
answers with some bytes (../../storage/steps.py). A stage takes these steps:

    finding.py      expand     the open states of a round, in parts       -->  sorted runs of children
                    add        a range of keys of all runs, without those
                               that are known                             -->  the states of the next round
                    merge      rounds, so that there are few files
    moves.py        find       the moves of the states of a range         -->  by the range of the child
                    reverse    the moves to the states of a range         -->  parents of each state
    labelling.py    settle     for each label, from the best to the
                               worst, the states of a range that get it   -->  their parents, by range
                    write      the labels of the states of a range

The files of a finished stage are those that the engine writes on one machine, which makes the blocks.
"""
