"""The engine for any game at speed: states are numbers, moves are flat arrays of numbers; loops included.

    discovery       states get numbers breadth first
    crew, asking    who asks the rules: this process, or workers where that pays; packed rules take arrays
    retrograde      values and remoteness, backwards from the ends
    readable_rows   the same rows, byte for byte, as those of the graph engine; packed_blocks: those of layers

All is in memory. The graph engine is the definition of what is right.
"""
