"""What a solved game tells: statistics, differences, grades, the best response."""
