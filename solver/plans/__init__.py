"""AND-OR plans: the class `Plan`, its reader, its output formats, and the selection of plans."""
