"""Windows of the key space that fit into the cache: sets of states as bits, and tables of labels."""
