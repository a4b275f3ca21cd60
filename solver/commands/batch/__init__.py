"""Solves many games that one file lists, makes from each what the file asks for, and keeps a catalogue.

jobs        the file: which games, what to expect of each, and what to make of its database
program     one run of the program in a process of its own, with its time and memory
catalogue   `catalogue.db` and `catalogue.html`: what has been solved and made
run         a game: solved, compared, made from
command     `perfectplay batch`
"""
