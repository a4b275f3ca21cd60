"""The labels of all stages by tasks: moves, their reverse, and retrograde analysis by messages."""
