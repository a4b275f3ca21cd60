"""The engine for any game at speed: states are numbers, moves are flat arrays of numbers; loops included.

discovery   states get numbers breadth first; the rules are asked here, or by worker processes
retrograde  values and remoteness, backwards from the ends over arrays
rows        the same rows, byte for byte, as those of the graph engine
"""
