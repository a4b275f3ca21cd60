"""All that stands between rules and their users: loading, notation, checks, symmetries, labels."""
