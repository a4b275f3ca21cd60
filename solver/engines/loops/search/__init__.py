"""Finds the states of all stages by tasks, round by round, over ranges of sorted states in files."""
