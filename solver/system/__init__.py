"""What the machine gives: memory, processors, files, the terminal, progress, plug-ins. It knows no game."""
