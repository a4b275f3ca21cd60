"""Exports of plans, positions and databases: JSON, pictures and pages.

A plan format is a module with a function `render(plan)` that returns text or bytes.
"""
