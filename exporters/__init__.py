"""Plans in the forms that people and programs use, one a file: `render(plan)` is its text or bytes."""
