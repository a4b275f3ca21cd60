"""`perfectplay batch`: solves the games listed in a file, and maintains a catalogue of them."""
