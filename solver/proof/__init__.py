"""Proofs of databases and plans from the rules alone, sharing no code with the engines."""

MAX_PROBLEMS = 10
"""The number of problems after which a proof of a database stops."""
