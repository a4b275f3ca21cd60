"""The files of a solve larger than memory: states, labels, blocks, and the work folder that has them."""
