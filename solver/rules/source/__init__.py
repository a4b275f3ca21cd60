"""Rules as source code: rules files, permission to run them, and their fingerprints."""
