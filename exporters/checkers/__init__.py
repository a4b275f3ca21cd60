"""Programs that check certificates. They share no code with the solver or with each other."""
