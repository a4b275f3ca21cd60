"""The arrays engine for large games with loops on a cluster: stages as ranges of sorted states, in files.

A task is done by any process that sees the work folder: it reads immutable files, writes one of its own and
answers with some bytes (../../storage/steps.py). A stage takes these steps:

    finding.py, rounds.py        expand     the open states of a round, in parts
                                 add        the children that are new: the next round
                                 merge      rounds into few files
    moves.py, ranges.py          find       the moves of the states of a range, by the range of the child
                                 reverse    those to the states of a range: the parents of each state
    labelling.py, settling.py    settle     for each label, from the best to the worst, the states that get it
                                 write      the labels of the states of a range
    encoding.py                  encode     the blocks of the database, also where tables have labelled

The files of a finished stage are those that the engine writes on one machine.
`workplace.py` is what a process opens to do tasks, `array_file.py` a file of several arrays.
"""
