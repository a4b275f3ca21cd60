"""Plans, positions and databases in other forms: JSON, pictures and pages.

A format of plans is a module whose `render(plan)` returns its text or bytes.
"""
