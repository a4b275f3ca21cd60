"""Programs that check certificates: they share nothing with the solver, nor with each other."""
