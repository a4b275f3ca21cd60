"""Rules asked about arrays of states by machine code, for proofs of large files.

formulas.py        what a rule computes of a state, step by step
machine_code.py    formulas as machine code
array_answers.py   the rules of a game, answered by it

The engines do the same, by other code on purpose: a fault in how they ask must not hide itself.
"""
