"""Everything that verifies, sharing no code with the engines."""
