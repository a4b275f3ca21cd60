"""The machine: memory, processors, files, terminal, progress and plug-ins; independent of games."""
