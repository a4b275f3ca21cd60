"""The labels of a packed game layer by layer over sorted arrays: the fast engine.

A layer is every state at one ply, as a sorted array of integers. Forward, a layer gives the next one;
backward, a layer gets its labels from those of the next one:

    ply 0     ply 1         ply 2                   ply n
    [ s ] --> [ s s s ] --> [ s s s s s ] --> ... [ s s ]     forward.py: keys, and where play ends
    [ l ] <-- [ l l l ] <-- [ l l l l l ] <-- ... [ l l ]     backward.py: labels of their values

All layers lie in files of a work folder (work.py), in little more than a byte a state, and are read and
written in streams: memory does not grow with the game, and what is finished survives. What is done between
two layers:

    windows.py       through windows of the key space, where larger parents have larger children
    searching.py     by sorting, and on the way back by searching, for any rules

Where one state stands for all that are symmetric to it, standing.py says forward which of them are in demand,
and unfolding.py unfolds these backward.

The rules are asked about arrays (rules.py), compiled where numba is installed (traced.py, compiled.py).
"""
