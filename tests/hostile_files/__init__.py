"""Files as a stranger may send them, made from whole ones by chance that follows from a seed."""
