"""The rules of packed games for arrays of states: traced and compiled, or evaluated by NumPy."""
