"""Sets of states as bits in windows over the keys, for dense layers."""
