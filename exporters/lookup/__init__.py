"""Players that need the JSON of a plan only: no rules, no engine, no library."""
