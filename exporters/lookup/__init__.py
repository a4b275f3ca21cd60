"""Players that need neither rules nor engine nor library: nothing but the JSON of a plan."""
