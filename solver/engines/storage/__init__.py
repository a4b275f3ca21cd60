"""The files of a solve larger than memory: states, labels and blocks, in a work folder."""
