"""AND-OR plans: `Plan`, its tables in JSON, how one is read, and how one is selected."""
