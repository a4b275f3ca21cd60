"""Makers of files that somebody could send to do harm, one module for each kind of file."""
