"""The engines side by side, and `solve`, which chooses among them."""
