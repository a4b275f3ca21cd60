"""What a layered solve keeps on disk, its checkpoint included."""
