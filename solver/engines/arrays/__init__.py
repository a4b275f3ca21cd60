"""The engine for any game at speed: states are numbers, moves are flat arrays of numbers; loops included.

    asking          asks the rules about a chunk of states; rules_pool: here, or by workers where that pays
    discovery       the first states, to choose an engine by their number; then all, numbered breadth first
    numbered        the numbered game; values and remoteness of its states, backwards from the ends
    readable_rows   the same rows, byte for byte, as those of the graph engine
    solve           all of it, and the blocks of a packed database

All is in memory. The graph engine is the definition of what is right.
"""
