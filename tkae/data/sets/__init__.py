"""The datasets, one module each."""
