"""The commands of `perfectplay`, one per file. A command only parses, calls and echoes."""
