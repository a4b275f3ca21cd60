"""`perfectplay batch`: solves many games that one file lists, and keeps a catalogue of them."""
