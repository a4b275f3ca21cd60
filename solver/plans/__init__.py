"""AND-OR plans: the value, its tables, how one is read."""
