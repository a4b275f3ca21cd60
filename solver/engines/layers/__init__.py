"""The layers engine: backward induction over sorted arrays, for packed games without loops.

A layer is the set of states at one ply, as a sorted array of integers. The forward pass is a breadth-first
search with a layer as its frontier; the backward pass labels a layer by the labels of the next one:

    ply 0     ply 1         ply 2                   ply n
    [ s ] --> [ s s s ] --> [ s s s s s ] --> ... [ s s ]     forward.py: open and terminal states
    [ l ] <-- [ l l l ] <-- [ l l l l l ] <-- ... [ l l ]     backward.py: their labels

All layers are in files of a work folder, the checkpoint (storage/), in little more than a byte per state, and
are streamed: memory does not grow with the game, and an interrupted solve resumes. Children are matched with
the next layer in one of two ways, of which matching.py has the choice and the second:

    windows/         windows of the key space, if larger parents have larger children
    matching.py      external sort, and in the backward pass lookups of sorted children, for any rules

In a folded solve orbits.py collects canonical forms forward, and adds symmetric images backward. The rules
are compiled for arrays (../array_rules/); numba compiles the loops around them.
"""
