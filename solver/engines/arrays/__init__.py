"""The engine for any game at speed: states are numbers, moves are flat arrays of numbers; loops included.

    probe           the first states, to choose an engine by their number
    discovery       states get numbers breadth first
    rules_pool      asks the rules: in this process, or by workers where that pays; packed rules take arrays
    retrograde      values and remoteness, backwards from the ends
    readable_rows   the same rows, byte for byte, as those of the graph engine; packed_blocks: those of layers

All is in memory. The graph engine is the definition of what is right.
"""
