"""Packed rules, asked about arrays of states: traced, compiled, or by NumPy."""
