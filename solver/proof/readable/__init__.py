"""Proves a readable database from the rules."""
