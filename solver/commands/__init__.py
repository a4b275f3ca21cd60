"""The commands of `perfectplay`, one per module; a command only parses, calls and echoes."""
