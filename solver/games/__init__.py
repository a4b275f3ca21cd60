"""The games that come with perfectplay, one family of games per file."""
