"""The machine: memory, processors, files, terminal, progress, plug-ins. No game is known here."""
