"""Tasks done by the workers of a dask scheduler."""
