"""The reference engine: the graph of all states, labelled by retrograde analysis; for any game."""
