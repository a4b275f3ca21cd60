"""Players that need only the JSON of a plan: no rules, no engine, no library."""
