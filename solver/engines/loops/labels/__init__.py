"""Labels all stages by tasks: moves, the reversal of moves, and retrograde analysis by messages."""
