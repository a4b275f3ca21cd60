"""The engines, and `solve`, which chooses among them."""
