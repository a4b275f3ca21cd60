"""The layers engine: backward induction over sorted arrays, for packed games without loops.

A layer is every state at one ply, as a sorted array of integers. The forward pass is a breadth-first search
with a layer as its frontier; the backward pass gives a layer its labels from those of the next one:

    ply 0     ply 1         ply 2                   ply n
    [ s ] --> [ s s s ] --> [ s s s s s ] --> ... [ s s ]     forward.py: keys, open and terminal states
    [ l ] <-- [ l l l ] <-- [ l l l l l ] <-- ... [ l l ]     backward.py: labels of their values

All layers lie in files of a work folder, the checkpoint (storage/), in little more than a byte a state, and
are read and written in streams: memory does not grow with the game, and an interrupted solve resumes. How
parents and children are brought together, strategy.py chooses:

    windows/         windows of the key space, if larger parents have larger children
    sort_search.py   external sort, and in the backward pass binary search, for any rules

In a folded solve orbits.py collects canonical forms forward, and adds symmetric images backward. The rules
are evaluated for arrays and compiled (../array_rules/); numba compiles the loops around them.
"""
