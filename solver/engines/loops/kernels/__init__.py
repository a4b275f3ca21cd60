"""The inner loops of the engine: compiled, and the same by NumPy."""
