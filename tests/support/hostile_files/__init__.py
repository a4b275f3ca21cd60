"""Makers of files that could do harm, one module for each kind of file."""
