"""The files of a layered solve: layers of keys and labels, and the work folder, which is its checkpoint."""
