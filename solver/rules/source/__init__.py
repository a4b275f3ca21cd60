"""Rules as source: files of rules, which of them may run, and their fingerprint."""
