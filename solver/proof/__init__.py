"""Proofs of databases and plans from the rules alone, sharing no code with the engines."""

MAX_PROBLEMS = 10
"""Problems after which a proof of a database stops."""
